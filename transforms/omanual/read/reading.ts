import { fromHtml } from "hast-util-from-html";
import type { Issue } from "../../../src/core/model/issue.js";
import { elementsIn, textIn, type XmlElement, type XmlNode } from "../../xml/xml-document.js";
import type { ManualExtra, ManualPlace, ManualText, ManualVersion } from "../manual.js";

/** An Issue of a document, before it is known which item it becomes. */
export type ManualIssue = Omit<Issue, "key">;

/** What is gathered while one document is read. */
export interface Reading {
  /** For messages. */
  readonly file: string;
  /** See ReadManualOptions. */
  readonly undoubles: boolean;
  readonly issues: ManualIssue[];
  readonly extra: ManualExtra[];
  /** Issues that were not told because of their number. */
  untold: number;
}

/** Beyond it, a document's issues are only counted: somebody has to read them. */
const MOST_ISSUES = 500;

export function report(
  reading: Reading,
  issue: { readonly code: string; readonly level: Issue["level"]; readonly path: string },
  at: ManualPlace | undefined,
  what: string,
): void {
  if (reading.issues.length >= MOST_ISSUES) {
    reading.untold += 1;
    return;
  }
  const place = at === undefined ? "" : `:${at.line}:${at.column}`;
  reading.issues.push({ ...issue, message: `${reading.file}${place}: ${what}.` });
}

export function placeOf({ line, column }: XmlElement): ManualPlace {
  return { line, column };
}

/**
 * Mixed content: real elements, or HTML that was escaped or stands in CDATA as text (0.2 to 0.4,
 * omanual 8).
 */
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

/** A reference of HTML in text that XML has decoded already. */
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;
const LOOSE_AMPERSAND = new RegExp(`&(?!${REFERENCE.source.slice(1)})`, "g");

/**
 * Plain text that a server escaped twice (`&amp;quot;`: omanual 8), decoded once more, by HTML's
 * rules. Texts without a reference in them stay as they are.
 */
export function undouble(text: string, element: XmlElement, path: string, reading: Reading): string {
  if (!isDoubled(text, element, path, reading)) return text;
  const { children } = fromHtml(text.replaceAll("<", "&lt;"), { fragment: true });
  return children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

const SPECIAL = /[&<>\r]/;

/**
 * Text as HTML source: references that were escaped twice are left standing, so that they mean what
 * was meant.
 */
function sourceOf(text: string, element: XmlElement, path: string, reading: Reading): string {
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

const VERSIONS: ReadonlySet<string> = new Set<ManualVersion>(["0.2", "0.3", "0.4"]);

/**
 * The version in the name of the schema that a root before 1.0 asks for: `openmanual_0.2.xsd`;
 * undefined: it asks for none.
 */
export function hintedVersion({ attributes }: XmlElement): ManualVersion | undefined {
  const hint = attributes.find(({ name }) => name === "schemaLocation" || name === "noNamespaceSchemaLocation");
  const version = /_(\d\.\d)\.xsd/.exec(hint?.value ?? "")?.[1] ?? "";
  return isVersion(version) ? version : undefined;
}

function isVersion(version: string): version is ManualVersion {
  return VERSIONS.has(version);
}
