import { fromHtml } from "hast-util-from-html";
import type { Issue } from "../../../src/core/model/issue.js";
import { elementsIn, textIn, type XmlElement, type XmlNode } from "../../xml/xml-document.js";
import type { ManualExtra, ManualPlace, ManualText, ManualVersion } from "../manual.js";

/** An Issue before its item's key is known. */
export type ManualIssue = Omit<Issue, "key">;

export interface Reading {
  readonly file: string;
  readonly undoubles: boolean;
  readonly issues: ManualIssue[];
  readonly extra: ManualExtra[];
  /** Issues beyond the limit. */
  omitted: number;
}

const MOST_ISSUES = 500;

export function report(
  reading: Reading,
  issue: { readonly code: Issue["code"]; readonly level: Issue["level"]; readonly path: string },
  at: ManualPlace | undefined,
  what: string,
): void {
  if (reading.issues.length >= MOST_ISSUES) {
    reading.omitted += 1;
    return;
  }
  const place = at === undefined ? "" : `:${at.line}:${at.column}`;
  reading.issues.push({ ...issue, message: `${reading.file}${place}: ${what}.` });
}

export function placeOf({ line, column }: XmlElement): ManualPlace {
  return { line, column };
}

/** Mixed content: elements, or HTML as escaped text or CDATA (0.2 to 0.4, omanual 8). */
export function readText(element: XmlElement, raw: string | null, path: string, reading: Reading): ManualText {
  return { html: htmlOf(element, path, reading).trim(), raw: raw === "" ? null : raw, at: placeOf(element) };
}

/** A tag of simplified HTML, or of the output of sites. */
const TAG =
  /<\/?(?:p|a|strong|em|h[1-6]|tt|pre|code|br|ul|ol|li|sub|sup|del|ins|div|span|img|b|i|u|table|blockquote)(?:\s[^<>]*)?\/?>/i;

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

const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;
const LOOSE_AMPERSAND = new RegExp(`&(?!${REFERENCE.source.slice(1)})`, "g");

/** Decodes text that a server escaped twice (`&amp;quot;`: omanual 8) by HTML's rules. */
export function undouble(text: string, element: XmlElement, path: string, reading: Reading): string {
  if (!isDoubled(text, element, path, reading)) return text;
  const { children } = fromHtml(text.replaceAll("<", "&lt;"), { fragment: true });
  return children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

const SPECIAL = /[&<>\r]/;

/** HTML source that keeps references of doubly escaped text, so that it means the same. */
function sourceOf(text: string, element: XmlElement, path: string, reading: Reading): string {
  if (!SPECIAL.test(text)) return text;
  const ampersands = isDoubled(text, element, path, reading)
    ? text.replace(LOOSE_AMPERSAND, "&amp;")
    : text.replaceAll("&", "&amp;");
  // By number, since HTML parsers turn a bare carriage return into a line feed.
  return ampersands.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;");
}

function isDoubled(text: string, element: XmlElement, path: string, reading: Reading): boolean {
  if (!reading.undoubles || !text.includes("&") || !REFERENCE.test(text)) return false;
  if (!reading.issues.some(({ code }) => code === "escaped-twice")) {
    const what = `text here and perhaps elsewhere was escaped twice (${REFERENCE.exec(text)?.[0] ?? ""}). It is decoded twice`;
    report(reading, { code: "escaped-twice", level: "note", path }, placeOf(element), what);
  }
  return true;
}

const VERSIONS: ReadonlySet<string> = new Set<ManualVersion>(["0.2", "0.3", "0.4"]);

/** The version in the schema's name of a root before 1.0, `openmanual_0.2.xsd`; undefined: none. */
export function hintedVersion({ attributes }: XmlElement): ManualVersion | undefined {
  const hint = attributes.find(({ name }) => name === "schemaLocation" || name === "noNamespaceSchemaLocation");
  const version = /_(\d\.\d)\.xsd/.exec(hint?.value ?? "")?.[1] ?? "";
  return isVersion(version) ? version : undefined;
}

function isVersion(version: string): version is ManualVersion {
  return VERSIONS.has(version);
}
