import type { Issue } from "../../../src/core/model/issue.js";

/** An element on its way out. */
export interface WrittenElement {
  readonly name: string;
  /** In the order in which they are written; those without a value are left out. */
  readonly attributes: Readonly<Record<string, string | null | undefined>>;
  /** Elements stand on lines of their own; words and `markup` stay exactly as they are. */
  readonly content: readonly WrittenElement[] | string | Markup;
}

/** XML that is finished: simplified HTML. */
interface Markup {
  readonly markup: string;
}

export type Attributes = WrittenElement["attributes"];

const STEP = "  ";

/**
 * The element, indented by two blanks a level and with a line end behind it; the same bytes for
 * equal elements.
 */
export function printElement({ name, attributes, content }: WrittenElement, indent = ""): string {
  const start = `${indent}<${name}${printAttributes(attributes)}`;
  const inner = typeof content === "string" ? escapeText(content) : "markup" in content ? content.markup : undefined;
  if (inner !== undefined) return inner === "" ? `${start}/>\n` : `${start}>${inner}</${name}>\n`;
  const children = (content as readonly WrittenElement[]).map((child) => printElement(child, indent + STEP));
  return children.length === 0 ? `${start}/>\n` : `${start}>\n${children.join("")}${indent}</${name}>\n`;
}

export function printAttributes(attributes: Attributes): string {
  let written = "";
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) written += ` ${name}="${escapeAttribute(value)}"`;
  return written;
}

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // By number, since readers make line feeds of the first and blanks of all in attributes (XML 1.0,
  // 2.11 and 3.3.3).
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Words between tags. `>` too, so that `]]>` never stands there. */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, escaped);
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\r\n\t]/g, escaped);
}

function escaped(character: string): string {
  return ESCAPED[character] ?? character;
}

/**
 * What no XML 1.0 document can hold, not even by number (XML 1.0, production 2): most controls,
 * halves of characters, U+FFFE.
 */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Stands for a character that can't be held, as in decoders. */
const REPLACEMENT = "\uFFFD";

/** Where none of these is, nothing is forbidden; halves of characters may be whole ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SUSPICIOUS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

/** The text as XML can hold it; what had to be replaced is told of once a text. */
export function holdable(text: string, path: string, tell: Tell): string {
  const found = SUSPICIOUS.test(text) ? text.match(FORBIDDEN) : null;
  if (found === null) return text;
  const codes = [...new Set(found.map((character) => `U+${hexadecimal(character)}`))];
  const message = `XML can't hold ${codes.join(", ")}; ${found.length === 1 ? "U+FFFD stands for it" : `U+FFFD stands for each of the ${found.length}`}.`;
  tell({ code: "character-replaced", level: "loss", path, message });
  return text.replace(FORBIDDEN, REPLACEMENT);
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/**
 * Every text of a document made holdable; paths are those of its fields. Most documents are given
 * back as they are.
 */
export function holdableIn<T>(value: T, path: string, tell: Tell): T {
  return isSuspicious(value) ? replacedIn(value, path, tell) : value;
}

function isSuspicious(value: unknown): boolean {
  if (typeof value === "string") return SUSPICIOUS.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.some(isSuspicious) : Object.values(value).some(isSuspicious);
}

function replacedIn<T>(value: T, path: string, tell: Tell): T {
  if (typeof value === "string") return holdable(value, path, tell) as T;
  if (Array.isArray(value)) return value.map((each, index) => replacedIn(each, `${path}[${index}]`, tell)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, replacedIn(inner, within(path, name), tell)]);
  return Object.fromEntries(entries) as T;
}

/** The HTML of a text is the text, as far as the model goes. */
function within(path: string, name: string): string {
  if (name === "html") return path;
  return path === "" ? name : `${path}.${name}`;
}

/** What writing has to tell of a document; who knows the item adds its key. */
export type Finding = Omit<Issue, "key">;

/** Takes the findings of one document. */
export type Tell = (finding: Finding) => void;
