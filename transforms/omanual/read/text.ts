import { escapeXml } from "../../xml/print-xml.js";
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

function htmlOf(element: XmlElement, path: string, reading: Reading): string {
  const { children } = element;
  const [only] = children;
  if (reading.undoubles && children.length === 1 && typeof only === "string" && TAG.test(only)) return only;
  return children.map((child) => printHtml(child, element, path, reading)).join("");
}

/** Elements that HTML closes by themselves. */
const EMPTY = new Set(["br", "img", "hr"]);

function printHtml(node: XmlNode, parent: XmlElement, path: string, reading: Reading): string {
  if (typeof node === "string") return sourceOf(node, parent, path, reading);
  const name = node.name.toLowerCase();
  const attributes = node.attributes
    .filter(({ prefix }) => prefix === "")
    .map((attribute) => ` ${attribute.name.toLowerCase()}="${escapeXml(attribute.value)}"`);
  const inner = node.children.map((child) => printHtml(child, node, path, reading)).join("");
  return EMPTY.has(name)
    ? `<${name}${attributes.join("")}>${inner}`
    : `<${name}${attributes.join("")}>${inner}</${name}>`;
}
