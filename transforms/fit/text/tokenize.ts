import { atomsOf } from "./atoms.js";
import { markerAt } from "./marks.js";
import { pairMarks, type RawToken, type Token } from "./token.js";

// The language only chooses between dictionaries for text without spaces; a fixed one keeps the result the same everywhere.
const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });
const WORDS = new Intl.Segmenter("en", { granularity: "word" });

/** Wiki text as tokens: macros, links and addresses whole, markers paired, all else character by character. */
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

/** Plain text as tokens: nothing in it is markup. */
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

/** Where characters end, as readers see them. */
function endsOf(text: string): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const { index, segment } of segmentsOf(CHARACTERS, text)) ends.add(index + segment.length);
  return ends;
}

/** Where words begin. */
function wordsOf(text: string): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const { index, isWordLike } of segmentsOf(WORDS, text)) if (isWordLike) starts.add(index);
  return starts;
}

/** What is segmented at once: each step of a segmenter takes time in proportion to the whole text that it was given. */
const WINDOW = 512;

/** Segments this close to the end of a window may go on behind it. */
const UNSURE = 64;

interface Segment {
  readonly index: number;
  readonly segment: string;
  readonly isWordLike: boolean;
}

/** The segments of a text, window by window; each window begins where a segment ends. */
function* segmentsOf(segmenter: Intl.Segmenter, text: string): Generator<Segment> {
  for (let from = 0, length = WINDOW; from < text.length; ) {
    const sure = from + length >= text.length ? text.length : from + length - UNSURE;
    const begun = from;
    for (const { index, segment, isWordLike } of segmenter.segment(text.slice(begun, begun + length))) {
      if (begun + index + segment.length > sure) break;
      from = begun + index + segment.length;
      yield { index: begun + index, segment, isWordLike: isWordLike === true };
    }
    length = from === begun ? length * 2 : WINDOW;
  }
}
