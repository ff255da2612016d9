/** Made at the first use: the dictionaries take 40 ms to load, and few runs cut a text. */
const SEGMENTERS = new Map<"grapheme" | "word", Intl.Segmenter>();

/**
 * The language selects dictionaries for text without spaces; a fixed one keeps results equal
 * everywhere.
 */
function segmenterOf(granularity: "grapheme" | "word"): Intl.Segmenter {
  const segmenter = SEGMENTERS.get(granularity) ?? new Intl.Segmenter("en", { granularity });
  SEGMENTERS.set(granularity, segmenter);
  return segmenter;
}

/** Macros, links and addresses are whole, markers paired, all else by character. */
export function tokenize(text: string): readonly Token[] {
  const atomAt = atomsOf(text);
  return pairMarks(
    read(text, (at) => {
      const atom = atomAt(at);
      if (atom !== undefined) return { kind: "atom", text: atom };
      const marker = markerAt(text, at);
      return marker === undefined ? undefined : { kind: "mark", text: marker };
    }),
  );
}

export function tokenizePlain(text: string): readonly Token[] {
  return pairMarks(read(text, () => undefined));
}

type Markup = Pick<RawToken, "kind" | "text">;

function read(text: string, markupAt: (at: number) => Markup | undefined): readonly RawToken[] {
  const ends = endsOf(text);
  const words = wordsOf(text);
  const tokens: RawToken[] = [];
  for (let at = 0; at < text.length; ) {
    const found = markupAt(at) ?? characterAt(text, at, ends);
    const begins = words.has(at) ? "word" : at === 0 || ends.has(at) ? "character" : "nothing";
    tokens.push({ ...found, at, begins });
    at += found.text.length;
  }
  return tokens;
}

function characterAt(text: string, at: number, ends: ReadonlySet<number>): Markup {
  let end = at + 1;
  while (!ends.has(end)) end += 1;
  const character = text.slice(at, end);
  return { kind: /^\s+$/.test(character) ? "space" : "text", text: character };
}

function endsOf(text: string): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const { index, segment } of segmentsOf(segmenterOf("grapheme"), text)) ends.add(index + segment.length);
  return ends;
}

function wordsOf(text: string): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const { index, isWordLike } of segmentsOf(segmenterOf("word"), text)) if (isWordLike) starts.add(index);
  return starts;
}

/** Each step of a segmenter takes time in proportion to its whole input. */
const WINDOW = 512;

/** Segments near the end of a window can continue after it. */
const UNSURE = 64;

interface Segment {
  readonly index: number;
  readonly segment: string;
  readonly isWordLike: boolean;
}

/** Each window begins where a segment ends. */
function* segmentsOf(segmenter: Intl.Segmenter, text: string): Generator<Segment> {
  for (let from = 0, length = WINDOW; from < text.length; ) {
    const sure = from + length >= text.length ? text.length : from + length - UNSURE;
    const start = from;
    for (const { index, segment, isWordLike } of segmenter.segment(text.slice(start, start + length))) {
      if (start + index + segment.length > sure) break;
      from = start + index + segment.length;
      yield { index: start + index, segment, isWordLike: isWordLike === true };
    }
    length = from === start ? length * 2 : WINDOW;
  }
}

export interface Token {
  readonly kind: "text" | "space" | "atom" | "mark";
  readonly text: string;
  readonly at: number;
  /** `nothing`: a combining sign after a marker. */
  readonly begins: "word" | "character" | "nothing";
  /** The open marks before it, in their order. */
  readonly open: readonly Mark[];
  readonly opens: readonly Mark[];
  readonly closes: readonly Mark[];
}

type RawToken = Pick<Token, "kind" | "text" | "at" | "begins">;

/** Pairs markers within blocks; others are text (wiki-syntax 7): 1/2'' of '''all''' rods */
function pairMarks(raw: readonly RawToken[]): readonly Token[] {
  const paired = partnersOf(raw);
  let open: readonly Mark[] = [];
  return raw.map((token, index) => {
    const marks = token.kind === "mark" ? marksOf(token.text).filter((mark) => paired.has(`${index} ${mark}`)) : [];
    const closes = marks.filter((mark) => open.includes(mark));
    const opens = marks.filter((mark) => !open.includes(mark));
    const kind = token.kind === "mark" && marks.length === 0 ? "text" : token.kind;
    const before = open;
    if (marks.length > 0) open = [...open.filter((mark) => !closes.includes(mark)), ...opens];
    return { ...token, kind, open: before, opens, closes };
  });
}

/** `index mark` of each paired marker. */
function partnersOf(raw: readonly RawToken[]): ReadonlySet<string> {
  const paired = new Set<string>();
  let waiting = new Map<Mark, number>();
  for (const [index, token] of raw.entries()) {
    if (endsBlock(raw, index)) waiting = new Map();
    if (token.kind !== "mark") continue;
    for (const mark of marksOf(token.text)) {
      const partner = waiting.get(mark);
      if (partner === undefined) waiting.set(mark, index);
      else paired.add(`${partner} ${mark}`).add(`${index} ${mark}`);
      if (partner !== undefined) waiting.delete(mark);
    }
  }
  return paired;
}

/** A paragraph ends at a blank line, a list item or heading at its line end. */
export function endsBlock(tokens: readonly RawToken[], index: number): boolean {
  if (!isLineEnd(tokens[index])) return false;
  let start = index;
  while (start > 0 && !isLineEnd(tokens[start - 1])) start -= 1;
  let next = index + 1;
  while (tokens[next]?.kind === "space" && !isLineEnd(tokens[next])) next += 1;
  return isLineEnd(tokens[next]) || isBlockSign(tokens[next]) || isBlockSign(tokens[start]);
}

export function isLineEnd(token: RawToken | undefined): boolean {
  return token?.text.includes("\n") === true && token.kind === "space";
}

function isBlockSign(token: RawToken | undefined): boolean {
  return token !== undefined && /^[*#=]/.test(token.text);
}

/** The inline marks of wiki syntax (wiki-syntax 2.2). */
type Mark = "bold" | "italic" | "underline" | "strike" | "superscript" | "subscript" | "code";

const MARKERS: Readonly<Record<Mark, string>> = {
  bold: "'''",
  italic: "''",
  underline: "++",
  strike: "~~",
  superscript: "^^",
  subscript: ",,",
  code: "``",
};

const MARKS = Object.keys(MARKERS) as readonly Mark[];

const BOTH = "'''''";

const QUOTES = /'{2,}/y;
const OTHERS = /\+\+|~~|\^\^|,,|``/y;

/** undefined: none. 4 quotes: literal and bold; 6 or more: bold and the rest (wiki-syntax 7). */
function markerAt(text: string, at: number): string | undefined {
  const quotes = matchAt(QUOTES, text, at);
  if (quotes === undefined) return matchAt(OTHERS, text, at);
  if (quotes.length === 4) return undefined;
  return quotes.length > 5 ? MARKERS.bold : quotes;
}

function marksOf(marker: string): readonly Mark[] {
  return marker === BOTH ? ["bold", "italic"] : MARKS.filter((mark) => MARKERS[mark] === marker);
}

export function openers(marks: readonly Mark[]): string {
  return marks.map((mark) => MARKERS[mark]).join("");
}

/** Closes marks in reverse order. */
export function closers(marks: readonly Mark[]): string {
  return openers(marks.toReversed());
}

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

/** Begins a block that may hold anything: `[code] … [/code]`. */
const CONTAINER = /\[(code|quote|summary)\b/y;

/** Brackets of an address or macro; others are plain text (wiki-syntax 7). */
const MACRO = /^\[(?:(?:https?|ftp|mailto):|\/|br\]|[^[\]|]*\|)/i;

/** An address ends at a space (wiki-syntax 3.3), a bracket, a pipe or two quotes. */
const ADDRESS = /(?:https?|ftp):\/\/(?:(?!'')[^\s[\]|])+/iy;

/** A macro, link, address or code. Positions must ascend; each stretch is searched once. */
function atomsOf(text: string): (at: number) => string | undefined {
  const ends = bracketEnds(text);
  const containers = containerEnds(text);
  return (at) => {
    if (text.charAt(at) !== "[") return addressAt(text, at);
    const container = containers(at);
    if (container !== undefined) return text.slice(at, container);
    const brackets = text.slice(at, ends(at));
    const isWikiLink = brackets.length >= 4 && brackets.startsWith("[[") && brackets.endsWith("]]");
    return isWikiLink || MACRO.test(brackets) ? brackets : undefined;
  };
}

/** Closing markers after an address are not part of it. */
function addressAt(text: string, at: number): string | undefined {
  const run = matchAt(ADDRESS, text, at);
  if (run === undefined) return undefined;
  const first = run.indexOf("://") + 3;
  let end = run.length;
  while (end - 2 > first && isMarker(run.slice(end - 2, end))) end -= 2;
  return run.slice(0, end);
}

function isMarker(pair: string): boolean {
  return ["++", "~~", "^^", ",,", "``"].includes(pair);
}

/** The end of a container that begins at a position; undefined: it is not closed. */
function containerEnds(text: string): (at: number) => number | undefined {
  const nextClose = nextOf(text, "]");
  const nextEnds = new Map(["code", "quote", "summary"].map((name) => [name, nextOf(text, `[/${name}]`)] as const));
  return (at) => {
    CONTAINER.lastIndex = at;
    const name = CONTAINER.exec(text)?.[1];
    const open = name === undefined ? -1 : nextClose(at);
    const close = name === undefined || open < 0 ? -1 : (nextEnds.get(name)?.(open + 1) ?? -1);
    return name === undefined || close < 0 ? undefined : close + name.length + 3;
  };
}

/** -1: none. Positions must ascend. */
function nextOf(text: string, searched: string): (from: number) => number {
  let found = text.indexOf(searched);
  return (from) => {
    if (found >= 0 && found < from) found = text.indexOf(searched, from);
    return found;
  };
}

/** After its partner, or after the first closing bracket if an inner one is not closed. */
function bracketEnds(text: string): (at: number) => number {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    const partner = bracket === "]" ? open.pop() : undefined;
    if (bracket === "[") open.push(index);
    if (partner !== undefined) partners.set(partner, index + 1);
  }
  const nextClose = nextOf(text, "]");
  return (at) => {
    const close = partners.has(at) ? -1 : nextClose(at);
    return partners.get(at) ?? (close < 0 ? at : close + 1);
  };
}
