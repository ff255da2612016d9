import type { XmlElement } from "../../xml/xml-document.js";
import { IMAGE_SIZES, type ManualImage, type ManualImageSize } from "../manual.js";
import { fieldsOf, names, ownText } from "./fields.js";
import { numberIn } from "./number-in.js";
import { placeOf, type Reading } from "./reading.js";

const IMAGE = names(
  ...["orderby", "imageid", "id", "guid", "ratio", "text", "original", "path", "url"],
  ...IMAGE_SIZES,
);

/** A main image, a step's image, a poster. null: an element without an address, as for "no image". */
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
