import type { ProgressEvent, Stage } from "../../sync/control.js";
import { jsonText } from "../../core/util/json-text.js";
import { createLimitsWatch } from "./limits-watch.js";
import type { EventType, Output, OutputOptions } from "./output.js";
import { createRunClock } from "./run-clock.js";
import { createPaceMeasure } from "./stage-pace.js";
import type { Writer } from "./writer.js";

/** Milliseconds between two progress objects of a stage; its last one always comes. */
const PROGRESS_EVERY = 1000;

/**
 * One JSON object a line on stdout and nothing else there; stderr has the words of a failure only. Where both are one stream,
 * since stdout is needed for content, it has the objects only.
 */
export function jsonOutput(options: OutputOptions, out: Writer, error: Writer): Output {
  const due = new Map<Stage, number>();
  const { watch, limits, sites } = createLimitsWatch();
  const measure = createPaceMeasure();
  const clock = createRunClock();
  const event = (type: EventType, facts: object): void => out.line(jsonText({ type, ...facts }));
  const progress = (progress: ProgressEvent): void => {
    const now = Date.now();
    const { rate, left } = measure(progress);
    clock.note(progress);
    if (options.quiet || (progress.done !== progress.total && now < (due.get(progress.stage) ?? 0))) return;
    due.set(progress.stage, now + PROGRESS_EVERY);
    const [known, whole] = [limits(), clock.left()];
    event("progress", {
      ...progress,
      ...(rate === null ? {} : { perSecond: rate }),
      ...(left === null ? {} : { secondsLeft: left }),
      ...(whole === null ? {} : { runSecondsLeft: whole }),
      ...(known === null ? {} : { limits: known, sites: sites() }),
    });
  };
  return {
    say: ignore,
    table: ignore,
    event,
    note: (message) => {
      if (!options.quiet) event("note", { message });
    },
    warn: (message) => event("warning", { message }),
    request: (message) => {
      if (options.verbose) event("request", { message });
    },
    progress,
    watch,
    fail: (message, exitCode) => {
      event("error", { message, exitCode });
      if (out !== error) error.line(`error: ${message}`);
    },
    stopped: (message, exitCode) => {
      event("stopped", { message, exitCode });
      if (out !== error) error.line(message);
    },
    close: ignore,
  };
}

function ignore(): void {
  // Words for people have no place among objects for programs.
}
