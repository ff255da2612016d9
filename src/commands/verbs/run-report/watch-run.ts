import type { ProgressEvent } from "../../../sync/control.js";
import { writeCourse } from "../../../web/report/course-file.js";
import { createRunWatch, type RunCourse } from "../../../web/report/run-watch.js";
import type { Output } from "../../output/output.js";

/** A run that is looked at while it is on. */
export interface WatchedRun {
  /** To be used in place of the one that was given: what is told to it is kept too. */
  readonly output: Output;
  /** Tells the summary, which is held back until here: programs that read the last line find it there, whatever is told of the page. */
  tellEnd(): void;
  /** What was seen so far. */
  course(): RunCourse;
  /** Keeps what was seen so far; no timer is left behind. */
  close(): void;
}

/** Milliseconds: so much of a killed run's chart may be missing. */
const KEEP_EVERY = 15_000;

/**
 * Looks at a run, and keeps its course in a file, now and then, where a stage begins, and at its end. `file` null: it is not kept. `ahead` says of what is told
 * of a stage what comes after it.
 */
export function watchRun(
  output: Output,
  file: string | null,
  ahead: (event: ProgressEvent) => ProgressEvent = (event) => event,
): WatchedRun {
  const watch = createRunWatch();
  const held: object[] = [];
  let isWarned = false;
  let stage: ProgressEvent["stage"] | undefined;
  const keep = (): void => {
    if (file === null) return;
    try {
      writeCourse(file, watch.course());
    } catch (error) {
      // A run doesn't end for its chart.
      if (!isWarned) output.warn(`The chart of this run can't be kept in ${file}: ${String(error)}`);
      isWarned = true;
    }
  };
  const timer = setInterval(keep, KEEP_EVERY);
  timer.unref();
  return {
    output: {
      ...output,
      event: (type, facts) => {
        if (type === "summary") held.push(facts);
        else output.event(type, facts);
      },
      progress: (event) => {
        const told = ahead(event);
        watch.progress(told);
        output.progress(told);
        if (event.stage !== stage) keep();
        stage = event.stage;
      },
      watch: (look) => {
        watch.watch(look);
        output.watch(look);
      },
    },
    tellEnd: () => {
      for (const facts of held.splice(0)) output.event("summary", facts);
    },
    course: watch.course,
    close: () => {
      clearInterval(timer);
      watch.close();
      keep();
    },
  };
}
