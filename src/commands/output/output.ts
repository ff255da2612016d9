import type { ProgressEvent } from "../../sync/control.js";
import type { LookAtQueues } from "./limits-watch.js";

/** Where a command's words go. Which of them are seen, and as what, depends on `--json`, `--quiet` and `--verbose`. */
export interface Output {
  /** The result, for a person: stdout. */
  say(text: string): void;
  /** The result as rows: stdout. */
  table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void;
  /** The result, for a program: one JSON object a line on stdout, with `--json` only. */
  event(type: EventType, facts: object): void;
  /** What goes on: stderr, not with `--quiet`. */
  note(text: string): void;
  /** Something a person should know even with `--quiet`. */
  warn(text: string): void;
  /** A request, with `--verbose`. */
  request(text: string): void;
  progress(event: ProgressEvent): void;
  /** From now on progress also says what limits the run, as far as it is at these queues. */
  watch(look: LookAtQueues): void;
  /** The end of a run that failed. */
  fail(text: string, exitCode: number): void;
  /** The end of a run that a signal ended: nobody's fault. */
  stopped(text: string, exitCode: number): void;
  /** Takes progress bars off the screen; nothing is printed through them later. */
  close(): void;
}

/** The `type` of the objects that `--json` prints. */
export type EventType =
  | "progress"
  | "note"
  | "warning"
  | "request"
  | "issue"
  | "failure"
  | "plan"
  | "difference"
  | "status"
  | "link"
  | "sandbox"
  | "browse"
  | "ui"
  | "snapshot"
  | "damage"
  | "cut"
  | "version"
  | "line"
  | "package"
  | "check"
  | "refusal"
  | "report"
  | "summary"
  | "error"
  | "stopped";

/** How an output behaves. */
export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Bars are wanted; they also need a terminal. */
  readonly progress: boolean;
  /** Where stderr is no terminal its lines begin with the time: a command that may take a night writes a log there. */
  readonly dated: boolean;
}
