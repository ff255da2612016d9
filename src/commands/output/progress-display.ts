import { createLimitsWatch, type LookAtQueues } from "./limits-watch.js";
import { progressBars } from "./progress-bars.js";
import { progressLines } from "./progress-lines.js";
import type { ProgressView } from "./progress-view.js";
import type { Writer } from "./writer.js";

/** Shows where a run stands: bars on a terminal, else now and then a line. */
export interface ProgressDisplay extends ProgressView {
  /** Also tells what limits the run, as far as it is at these queues. */
  watch(look: LookAtQueues): void;
}

export function createProgressDisplay(wanted: boolean, writer: Writer): ProgressDisplay {
  const nothing = () => undefined;
  if (!wanted) return { show: nothing, watch: nothing, line: writer.line, isDrawn: () => false, close: nothing };
  const limits = createLimitsWatch();
  const display = writer.terminal ? progressBars(writer, limits) : progressLines(writer, limits);
  return { ...display, watch: limits.watch };
}
