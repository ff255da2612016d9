import type { ProgressEvent, Stage } from "../../pipeline/control.js";
import { describeSites, stageTexts } from "./describe-pace.js";
import { describeLimits } from "./judge-limits.js";
import type { LimitsWatch } from "./limits-watch.js";
import type { ProgressView } from "./progress-view.js";
import { createPaceMeasure, type StagePace } from "./stage-pace.js";
import type { Writer } from "./writer.js";

/** Milliseconds between two lines of a stage, so that a log shows life and stays short. */
const LINE_EVERY = 30_000;

/** A line now and then, and one at the end of each stage, for logs and screens that can't draw. */
export function progressLines(writer: Writer, watch: LimitsWatch): ProgressView {
  const measure = createPaceMeasure();
  const due = new Map<Stage, number>();
  const lineOf = (event: ProgressEvent, pace: StagePace): string => {
    const { rate, left, failed } = stageTexts(event, pace);
    const done = event.total === null ? `${event.done} so far` : `${event.done} of ${event.total}`;
    const pieces = [`${event.stage}: ${done}`, rate, left, failed];
    return [...pieces, ...(event.done === event.total ? [] : around(watch))].filter((text) => text !== "").join(", ");
  };
  /** The end of a stage, told when something else begins: until then more may come to light, and be done, and be its end again. */
  let end: { readonly stage: Stage; readonly line: string } | undefined;
  const tellEnd = (): void => {
    if (end !== undefined) writer.line(end.line);
    end = undefined;
  };
  return {
    show: (event) => {
      const line = lineOf(event, measure(event));
      const now = Date.now();
      if (end?.stage !== event.stage) tellEnd();
      if (event.done === event.total) {
        end = { stage: event.stage, line };
      } else if (now >= (due.get(event.stage) ?? 0)) {
        end = undefined;
        due.set(event.stage, now + LINE_EVERY);
        writer.line(line);
      }
    },
    line: (text) => {
      tellEnd();
      writer.line(text);
    },
    isDrawn: () => false,
    close: tellEnd,
  };
}

/** How fast sites are asked, and what holds the run up. */
function around(watch: LimitsWatch): readonly string[] {
  const limits = watch.limits();
  return limits === null ? [] : [describeSites(watch.sites()), describeLimits(limits)];
}
