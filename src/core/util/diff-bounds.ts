/** Steps that comparing two texts may take, times a thousand: about half a second. */
const STEPS = 1_000_000;
const ALWAYS = 1000;

/**
 * Up to how many lines that came and went two texts are compared line by line. The time grows with their number times itself, or times the shorter text
 * where that is less: so what is put into a short text at one place is no trouble, however long it is.
 */
export function maxEditLength(before: number, after: number): number {
  return Math.max(ALWAYS, Math.floor(STEPS / (1 + Math.min(before, after))));
}

/** How many elements two lists have in common at their beginnings, and at their ends behind that. */
export function commonEnds(before: readonly string[], after: readonly string[]): readonly [start: number, end: number] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [start, end];
}
