import { fromHtml } from "hast-util-from-html";
import type { XmlElement } from "../../xml/xml-document.js";
import { placeOf, type Reading, report } from "./reading.js";

/** A reference of HTML in text that XML has decoded already. */
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;
const LOOSE_AMPERSAND = new RegExp(`&(?!${REFERENCE.source.slice(1)})`, "g");

/**
 * Plain text that a server escaped twice (`&amp;quot;`: omanual 8), decoded once more, by HTML's rules. Texts without a
 * reference in them stay as they are.
 */
export function undouble(text: string, element: XmlElement, path: string, reading: Reading): string {
  if (!isDoubled(text, element, path, reading)) return text;
  const { children } = fromHtml(text.replaceAll("<", "&lt;"), { fragment: true });
  return children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

const SPECIAL = /[&<>\r]/;

/** Text as HTML source: references that were escaped twice are left standing, so that they mean what was meant. */
export function sourceOf(text: string, element: XmlElement, path: string, reading: Reading): string {
  if (!SPECIAL.test(text)) return text;
  const ampersands = isDoubled(text, element, path, reading)
    ? text.replace(LOOSE_AMPERSAND, "&amp;")
    : text.replaceAll("&", "&amp;");
  // By number, since HTML's own readers make a line feed of a bare carriage return.
  return ampersands.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;");
}

function isDoubled(text: string, element: XmlElement, path: string, reading: Reading): boolean {
  if (!reading.undoubles || !text.includes("&") || !REFERENCE.test(text)) return false;
  if (!reading.issues.some(({ code }) => code === "escaped-twice")) {
    const what = `text here and perhaps elsewhere was escaped twice (${REFERENCE.exec(text)?.[0] ?? ""}); it is decoded twice`;
    report(reading, { code: "escaped-twice", level: "note", path }, placeOf(element), what);
  }
  return true;
}
