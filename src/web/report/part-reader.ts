/** Reads the parts of a report, each for itself: what can't be read is told, and the rest of the report is there all the same. */
export interface PartReader {
  /** `what`: of the part, in words, at the beginning of a sentence. `instead`: what the report has in its place. */
  read<T>(what: string, instead: T, work: () => T): T;
  /** What comes until something can't be read. */
  each<T>(what: string, items: () => Iterable<T>): Generator<T>;
  /** What could not be read, in words. */
  readonly unread: readonly string[];
}

export function createPartReader(): PartReader {
  const unread: string[] = [];
  const note = (what: string, error: unknown): void => {
    const words = `${what} can't be read: ${reasonOf(error)}`;
    // One damaged file may be asked for several parts.
    if (!unread.includes(words)) unread.push(words);
  };
  return {
    unread,
    read: (what, instead, work) => {
      try {
        return work();
      } catch (error) {
        note(what, error);
        return instead;
      }
    },
    *each(what, items) {
      try {
        yield* items();
      } catch (error) {
        note(what, error);
      }
    },
  };
}

/** Why something can't be read, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
