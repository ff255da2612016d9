/** Begins to count. `workOf` runs a function and returns its work; `stop` ends the counting. */
export function countWork(): Promise<{
  workOf(run: () => unknown): Promise<number>;
  stop(): Promise<void>;
}>;
