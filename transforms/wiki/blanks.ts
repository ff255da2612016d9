const BLANKS = " \t\n";

/**
 * How many blanks and line ends a text begins with. By hand, since a pattern from the end would try
 * each run inside.
 */
export function blanksAtStart(value: string): number {
  let count = 0;
  while (count < value.length && BLANKS.includes(value.charAt(count))) count += 1;
  return count;
}

/** How many blanks and line ends a text ends with. */
export function blanksAtEnd(value: string): number {
  let count = 0;
  while (count < value.length && BLANKS.includes(value.charAt(value.length - 1 - count))) count += 1;
  return count;
}

/** Whether a text shows nothing. */
export function isBlank(value: string): boolean {
  return blanksAtStart(value) === value.length;
}
