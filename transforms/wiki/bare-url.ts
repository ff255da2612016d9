/**
 * The address that begins at `at` in running text. A blank ends it (real, wiki-syntax 3.3), so do brackets, pipes, quotes and
 * marks that come in pairs; closing punctuation is not part of it (advice of wiki-syntax 7).
 */
export function bareUrl(
  text: string,
  at: number,
): { readonly start: number; readonly end: number; readonly address: string } {
  // Up to the first mark, not to the blank behind it: what stands between may be read again, once for each address in it.
  END.lastIndex = at;
  const run = text.slice(at, END.exec(text)?.index ?? text.length);
  const address = withoutPunctuation(run);
  return { start: at, end: at + address.length, address };
}

const END = /[\s|[\]<>"]|''|\+\+|~~|\^\^|,,|``/g;
const PUNCTUATION = new Set(".,;:!?'*”’»…");

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
