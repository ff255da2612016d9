import type { Key } from "../core/model/key.js";
import type { FailureBrake } from "./failure-brake.js";

/** The named parts of a run, in their order. */
export type Stage =
  | "list"
  | "extract"
  | "media"
  | "archive"
  | "check"
  | "load"
  | "import"
  | "repair"
  | "publish"
  | "undo"
  | "verify"
  | "read"
  | "pages";

/** Where a run stands; made whenever something was finished, never on a clock. */
export interface ProgressEvent {
  readonly stage: Stage;
  readonly done: number;
  /** null while it can't be known. */
  readonly total: number | null;
  /** What it may come to, by what went before, where `total` is null; absent: nobody can tell. */
  readonly estimate?: number;
  /** Of `done` those that were passed over, since nothing was to be done: they say nothing of the pace. Absent: none. */
  readonly skipped?: number;
  /** Of those ahead the ones that something is to be done for, as far as that can be told; absent: all of them. */
  readonly toDo?: number;
  /** Stages that come after this one in the run, and how much each may come to; absent: nobody can tell. */
  readonly follows?: Readonly<Partial<Record<Stage, number>>>;
  /** What was finished last. */
  readonly key?: Key;
  /** Bytes moved in this stage, media only. */
  readonly bytes?: number;
  readonly failed: number;
}

/** How a running verb is steered and watched. */
export interface Control {
  /** When aborted: start nothing new, finish what runs, then throw StoppedError. */
  readonly stop: AbortSignal;
  /** When aborted: drop what runs. Always aborted after `stop`. */
  readonly abort: AbortSignal;
  /** Items at work at the same time. */
  readonly concurrency: number;
  readonly progress: (event: ProgressEvent) => void;
  readonly brake: FailureBrake;
}
