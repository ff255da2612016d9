/** 1, 2, 4, 8, 16 … seconds, each between half and one and a half of it: what one outage cut must not come back all at once. */
export function waitWithJitter(failed: number): number {
  return 1000 * 2 ** (failed - 1) * (0.5 + Math.random());
}
