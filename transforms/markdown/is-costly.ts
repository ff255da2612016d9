/** Quotes and lists in each other; the time that the Markdown parser takes grows with the cube of it. */
const DEEPEST_CONTAINER = 32;

/** The parser's work, which grows with the square of the marks in a paragraph and of the nested items in a list. */
const MOST_WORK = 5_000_000;

/** Any quote or item that a line begins: `> - 1. `. */
const CONTAINER = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s))/y;

/** What the parser looks for a partner for by trying all others before it, if no backslash is before it. */
const MARKERS = /(?<!\\)(?:[*_]+|~+|<[!?]|\])/g;

/**
 * Whether a text would take the Markdown parser far more time than in proportion to its length, or nest deeper than a stack. No
 * text that a person writes is like that.
 */
export function isCostly(markdown: string): boolean {
  const text: TextSoFar = { open: [], nested: 0, markers: 0, work: 0, inTable: false, fence: "", hasHtml: false };
  return markdown.split("\n").some((line) => {
    const { count, indent } = containersOf(line);
    followMarks(text, line, count > 0);
    if (count > 0) followItems(text, indent);
    else if (indent === 0 && line !== "") text.nested = 0;
    return text.open.length + count > DEEPEST_CONTAINER || text.work > MOST_WORK;
  });
}

interface TextSoFar {
  /** Where the items begin that may be open, by their indentation. */
  readonly open: number[];
  /** Items of inner lists in the list that a line belongs to. */
  nested: number;
  /** In the paragraph that a line belongs to. */
  markers: number;
  work: number;
  inTable: boolean;
  /** What closes the code that a line stands in; "" outside. */
  fence: string;
  /** Where there is HTML, a fence may be part of it and hide nothing. */
  hasHtml: boolean;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** No two neighbouring repetitions take the same character: a line may be as long as the text. */
const TABLE_HEAD = /^[ \t>]*(?:[|:][ \t:]*)?-[ \t:|-]*$/;

function followMarks(text: TextSoFar, line: string, beginsContainer: boolean): void {
  const [, fence = ""] = FENCE.exec(line) ?? [];
  text.hasHtml ||= text.fence === "" && /^ {0,3}</.test(line);
  if (text.fence !== "" && !text.hasHtml) {
    text.fence = fence.startsWith(text.fence) ? "" : text.fence;
    return;
  }
  text.fence = fence;
  const isBlank = line.trim() === "";
  text.inTable = !isBlank && (text.inTable || TABLE_HEAD.test(line));
  const before = isBlank || beginsContainer || text.inTable ? 0 : text.markers;
  text.markers = before + (line.match(MARKERS)?.length ?? 0);
  text.work += text.markers ** 2 - before ** 2;
}

function followItems(text: TextSoFar, indent: number): void {
  while ((text.open.at(-1) ?? -1) >= indent) text.open.pop();
  text.open.push(indent);
  if (indent === 0) return;
  text.work += 2 * text.nested + 1;
  text.nested += 1;
}

function containersOf(line: string): { readonly count: number; readonly indent: number } {
  let count = 0;
  CONTAINER.lastIndex = 0;
  while (CONTAINER.test(line)) count += 1;
  return { count, indent: line.search(/[^ \t]|$/) };
}
