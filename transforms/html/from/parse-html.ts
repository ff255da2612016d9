import type { Element, Root } from "hast";
import { fromHtml as parse } from "hast-util-from-html";
import { DEEPEST_LIST } from "../../wiki/parse/blocks.js";
import type { Place } from "./conversion.js";
import {
  ENDINGS,
  FORMATTING,
  FRAME,
  KNOWN,
  LISTS,
  type OpenToken,
  readTags,
  SKIPPED,
  TABLE_FRAMES,
  TABLE_PARTS,
  type Token,
  VOID,
} from "./tags.js";

interface ParsedHtml {
  /** Each is parsed on demand. */
  readonly trees: Iterable<HtmlTree>;
  readonly skippedTags: readonly SkippedTag[];
}

export interface HtmlTree {
  readonly root: Root;
  /** The place of the element's tag; 0 for an implied element, such as a row around cells. */
  readonly placeOf: (element: Element) => Place;
}

/**
 * Parses any string in linear time. Orders tags first, since the standard's tree building takes
 * quadratic time, or overflows the stack, for hostile HTML.
 */
export function parseHtml(html: string): ParsedHtml {
  const { pieces, skippedTags } = nestTags(readTags(html, SKIPPED));
  return { trees: treesOf(pieces), skippedTags };
}

function* treesOf(pieces: readonly Piece[]): Iterable<HtmlTree> {
  for (const { html, places } of pieces) {
    const placeOf: HtmlTree["placeOf"] = ({ position }) => places.get(position?.start.offset ?? -1) ?? BEGINNING;
    yield { root: parse(html, { fragment: true }), placeOf };
  }
}

const BEGINNING: Place = { start: 0, end: 0 };

/** The first skipped tag of a name. */
export interface SkippedTag {
  readonly name: string;
  readonly reason: "unknown" | "too-deep";
  readonly start: number;
  readonly end: number;
}

interface Nested {
  readonly pieces: readonly Piece[];
  readonly skippedTags: readonly SkippedTag[];
}

interface Piece {
  /** HTML in which each element ends inside of its parent. */
  readonly html: string;
  /** Original places of tags by their places in `html`. */
  readonly places: ReadonlyMap<number, Place>;
}

/** Characters after which a piece ends, which bounds the memory for trees. */
const PIECE_LENGTH = 20_000;

/** Bounds the recursion of readers of the tree; real pages stay below. */
const DEEPEST = 100;

/**
 * Writes tokens so that any HTML parser reads them in linear time: nested properly, not too deep,
 * without unknown elements and attributes. Adds omitted end tags by the HTML standard.
 */
function nestTags(tokens: readonly Token[]): Nested {
  const nesting: Nesting = {
    pieces: [],
    endsInReference: false,
    html: "",
    first: "",
    places: new Map(),
    open: [],
    skippedTags: new Map(),
  };
  for (const token of tokens) {
    if (token.type === "text") writeText(nesting, token.value);
    else if (token.type === "close") closeNamed(nesting, token.name);
    else openElement(nesting, token);
  }
  closeFrom(nesting, 0);
  endPiece(nesting);
  return { pieces: nesting.pieces, skippedTags: [...nesting.skippedTags.values()] };
}

/** A removed tag between two texts still ends a character reference. */
function writeText(nesting: Nesting, value: string): void {
  const runsOn = nesting.endsInReference && /^[#;\w]/.test(value);
  nesting.html += (runsOn ? "<!---->" : "") + value.replaceAll("<", "&lt;");
  nesting.endsInReference = REFERENCE.test(value);
}

/** A character reference without its end. The longest name has 31 characters. */
const REFERENCE = /&#?\w{0,40}$/;

interface Nesting {
  readonly pieces: Piece[];
  /** Whether the last text can end in a partial character reference. */
  endsInReference: boolean;
  html: string;
  /** Name of the tag that the piece begins with; "" if it begins with text. */
  first: string;
  places: Map<number, Place>;
  readonly open: OpenToken[];
  readonly skippedTags: Map<string, SkippedTag>;
}

function openElement(nesting: Nesting, token: OpenToken): void {
  if (!KNOWN.has(token.name)) {
    if (!FRAME.has(token.name)) leaveOut(nesting, token, "unknown");
    return;
  }
  endBefore(nesting, token.name);
  const parent = nesting.open.at(-1)?.name ?? "";
  // Parsers move such elements before the table one by one, and search for its place each time.
  if (TABLE_FRAMES.has(parent) && !TABLE_PARTS.has(token.name)) return;
  if (FORMATTING.has(token.name) && nesting.open.some(({ name }) => name === token.name)) return;
  if (nesting.open.length >= DEEPEST || isTooDeepList(nesting, token)) leaveOut(nesting, token, "too-deep");
  else write(nesting, token);
}

/** A list deeper than those of wiki text continues in its parent. */
function isTooDeepList({ open }: Nesting, { name }: OpenToken): boolean {
  return LISTS.has(name) && open.filter((each) => LISTS.has(each.name)).length >= DEEPEST_LIST;
}

function leaveOut({ skippedTags }: Nesting, { name, start, end }: OpenToken, reason: SkippedTag["reason"]): void {
  const key = `${reason} ${name}`;
  if (!skippedTags.has(key)) skippedTags.set(key, { name, reason, start, end });
}

function write(nesting: Nesting, token: OpenToken): void {
  // A parser reads parts of a table outside of one only at the beginning of a text.
  const mayBegin = nesting.open.length === 0 && (!TABLE_PARTS.has(token.name) || areAlike(nesting.first, token.name));
  if (mayBegin && nesting.html.length > PIECE_LENGTH) endPiece(nesting);
  if (nesting.html === "") nesting.first = token.name;
  nesting.places.set(nesting.html.length, token);
  nesting.html += startTag(token);
  if (VOID.has(token.name)) return;
  if (SKIPPED.has(token.name)) nesting.html += `</${token.name}>`;
  else nesting.open.push(token);
}

const CELLS: ReadonlySet<string> = new Set(["td", "th"]);

/** Only cells, or only rows, since the piece began: the next piece begins with one too. */
function areAlike(first: string, name: string): boolean {
  return CELLS.has(name) ? CELLS.has(first) : name === "tr" && first === "tr";
}

function endPiece(nesting: Nesting): void {
  nesting.pieces.push({ html: nesting.html, places: nesting.places });
  nesting.html = "";
  nesting.first = "";
  nesting.places = new Map();
}

const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["alt", "class", "colspan", "dir", "href", "id", "lang", "poster", "rowspan", "src", "start", "style", "target"],
  ...["title", "videoid"],
  ...["data-imageid", "data-tags", "data-type", "data-videoid"],
]);

function startTag({ name, attributes }: OpenToken): string {
  if (attributes.length === 0) return `<${name}>`;
  const kept = attributes.filter(([key]) => ATTRIBUTES.has(key)).map(([key, value]) => ` ${key}="${quoted(value)}"`);
  return `<${name}${kept.join("")}>`;
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

/** Ignores an end without a beginning. */
function closeNamed(nesting: Nesting, name: string): void {
  const at = nesting.open.findLastIndex((each) => each.name === name);
  if (at >= 0) closeAt(nesting, at);
}

/** Closes an element and its children. Formatting continues, except after a table or its parts. */
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
