/** A stretch of Markdown that is read without what stands before and behind it. */
export interface Chunk {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly start: number;
}

/** Characters after which a chunk ends where it may: the parser's time and memory grow faster than the text. */
const CHUNK_LENGTH = 8_000;

/**
 * Cuts Markdown where a block begins that nothing before it can be part of: behind a blank line, at the first column, with a
 * letter or a heading's sign, outside of code. The chunks together are the text. A text is one chunk where a part of it may
 * mean something elsewhere (definitions), or where code or HTML may stand that only the parser finds the end of.
 */
export function chunksOf(markdown: string): readonly Chunk[] {
  if (markdown.length <= CHUNK_LENGTH || UNCUT.test(markdown)) return [{ text: markdown, start: 0 }];
  const chunks: Chunk[] = [];
  let start = 0;
  let fence = "";
  let isBehindBlank = true;
  for (let at = 0; at < markdown.length; ) {
    const feed = markdown.indexOf("\n", at);
    const next = feed < 0 ? markdown.length : feed + 1;
    if (fence === "" && isBehindBlank && at - start >= CHUNK_LENGTH && BEGINS_BLOCK.test(markdown.charAt(at))) {
      chunks.push({ text: markdown.slice(start, at), start });
      start = at;
    }
    fence = fenceBehind(fence, markdown, at);
    isBehindBlank = isBlank(markdown, at, next);
    at = next;
  }
  return [...chunks, { text: markdown.slice(start), start }];
}

const BEGINS_BLOCK = /[\p{L}#]/u;

/**
 * A definition of a link or footnote, wherever it stands; a fence that is indented or stands in a quote or item; HTML that goes
 * on behind a blank line, unless it ends on its line.
 */
const UNCUT =
  /^[ \t>*+.)\d-]*\[[^\]\n]*\]:|^[ \t>*+.)\d-]+(?:```|~~~)|^[ \t>*+.)\d-]*<(?:!--(?!.*-->)|\?|![A-Z[]|(?:script|pre|style|textarea)\b)/im;

const FENCE = /(`{3,}|~{3,})([^\n]*)/y;

/** What closes the code that the next line stands in; "" outside. */
function fenceBehind(fence: string, markdown: string, at: number): string {
  FENCE.lastIndex = at;
  const [, marks = "", info = ""] = FENCE.exec(markdown) ?? [];
  if (marks === "") return fence;
  if (fence === "") return marks.startsWith("`") && info.includes("`") ? "" : marks;
  return marks.startsWith(fence) && info.trim() === "" ? "" : fence;
}

function isBlank(markdown: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!" \t\r\n".includes(markdown.charAt(at))) return false;
  return true;
}
