import { rmSync, writeFileSync } from "node:fs";
import type { PauseState } from "../../../service/pause.js";
import type { PauseTimes } from "../../../web/report/live/pause-times.js";
import { durationWords } from "../../../web/report/pages/duration-words.js";
import type { Output } from "../../output/output.js";

/** A pause, and who is to know of it. */
export interface ToldPause {
  readonly pause: PauseState;
  readonly pauses: PauseTimes;
  readonly output: Output;
  /** Is there while the run is paused: for `status`. */
  readonly file: () => string;
}

/** Tells at the terminal, and in a file of the run, when it is paused and when it goes on. The function that it gives ends that. */
export function tellPause({ pause, pauses, output, file }: ToldPause): () => void {
  let from: number | null = null;
  const mark = (isPaused: boolean): void => {
    try {
      if (isPaused) writeFileSync(file(), `${new Date().toISOString()}\n`, { mode: 0o600 });
      else rmSync(file(), { force: true });
    } catch (error) {
      // A run doesn't end since nobody else sees that it is paused.
      output.warn(`\`status\` can't know that this run is paused, or no more: ${String(error)}`);
    }
  };
  return pause.onChange(() => {
    mark(pause.isPaused);
    if (pause.isPaused) {
      from = Date.now();
      output.note(
        "Paused in the live view: no new request goes out until it is resumed there; work that needs none goes on. Ctrl-C ends the run as ever.",
      );
    } else {
      output.note(`Resumed after ${durationWords(pauses.within(from ?? 0, Date.now()))}.`);
    }
  });
}
