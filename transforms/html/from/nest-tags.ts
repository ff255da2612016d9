import { DEEPEST_LIST } from "../../wiki/parse/item-lines.js";
import { ENDINGS, FORMATTING, FRAME, KNOWN, LISTS, SKIPPED, TABLE_FRAMES, TABLE_PARTS, VOID } from "./elements.js";
import type { OpenToken, Token } from "./read-tags.js";

/** A tag that was left out, the first of its name. */
export interface LeftOut {
  readonly name: string;
  readonly reason: "unknown" | "too-deep";
  readonly start: number;
  readonly end: number;
}

export interface Nested {
  /** HTML in which each element ends inside of the one that it began in; `data-at` is where its tag stood. */
  readonly html: string;
  readonly leftOut: readonly LeftOut[];
}

/** No page nests deeper for a reason; a reader of the tree can then recurse. */
const DEEPEST = 100;

/**
 * Writes tokens again so that any HTML parser reads them in time in proportion to their number: nested properly, not too
 * deep, and without unknown elements and attributes. Ends that authors leave out are set as the HTML standard sets them.
 */
export function nestTags(tokens: readonly Token[]): Nested {
  const nesting: Nesting = { html: "", open: [], leftOut: new Map() };
  for (const token of tokens) {
    if (token.type === "text") nesting.html += token.value.replaceAll("<", "&lt;");
    else if (token.type === "close") closeNamed(nesting, token.name);
    else openElement(nesting, token);
  }
  closeFrom(nesting, 0);
  return { html: nesting.html, leftOut: [...nesting.leftOut.values()] };
}

interface Nesting {
  html: string;
  readonly open: OpenToken[];
  readonly leftOut: Map<string, LeftOut>;
}

function openElement(nesting: Nesting, token: OpenToken): void {
  if (!KNOWN.has(token.name)) {
    if (!FRAME.has(token.name)) leaveOut(nesting, token, "unknown");
    return;
  }
  endBefore(nesting, token.name);
  const parent = nesting.open.at(-1)?.name ?? "";
  // Parsers move such elements in front of the table one by one, and look for its place each time.
  if (TABLE_FRAMES.has(parent) && !TABLE_PARTS.has(token.name)) return;
  if (FORMATTING.has(token.name) && nesting.open.some(({ name }) => name === token.name)) return;
  if (nesting.open.length >= DEEPEST || isTooDeepList(nesting, token)) leaveOut(nesting, token, "too-deep");
  else write(nesting, token);
}

/** A list that is deeper than wiki text can say goes on in the one around it. */
function isTooDeepList({ open }: Nesting, { name }: OpenToken): boolean {
  return LISTS.has(name) && open.filter((each) => LISTS.has(each.name)).length >= DEEPEST_LIST;
}

function leaveOut({ leftOut }: Nesting, { name, start, end }: OpenToken, reason: LeftOut["reason"]): void {
  const key = `${reason} ${name}`;
  if (!leftOut.has(key)) leftOut.set(key, { name, reason, start, end });
}

function write(nesting: Nesting, token: OpenToken): void {
  nesting.html += startTag(token);
  if (VOID.has(token.name)) return;
  if (SKIPPED.has(token.name)) nesting.html += `</${token.name}>`;
  else nesting.open.push(token);
}

const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["alt", "class", "href", "id", "poster", "src", "start", "target", "title", "videoid"],
  ...["data-imageid", "data-tags", "data-type", "data-videoid"],
]);

function startTag({ name, attributes, start, end }: OpenToken): string {
  const kept = attributes.filter(([key]) => ATTRIBUTES.has(key)).map(([key, value]) => ` ${key}="${quoted(value)}"`);
  return `<${name}${kept.join("")} data-at="${start}-${end}">`;
}

function quoted(value: string): string {
  return value.replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function endBefore(nesting: Nesting, name: string): void {
  for (const { ends, within } of ENDINGS.get(name) ?? []) {
    const at = nesting.open.findLastIndex((each) => ends.includes(each.name) || within.includes(each.name));
    const found = nesting.open[at];
    if (found !== undefined && ends.includes(found.name)) closeAt(nesting, at);
  }
}

/** An end without a beginning is nothing. */
function closeNamed(nesting: Nesting, name: string): void {
  const at = nesting.open.findLastIndex((each) => each.name === name);
  if (at >= 0) closeAt(nesting, at);
}

/** Ends an element and what is still open in it; formatting goes on behind it, unless a table or a part of one held it. */
function closeAt(nesting: Nesting, at: number): void {
  const closed = closeFrom(nesting, at);
  const table = closed.findIndex(({ name }) => name === "table" || TABLE_PARTS.has(name));
  for (const token of table < 0 ? closed.slice(1) : closed.slice(1, Math.max(table, 1))) reopen(nesting, token);
}

function reopen(nesting: Nesting, token: OpenToken): void {
  if (FORMATTING.has(token.name)) write(nesting, token);
}

function closeFrom(nesting: Nesting, at: number): readonly OpenToken[] {
  const closed = nesting.open.splice(at);
  for (const { name } of closed.toReversed()) nesting.html += `</${name}>`;
  return closed;
}
