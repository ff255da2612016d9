import type { Element } from "hast";
import { fromHtml } from "hast-util-from-html";

/** A token of the HTML standard, without comments and declarations; `<![CDATA[…]]>` is text. */
export type Token = TextToken | OpenToken | CloseToken;

/** Character references are not decoded. */
interface TextToken {
  readonly type: "text";
  readonly value: string;
}

export interface OpenToken {
  readonly type: "open";
  /** Lower case. */
  readonly name: string;
  /** In order; references are not decoded, and a name can repeat. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly start: number;
  readonly end: number;
}

interface CloseToken {
  readonly type: "close";
  readonly name: string;
}

/**
 * Tokenises by the HTML standard (13.2.5) in linear time, without going back. Skips the content of
 * `skipped` elements, which is not text of the page.
 */
export function readTags(html: string, skipped: ReadonlyMap<string, boolean>): readonly Token[] {
  const tokens: Token[] = [];
  const endless = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    if (end > at) tokens.push({ type: "text", value: html.slice(at, end) });
    if (open < 0) break;
    const { token, end: behind } = readMarkup(html, open);
    if (token !== undefined) tokens.push(token);
    const goesOn = token?.type === "open" ? skipped.get(token.name) : undefined;
    at = token?.type !== "open" || goesOn === undefined ? behind : endOf(html, token, goesOn, endless);
  }
  return tokens;
}

interface Found {
  readonly token?: Token;
  readonly end: number;
}

function readMarkup(html: string, at: number): Found {
  const next = html.charAt(at + 1);
  if (/[a-z]/i.test(next)) return readOpen(html, at);
  if (html.startsWith("<!--", at)) return { end: after(html, "-->", at + 2) };
  if (html.startsWith(CHARACTERS, at)) return readCharacters(html, at);
  if (next === "/" && /[a-z]/i.test(html.charAt(at + 2))) return readClose(html, at);
  if (next === "!" || next === "?" || (next === "/" && at + 2 < html.length)) return { end: after(html, ">", at) };
  return { token: { type: "text", value: "<" }, end: at + 1 };
}

const CHARACTERS = "<![CDATA[";

/** CDATA is a comment in HTML, but wiki pages contain pasted code with it. */
function readCharacters(html: string, at: number): Found {
  const end = after(html, "]]>", at + CHARACTERS.length);
  const value = html.slice(at + CHARACTERS.length, end).replace(/\]\]>$/, "");
  return { token: { type: "text", value: value.replaceAll("&", "&amp;") }, end };
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

const NAME = /[^\s/>]*/y;
const BETWEEN = /[\s/]*/y;
const ATTRIBUTE_NAME = /=?[^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
const BARE_VALUE = /[^\s>]*/y;

/** undefined: the text ends inside of the tag. */
function readOpen(html: string, start: number): Found {
  const name = match(NAME, html, start + 1);
  const { attributes, end } = readAttributes(html, start + 1 + name.length);
  if (end > html.length) return { end };
  return { token: { type: "open", name: name.toLowerCase(), attributes, start, end }, end };
}

function readClose(html: string, start: number): Found {
  const name = match(NAME, html, start + 2);
  const { end } = readAttributes(html, start + 2 + name.length);
  return end > html.length ? { end } : { token: { type: "close", name: name.toLowerCase() }, end };
}

/** `end`: after the closing bracket, or the end of the text. */
function readAttributes(html: string, from: number): { readonly attributes: [string, string][]; readonly end: number } {
  const attributes: [string, string][] = [];
  let at = from + match(BETWEEN, html, from).length;
  while (at < html.length && html.charAt(at) !== ">") {
    const name = match(ATTRIBUTE_NAME, html, at);
    at += name.length;
    const equals = match(EQUALS, html, at);
    at += equals.length;
    const value = equals === "" ? { text: "", end: at } : readValue(html, at);
    attributes.push([name.toLowerCase(), value.text]);
    at = value.end + match(BETWEEN, html, value.end).length;
  }
  return { attributes, end: at + 1 };
}

function readValue(html: string, at: number): { readonly text: string; readonly end: number } {
  const quote = html.charAt(at);
  if (quote !== '"' && quote !== "'") {
    const text = match(BARE_VALUE, html, at);
    return { text, end: at + text.length };
  }
  const close = html.indexOf(quote, at + 1);
  const end = close < 0 ? html.length : close;
  return { text: html.slice(at + 1, end), end: end + 1 };
}

/** The end of an element. `endless` avoids a second search for a missing end. */
function endOf(html: string, { name, end }: OpenToken, goesOn: boolean, endless: Set<string>): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  close.lastIndex = end;
  const found = endless.has(name) ? undefined : close.exec(html)?.index;
  if (found === undefined) endless.add(name);
  return found ?? (goesOn ? html.length : end);
}

/** The pattern matches every text, also the empty one. */
function match(pattern: RegExp, html: string, at: number): string {
  pattern.lastIndex = at;
  pattern.test(html);
  return html.slice(at, pattern.lastIndex);
}

/** Other tags are skipped, and their content stays. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...["a", "abbr", "b", "big", "br", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s"],
  ...["samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"],
  ...["address", "article", "aside", "blockquote", "center", "details", "div", "footer", "header", "hr", "main", "nav"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "section", "summary"],
  ...["dir", "dl", "dt", "dd", "li", "menu", "ol", "ul"],
  ...["caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"],
  ...["figcaption", "figure", "iframe", "img", "lite-youtube", "source", "video"],
]);

/**
 * Elements whose content is not text of the page. `true`: only their own end is a tag in them, and
 * without it they extend to the end (HTML standard 13.2.5); `false`: ignored without an end.
 */
export const SKIPPED: ReadonlyMap<string, boolean> = new Map([
  ...["iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp"].map(goesOn),
  ["noscript", false],
  ["select", false],
  ["template", false],
]);

/** Elements of the document's frame, which have no content to lose. */
export const FRAME: ReadonlySet<string> = new Set(["body", "head", "html", "link", "meta", "title", "style", "base"]);

export const LISTS: ReadonlySet<string> = new Set(["dir", "menu", "ol", "ul"]);

/** Elements without content. */
export const VOID: ReadonlySet<string> = new Set(["br", "col", "hr", "img", "source", "wbr"]);

/** Elements that continue after the end of their parent (HTML standard 13.2.4.3). */
export const FORMATTING: ReadonlySet<string> = new Set([
  ...["a", "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"],
]);

/** Allowed children of a table and of its rows. */
export const TABLE_PARTS: ReadonlySet<string> = new Set([
  ...["caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"],
]);

/** Elements that hold only table parts. */
export const TABLE_FRAMES: ReadonlySet<string> = new Set(["colgroup", "table", "tbody", "tfoot", "thead", "tr"]);

interface Ending {
  /** The open elements that end. */
  readonly ends: readonly string[];
  /** The outermost elements of the search. */
  readonly within: readonly string[];
}

const CELLS = ["td", "th", "caption"];
const PARAGRAPH: Ending = { ends: ["p"], within: ["table", ...CELLS] };
const ROW_PARTS: Ending = { ends: ["tr", ...CELLS], within: ["table"] };
const SECTIONS: Ending = { ends: ["tbody", "thead", "tfoot", "colgroup", "tr", ...CELLS], within: ["table"] };

/** Elements that a start tag closes (HTML standard 13.2.6.4.7 and the table modes after it). */
export const ENDINGS: ReadonlyMap<string, readonly Ending[]> = new Map<string, readonly Ending[]>([
  ...["address", "article", "aside", "blockquote", "center", "details", "div", "dir", "dl", "figure", "footer"].map(
    ends,
  ),
  ...["header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "ul", "table"].map(ends),
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map(ends),
  ["li", [PARAGRAPH, { ends: ["li"], within: ["ul", "ol", "menu", "dir", "table", ...CELLS] }]],
  ["dt", [PARAGRAPH, { ends: ["dt", "dd"], within: ["dl", "table", ...CELLS] }]],
  ["dd", [PARAGRAPH, { ends: ["dt", "dd"], within: ["dl", "table", ...CELLS] }]],
  ["a", [{ ends: ["a"], within: ["table", ...CELLS] }]],
  ["td", [{ ends: CELLS, within: ["table"] }]],
  ["th", [{ ends: CELLS, within: ["table"] }]],
  ["tr", [ROW_PARTS]],
  ["tbody", [SECTIONS]],
  ["thead", [SECTIONS]],
  ["tfoot", [SECTIONS]],
  ["colgroup", [SECTIONS]],
  ["caption", [SECTIONS]],
]);

function goesOn(name: string): [string, boolean] {
  return [name, true];
}

function ends(name: string): [string, readonly Ending[]] {
  return [name, [PARAGRAPH]];
}

/** Decodes the character references of an attribute value. */
export function decodeHtml(written: string): string {
  if (!written.includes("&")) return written;
  const { children } = fromHtml(`<i title="${written.replaceAll('"', "&quot;")}">`, { fragment: true });
  return children
    .filter((child): child is Element => child.type === "element")
    .map(({ properties }) => String(properties["title"]))
    .join("");
}
