import type { LossCount } from "../../../storage/ledger/loss-counts.js";
import type { FailureBook } from "../failure-book.js";
import type { RunReport } from "../run-report.js";
import type { RunCourse } from "../run-watch.js";
import type { SaidBook } from "../said-book.js";

/** What is known of a run while it is on, all of it from memory. */
export interface LiveFacts extends Pick<RunReport, "source">, RunCourse {
  /** As it was named. */
  readonly target: RunReport["source"];
  readonly run: Pick<RunReport["run"], "id" | "command" | "started">;
  /** UNIX milliseconds. */
  readonly now: number;
  /** What it waits for most: `limited by …`; null: nothing can be said. */
  readonly limits: string | null;
  readonly isPaused: boolean;
  /** Milliseconds that the run stood between two times (UNIX milliseconds) since a person paused it. */
  readonly paused: (from: number, to: number) => number;
  readonly failures: Pick<FailureBook, "count" | "causes">;
  /** Of all runs, as the loss ledger has them; maybe some seconds old. */
  readonly losses: readonly LossCount[];
  readonly said: Pick<SaidBook, "count" | "last">;
}
