/** Counts when requests went out, second by second of the clock; small, however long that goes on. */
export interface StartCounts {
  /** UNIX milliseconds. */
  note(startedAt: number): void;
  /** How many went out in each of the last seconds (UNIX seconds) in which some did. */
  seconds(): ReadonlyMap<number, number>;
}

/** Whoever looks does so every second; one that was busy for longer than this misses some. */
const KEPT = 300;

export function createStartCounts(): StartCounts {
  const counts = new Map<number, number>();
  return {
    note: (startedAt) => {
      const second = Math.floor(startedAt / 1000);
      counts.set(second, (counts.get(second) ?? 0) + 1);
      const [oldest] = counts.keys();
      if (counts.size > KEPT && oldest !== undefined) counts.delete(oldest);
    },
    seconds: () => new Map(counts),
  };
}
