import type { Span } from "./reference.js";

/**
 * The URL that begins at `at` in running text. A blank ends it (real, wiki-syntax 3.3), so do brackets, pipes, quotes and
 * marks that come in pairs; closing punctuation is not part of it (advice of wiki-syntax 7).
 */
export function bareUrl(text: string, at: number): Span & { readonly address: string } {
  const run = runAt(text, at);
  const address = withoutPunctuation(run.slice(0, markIn(run)));
  return { start: at, end: at + address.length, address };
}

const RUN = /[^\s|[\]<>"]*/y;
const PAIRED_MARK = /''|\+\+|~~|\^\^|,,|``/;
const PUNCTUATION = new Set(".,;:!?'*”’»…");

function runAt(text: string, at: number): string {
  RUN.lastIndex = at;
  RUN.test(text);
  return text.slice(at, RUN.lastIndex);
}

function markIn(run: string): number {
  const mark = run.search(PAIRED_MARK);
  return mark < 0 ? run.length : mark;
}

/** A closing parenthesis belongs to the sentence unless the URL opens one: `(see …/Wiki/Saw)`, `…/Wiki/Saw_(tool)`. */
function withoutPunctuation(run: string): string {
  const opened = run.includes("(");
  let end = run.length;
  while (end > 0 && isOutside(run.charAt(end - 1), opened)) end -= 1;
  return run.slice(0, end);
}

function isOutside(character: string, opened: boolean): boolean {
  return PUNCTUATION.has(character) || (character === ")" && !opened);
}
