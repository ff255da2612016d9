import type { ProgressEvent } from "../../sync/control.js";
import { runTimeLeft } from "../../web/report/live/time-left.js";
import { createStageBook } from "../../web/report/stage-book.js";
import { clockTime } from "./words.js";

/** Tells the time that a whole run still takes. */
export interface RunClock {
  note(event: ProgressEvent): void;
  /** Seconds; null: nothing can be said yet, or the run has one stage only. */
  left(): number | null;
}

export function createRunClock(now: () => number = () => Date.now()): RunClock {
  const book = createStageBook(now());
  return {
    note: (event) => book.note(event, now()),
    left: () => {
      const stages = book.stages();
      if (!stages.some(({ follows }) => Object.keys(follows).length > 0)) return null;
      const left = runTimeLeft(stages, now(), () => 0);
      return left === null ? null : left / 1000;
    },
  };
}

/** `about 12:30 left in all`; "": nothing can be said. */
export function describeLeft(clock: RunClock): string {
  const left = clock.left();
  return left === null || left < 1 ? "" : `about ${clockTime(left)} left in all`;
}
