import { elementsIn, textIn } from "../../xml/walk.js";
import type { XmlElement, XmlNode } from "../../xml/xml-document.js";
import type { ManualText } from "../manual.js";
import { placeOf, type Reading } from "./reading.js";
import { sourceOf } from "./undouble.js";

/** Mixed content: real elements, or HTML that was escaped or stands in CDATA as text (0.2 to 0.4, omanual 8). */
export function readText(element: XmlElement, raw: string | null, path: string, reading: Reading): ManualText {
  return { html: htmlOf(element, path, reading).trim(), raw: raw === "" ? null : raw, at: placeOf(element) };
}

/** A tag of simplified HTML or of what sites print beside it, in a text. */
const TAG =
  /<\/?(?:p|a|strong|em|h[1-6]|tt|pre|code|br|ul|ol|li|sub|sup|del|ins|div|span|img|b|i|u|table|blockquote)(?:\s[^<>]*)?\/?>/i;

/** Whether the element holds HTML, as elements or as text. */
export function isHtml(element: XmlElement): boolean {
  return elementsIn(element).length > 0 || TAG.test(textIn(element));
}

function htmlOf(element: XmlElement, path: string, reading: Reading): string {
  const { children } = element;
  const [only] = children;
  if (reading.undoubles && children.length === 1 && typeof only === "string" && TAG.test(only)) return only;
  return children.map((child) => printHtml(child, element, path, reading)).join("");
}

function quoted(value: string, element: XmlElement, path: string, reading: Reading): string {
  return sourceOf(value, element, path, reading).replaceAll('"', "&quot;");
}

/** Elements that HTML closes by themselves. */
const EMPTY = new Set(["br", "img", "hr"]);

function printHtml(node: XmlNode, parent: XmlElement, path: string, reading: Reading): string {
  if (typeof node === "string") return sourceOf(node, parent, path, reading);
  const name = node.name.toLowerCase();
  const attributes = node.attributes
    .filter(({ prefix }) => prefix === "")
    .map(({ name: key, value }) => ` ${key.toLowerCase()}="${quoted(value, node, path, reading)}"`);
  const inner = node.children.map((child) => printHtml(child, node, path, reading)).join("");
  return EMPTY.has(name)
    ? `<${name}${attributes.join("")}>${inner}`
    : `<${name}${attributes.join("")}>${inner}</${name}>`;
}
