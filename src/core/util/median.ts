/** The one in the middle; of two the higher. 0 for none. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
