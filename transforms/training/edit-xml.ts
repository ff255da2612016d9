/** A manifest's text on its way to what stands in the package afterwards. */
export interface ManifestText {
  /** As written, line ends too, with what was mended already. */
  readonly text: string;
  /** As TextDecoder names it. */
  readonly encoding: string;
  /** Does the file begin with UTF-8's byte order mark? */
  readonly hasMark: boolean;
  /** The encoding is not what the declaration says. */
  readonly isMisdeclared: boolean;
  /** White space stands before the declaration. */
  readonly isLate: boolean;
  /** Is the text another one than the file's? */
  readonly isChanged: boolean;
}

const DECLARED = /^(<\?xml\s[^>]*?\bencoding\s*=\s*)(["'])[^"'>]*\2/;

/**
 * The file's new bytes; undefined: it stays as it is. Where anything changes it becomes UTF-8, as
 * all systems read, and its declaration says so; nothing else is touched.
 */
export function rewriteManifest(manifest: ManifestText, edits: readonly XmlEdit[]): Uint8Array | undefined {
  const text = editXml(manifest.text, edits);
  if (text === manifest.text && !manifest.isChanged && !manifest.isMisdeclared && !manifest.isLate) return undefined;
  const isUtf8 = manifest.encoding === "utf-8" && !manifest.isMisdeclared;
  // Behind the edits, whose places count from the file's first line.
  const begun = manifest.isLate ? text.trimStart() : text;
  const declared = isUtf8 ? begun : begun.replace(DECLARED, "$1$2UTF-8$2");
  return new TextEncoder().encode(manifest.hasMark ? `\ufeff${declared}` : declared);
}

/**
 * A change of one attribute's value as it is written, between its quotes, or of the text that an
 * element begins with.
 */
export interface XmlEdit {
  /** Where the element's `<` stands, as the gate has it. */
  readonly line: number;
  readonly column: number;
  /** As written, with its prefix; null: the text. */
  readonly attribute: string | null;
  change(written: string): string;
}

const ASIDE_OR_TAG = /<!--|<!\[CDATA\[|<\?|<[^/!?]/g;
const ENDS: ReadonlyMap<string, string> = new Map([
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
]);
const NAME = /[^\s/>]+/y;
const CONTENT = /(\s*>)([^<]*)/y;
const ATTRIBUTE = /(\s+)([^\s=<>/]+)(\s*=\s*)("[^"]*"|'[^']*')/y;

/** A well-formed XML text with some values changed, and every other character as it was. Linear. */
function editXml(text: string, edits: readonly XmlEdit[]): string {
  if (edits.length === 0) return text;
  const byPlace = grouped(edits);
  const cursor = new LineCursor(text);
  const pieces: string[] = [];
  let kept = 0;
  ASIDE_OR_TAG.lastIndex = 0;
  for (let stop = ASIDE_OR_TAG.exec(text); stop !== null; stop = ASIDE_OR_TAG.exec(text)) {
    const end = ENDS.get(stop[0]);
    if (end !== undefined) {
      const closed = text.indexOf(end, ASIDE_OR_TAG.lastIndex);
      if (closed < 0) break;
      ASIDE_OR_TAG.lastIndex = closed + end.length;
      continue;
    }
    const wanted = byPlace.get(placeKey(cursor.placeAt(stop.index)));
    if (wanted === undefined) continue;
    const { at, changed } = changeTag(text, stop.index + 1, wanted);
    pieces.push(text.slice(kept, stop.index + 1), changed);
    kept = at;
    ASIDE_OR_TAG.lastIndex = at;
  }
  return pieces.join("") + text.slice(kept);
}

function grouped(edits: readonly XmlEdit[]): ReadonlyMap<string, readonly XmlEdit[]> {
  const groups = new Map<string, XmlEdit[]>();
  for (const edit of edits) {
    const group = groups.get(placeKey(edit)) ?? [];
    groups.set(placeKey(edit), group);
    group.push(edit);
  }
  return groups;
}

function placeKey({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

/**
 * A tag from its name to its last attribute, or to the end of the text behind it where that
 * changes.
 */
function changeTag(
  text: string,
  start: number,
  edits: readonly XmlEdit[],
): { readonly at: number; readonly changed: string } {
  NAME.lastIndex = start;
  const [name = ""] = NAME.exec(text) ?? [];
  let changed = name;
  let at = start + name.length;
  ATTRIBUTE.lastIndex = at;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, blank = "", attribute = "", equals = "", quoted = ""] = found;
    changed +=
      blank +
      attribute +
      equals +
      quoted.charAt(0) +
      changeValue(quoted.slice(1, -1), attribute, edits) +
      quoted.charAt(0);
    at = ATTRIBUTE.lastIndex;
  }
  if (edits.every((edit) => edit.attribute !== null)) return { at, changed };
  CONTENT.lastIndex = at;
  const [, end = "", words = ""] = CONTENT.exec(text) ?? [];
  return { at: at + end.length + words.length, changed: changed + end + changeValue(words, null, edits) };
}

function changeValue(written: string, attribute: string | null, edits: readonly XmlEdit[]): string {
  return edits.filter((edit) => edit.attribute === attribute).reduce((value, edit) => edit.change(value), written);
}

export interface Escaped {
  readonly text: string;
  /** Where a `&` stood bare, in the text as given, the first ones only; both from 1. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
  readonly count: number;
}

const PLACES = 1000;
/** Pieces that are joined on the way: millions of them would take hundreds of megabytes. */
const PIECES = 4096;

/**
 * What no reference of XML begins with (XML 1.0, 4.1); one to an unknown entity stays as it is, and
 * is refused by the gate.
 */
const REFERENCE = /&(?:[A-Za-z_:][\w.:-]*|#[0-9]+|#x[0-9a-fA-F]+);/y;
const ASIDE_OR_AMPERSAND = /<!--|<!\[CDATA\[|<\?|&/g;

/**
 * Writes `&amp;` for each bare `&` of an XML text, outside of comments, CDATA sections and
 * instructions. Linear.
 */
export function escapeAmpersands(text: string): Escaped {
  const cursor = new LineCursor(text);
  const places: { readonly line: number; readonly column: number }[] = [];
  const pieces: string[] = [];
  let kept = 0;
  let count = 0;
  let done = "";
  ASIDE_OR_AMPERSAND.lastIndex = 0;
  for (let stop = ASIDE_OR_AMPERSAND.exec(text); stop !== null; stop = ASIDE_OR_AMPERSAND.exec(text)) {
    const [opening] = stop;
    const end = ENDS.get(opening);
    if (end !== undefined) {
      const closed = text.indexOf(end, stop.index + opening.length);
      if (closed < 0) break;
      ASIDE_OR_AMPERSAND.lastIndex = closed + end.length;
      continue;
    }
    REFERENCE.lastIndex = stop.index;
    if (REFERENCE.test(text)) continue;
    count += 1;
    if (places.length < PLACES) places.push(cursor.placeAt(stop.index));
    if (pieces.length > PIECES) done += pieces.splice(0).join("");
    pieces.push(text.slice(kept, stop.index), "&amp;");
    kept = stop.index + 1;
  }
  return { text: count === 0 ? text : done + pieces.join("") + text.slice(kept), places, count };
}

/**
 * Lines and columns of offsets that only grow, both from 1; a line ends as XML has it: LF, CR LF or
 * CR (XML 1.0, 2.11).
 */
class LineCursor {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;
  #nextEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextEnd = endOfLine(text, 0);
  }

  placeAt(at: number): { readonly line: number; readonly column: number } {
    while (this.#nextEnd < at) {
      const isPair = this.#text.startsWith("\r\n", this.#nextEnd);
      this.#lineStart = this.#nextEnd + (isPair ? 2 : 1);
      this.#line += 1;
      this.#nextEnd = endOfLine(this.#text, this.#lineStart);
    }
    return { line: this.#line, column: at - this.#lineStart + 1 };
  }
}

const LINE_END = /[\r\n]/g;

function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}
