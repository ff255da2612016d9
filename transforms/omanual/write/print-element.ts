import type { Issue } from "../../../src/core/model/issue.js";

export interface WrittenElement {
  readonly name: string;
  /** null values are omitted. */
  readonly attributes: Readonly<Record<string, string | null | undefined>>;
  /** Elements get their own lines; text and `markup` stay exactly. */
  readonly content: readonly WrittenElement[] | string | Markup;
}

interface Markup {
  readonly markup: string;
}

export type Attributes = WrittenElement["attributes"];

const STEP = "  ";

/** Indents by two blanks a level and ends with a line end; equal elements give equal bytes. */
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
  // By number, since XML readers normalise line ends and blanks (XML 1.0, 2.11 and 3.3.3).
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Escapes `>` too, so that `]]>` never occurs. */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, escaped);
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\r\n\t]/g, escaped);
}

function escaped(character: string): string {
  return ESCAPED[character] ?? character;
}

/** Characters outside of XML 1.0 (production 2): most controls, lone surrogates, U+FFFE. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const REPLACEMENT = "\uFFFD";

/** A fast first test; a surrogate may belong to a valid pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SUSPICIOUS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;

/** Reports replaced characters once for each text. */
export function holdable(text: string, path: string, report: ReportFinding): string {
  const found = SUSPICIOUS.test(text) ? text.match(FORBIDDEN) : null;
  if (found === null) return text;
  const codes = [...new Set(found.map((character) => `U+${hexadecimal(character)}`))];
  const message = `XML cannot contain ${codes.join(", ")}; ${found.length === 1 ? "U+FFFD replaces it" : `U+FFFD replaces each of the ${found.length}`}.`;
  report({ code: "character-replaced", level: "loss", path, message });
  return text.replace(FORBIDDEN, REPLACEMENT);
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Returns most documents unchanged. */
export function holdableIn<T>(value: T, path: string, report: ReportFinding): T {
  return isSuspicious(value) ? replacedIn(value, path, report) : value;
}

function isSuspicious(value: unknown): boolean {
  if (typeof value === "string") return SUSPICIOUS.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.some(isSuspicious) : Object.values(value).some(isSuspicious);
}

function replacedIn<T>(value: T, path: string, report: ReportFinding): T {
  if (typeof value === "string") return holdable(value, path, report) as T;
  if (Array.isArray(value)) return value.map((each, index) => replacedIn(each, `${path}[${index}]`, report)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, replacedIn(inner, within(path, name), report)]);
  return Object.fromEntries(entries) as T;
}

function within(path: string, name: string): string {
  if (name === "html") return path;
  return path === "" ? name : `${path}.${name}`;
}

/** A finding about a document; the caller adds the item's key. */
export type Finding = Omit<Issue, "key">;

export type ReportFinding = (finding: Finding) => void;
