/** How starts follow each other. Times are milliseconds. */
export interface Spacing {
  /** Between two starts. */
  readonly interval: number;
  /** How far a start that came late may be caught up with: a burst has no more than fits into this. */
  readonly slack: number;
  /** Most starts in any span of `second`, also while something is caught up with. */
  readonly most: number;
  readonly second: number;
}

/** When the next start is due. `before`: when as many starts ago as fit into a second one left; undefined: there were not so many. */
export function nextStart(due: number, before: number | undefined, { second }: Spacing): number {
  return Math.max(due, before === undefined ? Number.NEGATIVE_INFINITY : before + second);
}

/**
 * When the start behind one of now is due. `waited`: the start was waited for, so what it is late by is caught up with as far as the slack
 * goes; else nothing was to be started before, and there is nothing to catch up with.
 */
export function dueAfter(due: number, now: number, waited: boolean, { interval, slack }: Spacing): number {
  const earliest = now - slack;
  return (due < earliest ? (waited ? earliest : now) : due) + interval;
}
