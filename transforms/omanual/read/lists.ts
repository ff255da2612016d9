import type { XmlElement } from "../../xml/xml-document.js";
import {
  IMAGE_SIZES,
  type ManualDocument,
  type ManualFlag,
  type ManualImage,
  type ManualImageSize,
  type ManualPart,
  type ManualReference,
} from "../manual.js";
import { entriesOf, type Fields, fieldsOf, names, numberIn, ownText } from "./fields.js";
import { placeOf, type Reading } from "./reading.js";

type Reader<T> = (element: XmlElement, path: string, reading: Reading) => T;

/** The container may be missing; keeps its other children aside. */
export function readList<T>(fields: Fields, container: string, entry: string | readonly string[], read: Reader<T>) {
  const { children, reading } = fields;
  const wanted = names(...(typeof entry === "string" ? [entry] : entry));
  return children(container)
    .flatMap((list) => entriesOf(withoutShop(list), container, wanted, reading))
    .map((element, index): T => read(element, `${container}[${index}]`, reading));
}

/** Up to 0.3 a list of parts has the address of a shop, for which sites have no field. */
function withoutShop(list: XmlElement): XmlElement {
  const isShop = (name: string) => name === "url" || name === "count";
  return {
    ...list,
    attributes: list.attributes.filter(({ name }) => !isShop(name)),
    children: list.children.filter((child) => typeof child === "string" || !isShop(child.name)),
  };
}

const PART = names(
  ...[
    "name",
    "text",
    "quantity",
    "sku",
    "guid",
    "thumbnail",
    "notes",
    "type",
    "url",
    "external_sources",
    "external_source",
  ],
);

const SOURCES = names("external_source");

/** 1.0 has the name in an attribute, older versions in the text; `guid` (0.3) became `sku`. */
export function readPart(element: XmlElement, path: string, reading: Reading): ManualPart {
  const fields = fieldsOf(element, path, PART, reading);
  const wrapped = fields.children("external_sources").flatMap((list) => entriesOf(list, path, SOURCES, reading));
  return {
    name: fields.fact("name") ?? fields.fact("text") ?? ownText(fields),
    quantity: fields.fact("quantity"),
    sku: fields.fact("sku") ?? fields.fact("guid"),
    thumbnail: fields.fact("thumbnail"),
    notes: fields.fact("notes"),
    type: fields.fact("type"),
    url: fields.fact("url"),
    externalSources: [...wrapped, ...fields.children("external_source")].map((source) => {
      const { fact } = fieldsOf(source, `${path}.externalSources`, names("id", "url", "notes"), reading);
      return { id: fact("id"), url: fact("url"), notes: fact("notes") };
    }),
    at: placeOf(element),
  };
}

const SHOP_LIST_FIELDS = names("tag", "count", "url");

/** A part of a category; in 0.2 a shop's list with its number of goods. */
export function readCategoryPart(element: XmlElement, path: string, reading: Reading): ManualPart {
  if (element.name !== "partCategory") return readPart(element, path, reading);
  const { fact } = fieldsOf(element, path, SHOP_LIST_FIELDS, reading);
  const name = fact("tag") ?? "";
  return { ...NO_PART, name, url: fact("url"), at: placeOf(element) };
}

const NO_PART = {
  quantity: null,
  sku: null,
  thumbnail: null,
  notes: null,
  type: null,
  externalSources: [],
} as const;

export function readFlag(element: XmlElement, path: string, reading: Reading): ManualFlag {
  const fields = fieldsOf(element, path, names("id", "flagid", "title", "image", "text"), reading);
  const { fact } = fields;
  return {
    id: fact("id") ?? fact("flagid"),
    title: fact("title"),
    image: fact("image"),
    text: fact("text") ?? ownText(fields),
  };
}

const DOCUMENT = names(
  ...[
    "id",
    "documentid",
    "url",
    "download_url",
    "icon",
    "extension",
    "type",
    "date",
    "text",
    "title",
    "filename",
    "guid",
  ],
);

/** Server dumps have the API's keys (omanual 8); icon and extension follow from the file. */
export function readDocument(element: XmlElement, path: string, reading: Reading): ManualDocument {
  const fields = fieldsOf(element, path, DOCUMENT, reading);
  const { fact } = fields;
  return {
    id: fact("id") ?? fact("documentid"),
    text: ownText(fields) || (fact("text") ?? fact("filename") ?? fact("title") ?? ""),
    url: fact("url"),
    downloadUrl: fact("download_url"),
    type: fact("type"),
    date: fact("date"),
    at: placeOf(element),
  };
}

const REFERENCE = names(
  ...["id", "guideid", "locale", "subject", "type", "title", "procedure.title", "url", "path"],
  ...["image", "thumbnail", "image_url"],
);

/**
 * Up to 0.4 a prerequisite has its title as text; manifests have `thumbnail`, `image_url` and
 * `procedure.title` (schema of 0.4).
 */
export function readReference(element: XmlElement, path: string, reading: Reading): ManualReference {
  const fields = fieldsOf(element, path, REFERENCE, reading);
  const { fact } = fields;
  const image = fields.child("image");
  return {
    id: fact("id") ?? fact("guideid"),
    locale: fact("locale"),
    subject: fact("subject"),
    type: fact("type"),
    title: fact("title") ?? fact("procedure.title") ?? (ownText(fields) || null),
    url: fact("url"),
    path: fact("path"),
    image:
      image === null
        ? addressedImage(fact("image_url"), fact("thumbnail"))
        : readImage(image, `${path}.image`, reading),
    at: placeOf(element),
  };
}

function addressedImage(address: string | null, thumbnail: string | null): ManualReference["image"] {
  if (address === null && thumbnail === null) return null;
  const sizes = thumbnail === null ? {} : { thumbnail };
  return { path: address ?? "", sizes, order: null, id: null, guid: null };
}

const IMAGE = names(
  ...["orderby", "imageid", "id", "guid", "ratio", "text", "original", "path", "url"],
  ...IMAGE_SIZES,
);

/** null: an element without an address, which means no image. */
export function readImage(element: XmlElement, path: string, reading: Reading): ManualImage | null {
  const fields = fieldsOf(element, path, IMAGE, reading);
  const { fact } = fields;
  const original = ownText(fields) || (fact("original") ?? fact("path") ?? fact("url") ?? fact("text") ?? "");
  const sizes: Partial<Record<ManualImageSize, string>> = {};
  for (const size of IMAGE_SIZES) {
    const address = fact(size) ?? "";
    if (address !== "") sizes[size] = address;
  }
  if (original === "" && Object.keys(sizes).length === 0) return null;
  return {
    path: original,
    sizes,
    order: numberIn(fact("orderby"), "orderby", fields),
    id: fact("imageid") ?? fact("id"),
    guid: fact("guid"),
    at: placeOf(element),
  };
}
