/** A place in a line. */
export interface PlaceInLine {
  /** Does the work when all that stood before have left. */
  enter<Value>(work: () => Promise<Value>): Promise<Value>;
  /** To be called whatever happens; may be called again. */
  leave(): void;
}

/** Lets work be done one at a time, in the order in which places were taken and not in which they are ready. */
export class Line {
  #last: Promise<unknown> = Promise.resolve();

  take(): PlaceInLine {
    const before = this.#last;
    let leave = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // Who leaves early doesn't let the next one past those before.
    this.#last = Promise.all([before, gone]);
    return { enter: async (work) => before.then(work).finally(leave), leave };
  }
}
