import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualCategory, ManualVersion } from "../manual.js";
import { type Fields, fieldsOf, names, ownText, plainText } from "./fields.js";
import { hintedVersion } from "./hinted-version.js";
import { readImage } from "./image.js";
import { readCategoryPart, readDocument, readFlag, readList, readPart, readReference } from "./lists.js";
import { placeOf, type Reading } from "./reading.js";
import { readText } from "./text.js";

const INFOS = ["category_info", "topic_info", "device_info"];
const LISTS = ["flags", "ancestors", "categories", "children", "parts", "tools", "guides", "procedures", "documents"];
const PLAIN = [
  "locale",
  "lang",
  "langid",
  "id",
  "wikiid",
  "title",
  "image",
  "description",
  "solutions",
  "contents",
  "contents_raw",
  "contents_rendered",
  "solutions_url",
];
const CATEGORY = names(...PLAIN, ...INFOS, ...LISTS);

/** `category`, `topic` and `device`. */
export function readCategory(root: XmlElement, reading: Reading): ManualCategory {
  const fields = fieldsOf(root, "", CATEGORY, reading);
  const { fact } = fields;
  const image = fields.child("image");
  return {
    kind: "category",
    version:
      VERSIONS[root.name] ??
      hintedVersion(root) ??
      (fields.children("procedures").length > 0 || root.namespace === null ? "0.3" : "0.4"),
    id: fact("id") ?? fact("wikiid"),
    locale: fact("locale") ?? fact("langid") ?? fact("lang"),
    title: fact("title"),
    ...readInfo(fields),
    image: image === null ? null : readImage(image, "image", reading),
    description: readMixed(fields, "description"),
    flags: readList(fields, "flags", "flag", readFlag),
    // 0.4 called them categories (omanual 1).
    ancestors: [
      ...readList(fields, "ancestors", "ancestor", plainText),
      ...readList(fields, "categories", "category", plainText),
    ],
    children: readList(fields, "children", "child", plainText),
    solutions: readSolutions(fields),
    parts: readList(fields, "parts", ["part", "partCategory"], readCategoryPart),
    tools: readList(fields, "tools", "tool", readPart),
    contents: readMixed(fields, "contents"),
    guides: [
      ...readList(fields, "guides", "guide", readReference),
      ...readList(fields, "procedures", "procedure", readReference),
    ],
    documents: readList(fields, "documents", "document", readDocument),
    extra: reading.extra,
    at: placeOf(root),
  };
}

const VERSIONS: Readonly<Record<string, ManualVersion>> = { category: "1.0", device: "0.2" };

function readInfo(fields: Fields): Pick<ManualCategory, "name" | "manufacturer" | "introduced" | "discontinued"> {
  const element = INFOS.map(fields.child).find((each) => each !== null);
  if (element === undefined) return { name: null, manufacturer: null, introduced: null, discontinued: null };
  const info = fieldsOf(element, "info", names("name", "manufacturer", "introduced", "discontinued"), fields.reading);
  return {
    name: ownText(info) || info.fact("name"),
    manufacturer: info.fact("manufacturer"),
    introduced: info.fact("introduced"),
    discontinued: info.fact("discontinued"),
  };
}

function readMixed(fields: Fields, name: string): ManualCategory["contents"] {
  const element = fields.child(`${name}_rendered`) ?? fields.child(name);
  if (element === null) return null;
  const { fact } = fieldsOf({ ...element, children: [] }, name, names(`${name}_raw`), fields.reading);
  return readText(element, fact(`${name}_raw`) ?? fields.fact(`${name}_raw`), name, fields.reading);
}

function readSolutions(fields: Fields): ManualCategory["solutions"] {
  const element = fields.child("solutions");
  const address = fields.fact("solutions_url");
  if (element === null) return address === null ? null : { count: null, url: address };
  const { fact } = fieldsOf(element, "solutions", names("count", "url"), fields.reading);
  return { count: fact("count"), url: fact("url") };
}
