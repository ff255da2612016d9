/** Characters shown before the first difference. */
const LEAD = 40;

/** Pieces of both texts, of at most `length` characters, that show their first difference. */
export function aroundDifference(one: string, other: string, length: number): readonly [string, string] {
  const from = placeToBegin(one, other, length);
  return [piece(one, from, length), piece(other, from, length)];
}

function placeToBegin(one: string, other: string, length: number): number {
  const first = firstDifference(one, other);
  // Near the beginning, both pieces start at the beginning and show what follows the difference.
  if (first < length - LEAD || Math.max(one.length, other.length) <= length) return 0;
  const from = first - LEAD;
  return isInsideCharacter(one, from) ? from - 1 : from;
}

function firstDifference(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) if (one.charCodeAt(at) !== other.charCodeAt(at)) return at;
  return shorter;
}

function piece(text: string, from: number, length: number): string {
  const to = from + length - (isInsideCharacter(text, from + length) ? 1 : 0);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function isInsideCharacter(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1))
  );
}

/** Most steps to compare two texts, times a thousand: about half a second. */
const STEPS = 1_000_000;
const ALWAYS = 1000;

/**
 * Most edits for a comparison by line: the time grows with the square of their number, or with
 * their number times the shorter text if that is less.
 */
export function maxEditLength(before: number, after: number): number {
  return Math.max(ALWAYS, Math.floor(STEPS / (1 + Math.min(before, after))));
}

/** Common elements at the beginnings, and at the ends after these. */
export function commonEnds(before: readonly string[], after: readonly string[]): readonly [start: number, end: number] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [start, end];
}
