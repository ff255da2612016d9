/** Depth of quotations and lists, the line included; the parser's time grows with its cube. */
const DEEPEST_CONTAINER = 32;

/** The work grows with the square of marks in a paragraph and of nested items in a list. */
const MOST_WORK = 5_000_000;

/**
 * Lines of one list, quotation, table or code block with its surroundings. The parser keeps some
 * kilobytes for each line until the end of the chunk.
 */
export const MOST_LINES = 4_000;

/** Any quote or item that a line begins: `> - 1. `. */
const CONTAINER = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s))/y;

/** Markers without a backslash, for which the parser tries all earlier ones as partner. */
const MARKERS = /(?<!\\)(?:[*_]+|~+|<[!?]|\])/g;

/**
 * Whether a chunk takes the Markdown parser superlinear time, overflows a stack, or has more lines
 * than fit into memory. Texts that people write stay below.
 */
export function isCostly(markdown: string): boolean {
  const text: TextState = {
    ...{ open: [], nested: 0, markers: 0, signs: 0, work: 0, inTable: false, fence: "", hasHtml: false },
    ...{ lines: 0, inContainer: false, isBehindBlank: true },
  };
  const lines = markdown.split("\n");
  if (lines.length > MOST_LINES) return true;
  return lines.some((line) => {
    const { count, indent } = containersOf(line);
    followLines(text, line, count > 0);
    followMarks(text, line, count > 0);
    if (count > 0) followItems(text, indent);
    else if (indent === 0 && line !== "") text.nested = 0;
    return text.open.length + count > DEEPEST_CONTAINER || text.work > MOST_WORK;
  });
}

interface TextState {
  /** Indentation of each item that can be open. */
  readonly open: number[];
  /** Items of inner lists in the list around a line. */
  nested: number;
  /** In the paragraph of a line. */
  markers: number;
  /** Characters that are not letters to the parser, in the paragraph of a line. */
  signs: number;
  work: number;
  lines: number;
  /** Whether a line without the mark of a quote or item can continue one. */
  inContainer: boolean;
  isBehindBlank: boolean;
  inTable: boolean;
  /** The end of the current code block; "" outside. */
  fence: string;
  /** A fence can be part of HTML and then hides nothing. */
  hasHtml: boolean;
}

/** Lines and events that the parser moves or searches again for each of these lines. */
const MOVED_A_LINE = 4;

/** Turns the line before it into a heading. */
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/** The parser searches earlier lines for underlined headings, quotations and lazy continuations. */
function followLines(text: TextState, line: string, beginsContainer: boolean): void {
  text.lines += 1;
  if (text.fence !== "" && !text.hasHtml) return;
  const isBlank = line.trim() === "";
  const isLazy = text.inContainer && !isBlank && !beginsContainer;
  const isQuote = text.isBehindBlank && /^[ \t]*>/.test(line);
  if (isLazy || isQuote || UNDERLINE.test(line)) text.work += MOVED_A_LINE * text.lines;
  text.inContainer = !isBlank && (beginsContainer || text.inContainer);
  text.isBehindBlank = isBlank;
}

/** The parser joins adjacent pieces of text and moves all pieces after them. */
const SIGNS = /[\\[\]|!&<`:@_*~]/g;

/** Pieces that cost as much as one marker. */
const CHEAPER_SIGNS = 20;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Neighbouring repetitions take different characters, since a line can be very long. */
const TABLE_HEAD = /^[ \t>]*(?:[|:][ \t:]*)?-[ \t:|-]*$/;

function followMarks(text: TextState, line: string, beginsContainer: boolean): void {
  const [, fence = ""] = FENCE.exec(line) ?? [];
  text.hasHtml ||= text.fence === "" && /^ {0,3}</.test(line);
  if (text.fence !== "" && !text.hasHtml) {
    text.fence = fence.startsWith(text.fence) ? "" : text.fence;
    return;
  }
  text.fence = fence;
  const isBlank = line.trim() === "";
  text.inTable = !isBlank && (text.inTable || TABLE_HEAD.test(line));
  const goesOn = !(isBlank || beginsContainer || text.inTable);
  const before = goesOn ? text.markers : 0;
  text.markers = before + (line.match(MARKERS)?.length ?? 0);
  text.work += text.markers ** 2 - before ** 2;
  const signsBefore = goesOn ? text.signs : 0;
  text.signs = signsBefore + (line.match(SIGNS)?.length ?? 0);
  text.work += (text.signs ** 2 - signsBefore ** 2) / CHEAPER_SIGNS;
}

function followItems(text: TextState, indent: number): void {
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
