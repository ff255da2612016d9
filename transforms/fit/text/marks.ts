/** The inline marks of wiki syntax (wiki-syntax 2.2). */
export type Mark = "bold" | "italic" | "underline" | "strike" | "superscript" | "subscript" | "code";

/** What opens a mark, and closes it as well. */
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

/** Bold and italic at once. */
const BOTH = "'''''";

const QUOTES = /'{2,}/y;
const OTHERS = /\+\+|~~|\^\^|,,|``/y;

/**
 * The marker at a position, or undefined. Runs of quotes that are no marker are read as wiki-syntax 7 advises: four are
 * a literal one and bold, six and more are bold and what remains.
 */
export function markerAt(text: string, at: number): string | undefined {
  const quotes = matchAt(QUOTES, text, at);
  if (quotes === undefined) return matchAt(OTHERS, text, at);
  if (quotes.length === 4) return undefined;
  return quotes.length > 5 ? MARKERS.bold : quotes;
}

/** The marks that a marker opens or closes. */
export function marksOf(marker: string): readonly Mark[] {
  return marker === BOTH ? ["bold", "italic"] : MARKS.filter((mark) => MARKERS[mark] === marker);
}

/** What opens these marks again, in their order. */
export function openers(marks: readonly Mark[]): string {
  return marks.map((mark) => MARKERS[mark]).join("");
}

/** What closes these marks, the last one first. */
export function closers(marks: readonly Mark[]): string {
  return openers(marks.toReversed());
}

/** What a sticky expression finds at a position. */
export function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}
