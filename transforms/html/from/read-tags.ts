/** A piece of HTML as the tokenizer of the HTML standard sees it, but for `<![CDATA[…]]>`, which is text; comments and declarations are none. */
export type Token = TextToken | OpenToken | CloseToken;

/** Characters between tags, with their character references as they stand. */
export interface TextToken {
  readonly type: "text";
  readonly value: string;
}

export interface OpenToken {
  readonly type: "open";
  /** Lower case. */
  readonly name: string;
  /** In order, values with their character references as they stand; a name may come twice. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly start: number;
  readonly end: number;
}

export interface CloseToken {
  readonly type: "close";
  readonly name: string;
}

/**
 * Cuts HTML into tokens by the rules of the HTML standard (13.2.5), never going back, so that any string takes time in
 * proportion to its length. What is inside of `skipped` elements, which is no text of the page, is left out.
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

/** What XML calls characters is a comment in HTML; but pages of wikis are pasted with their code in it. */
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

/** A tag that the end of the text cuts off is none. */
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

/** `end` is behind the bracket that closes the tag, or behind the text when there is none. */
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

/** Where the element that begins with a tag is over. `endless` keeps that none is looked for twice where there is none. */
function endOf(html: string, { name, end }: OpenToken, goesOn: boolean, endless: Set<string>): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  close.lastIndex = end;
  const found = endless.has(name) ? undefined : close.exec(html)?.index;
  if (found === undefined) endless.add(name);
  return found ?? (goesOn ? html.length : end);
}

/** The pattern takes any text, if need be none of it. */
function match(pattern: RegExp, html: string, at: number): string {
  pattern.lastIndex = at;
  pattern.test(html);
  return html.slice(at, pattern.lastIndex);
}
