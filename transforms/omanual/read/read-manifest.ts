import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualManifest, ManualVersion } from "../manual.js";
import { type Fields, fieldsOf, names, plainText } from "./fields.js";
import { hintedVersion } from "./hinted-version.js";
import { readDocument, readList, readReference } from "./lists.js";
import { placeOf, type Reading } from "./reading.js";

const MANIFEST = names("locale", "lang", "title", "description", "categories", "procedures", "guides", "documents");

/** `manifest`, the index of a package up to 0.4. */
export function readManifest(root: XmlElement, reading: Reading): ManualManifest {
  const fields = fieldsOf(root, "", MANIFEST, reading);
  const { fact } = fields;
  const guides = [
    ...readList(fields, "procedures", "procedure", readReference),
    ...readList(fields, "guides", "guide", readReference),
  ];
  return {
    kind: "manifest",
    version: hintedVersion(root) ?? versionOf(fields, guides),
    locale: fact("locale") ?? fact("lang"),
    title: fact("title"),
    description: fact("description"),
    categories: readList(fields, "categories", "category", plainText),
    guides,
    documents: readList(fields, "documents", "document", readDocument),
    extra: reading.extra,
    at: placeOf(root),
  };
}

/** 1.0 has none, or one of nothing but a title and a description (documentation); 0.4 shows images of guides. */
function versionOf({ children }: Fields, guides: ManualManifest["guides"]): ManualVersion {
  if (["procedures", "categories", "documents"].every((name) => children(name).length === 0)) return "1.0";
  return guides.some(({ image }) => (image?.path ?? "") !== "") ? "0.4" : "0.3";
}
