import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualManifest } from "../manual.js";
import { fieldsOf, names, plainText } from "./fields.js";
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
    version: guides.some(({ image }) => (image?.path ?? "") !== "") ? "0.4" : "0.3",
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
