const BLANKS = " \t\n";

/** Counts by hand, since a pattern from the end would try each run inside. */
export function blanksAtStart(value: string): number {
  let count = 0;
  while (count < value.length && BLANKS.includes(value.charAt(count))) count += 1;
  return count;
}

export function blanksAtEnd(value: string): number {
  let count = 0;
  while (count < value.length && BLANKS.includes(value.charAt(value.length - 1 - count))) count += 1;
  return count;
}

export function isBlank(value: string): boolean {
  return blanksAtStart(value) === value.length;
}
