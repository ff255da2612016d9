/** What a run said on its way. */
export interface Said {
  /** UNIX milliseconds. */
  readonly at: number;
  readonly level: "warning" | "note";
  readonly text: string;
}

/** Keeps the last words of a run; small, however many it says. */
export interface SaidBook {
  note(said: Said): void;
  /** How many there were. */
  readonly count: number;
  /** The last ones, the newest first. */
  last(): readonly Said[];
}

/** More nobody reads on a page. */
const MOST = 100;

export function createSaidBook(): SaidBook {
  let kept: readonly Said[] = [];
  let count = 0;
  return {
    note: (said) => {
      count += 1;
      kept = [said, ...kept.slice(0, MOST - 1)];
    },
    get count() {
      return count;
    },
    last: () => kept,
  };
}
