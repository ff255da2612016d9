import { ConnectionError, EXIT, FerryError, messageOf, SafetyLimitError, StoppedError } from "../core/errors.js";
import type { Key } from "../core/model/key.js";

/** The stages of a run, in their order. */
export type Stage =
  | "list"
  | "extract"
  | "media"
  | "archive"
  | "check"
  | "plan"
  | "load"
  | "import"
  | "repair"
  | "publish"
  | "undo"
  | "verify"
  | "read"
  | "pages";

/** Sent when something is finished, never by a timer. */
export interface ProgressEvent {
  readonly stage: Stage;
  readonly done: number;
  /** null: unknown. */
  readonly total: number | null;
  /** Estimate of `total` while that is null; absent: unknown. */
  readonly estimate?: number;
  /** Items of `done` that needed no work: they do not count for the pace. Default: none. */
  readonly skipped?: number;
  /** Items ahead that need work. Default: all of them. */
  readonly toDo?: number;
  /** Items that this stage leaves out because an earlier run handled them. Default: none. */
  readonly unchanged?: number;
  /**
   * Later stages and their expected number of items; null: some follow, and their items are not
   * known yet. Absent: none is known.
   */
  readonly follows?: Readonly<Partial<Record<Stage, number>>> | null;
  readonly key?: Key;
  /** Milliseconds of work on `key`, with its requests and waits; absent: not measured. */
  readonly duration?: number;
  /** Bytes moved in this stage; only for media. */
  readonly bytes?: number;
  readonly failed: number;
}

export interface Control {
  /** When aborted, running work finishes and nothing new starts; then StoppedError is thrown. */
  readonly stop: AbortSignal;
  /** When aborted, running work is dropped. Always aborted after `stop`. */
  readonly abort: AbortSignal;
  readonly concurrency: number;
  readonly progress: (event: ProgressEvent) => void;
  readonly breaker: CircuitBreaker;
}

/** Throws StoppedError when the run has to stop. Called before new work starts. */
export function throwIfStopped(control: Pick<Control, "stop">): void {
  if (!control.stop.aborted) return;
  throw new StoppedError("The run stopped before its end. All results so far are kept.", { exitCode: EXIT.stopped });
}

/** `--max-failures`: failures of one cause in a row, or a share of all items. */
export interface FailureLimit {
  readonly inARow: number;
  /** 0 to 1; applies from 50 items on. */
  readonly share: number;
}

export const DEFAULT_FAILURE_LIMIT: FailureLimit = { inARow: 50, share: 0.2 };

/** Items in a row without an answer, each after all tries, before a site counts as unreachable. */
const UNREACHABLE_IN_A_ROW = 5;
/** A share of fewer items is not meaningful. */
const SHARE_COUNTS_FROM = 50;

/** Counts failures, and ends a run in which too much fails. */
export class CircuitBreaker {
  readonly #limit: FailureLimit;
  #total = 0;
  #failed = 0;
  #inARow = 0;
  #cause = "";

  constructor(limit: FailureLimit = DEFAULT_FAILURE_LIMIT) {
    this.#limit = limit;
  }

  success(): void {
    this.#total += 1;
    this.#inARow = 0;
  }

  /**
   * Notes the failure. Throws ConnectionError (exit 9) when the site seems unreachable, and
   * SafetyLimitError (exit 8) when too much fails.
   */
  failure(error: unknown): void {
    const cause = causeOf(error);
    this.#total += 1;
    this.#failed += 1;
    this.#inARow = cause === this.#cause ? this.#inARow + 1 : 1;
    this.#cause = cause;
    if (error instanceof ConnectionError && this.#inARow >= UNREACHABLE_IN_A_ROW) throw unreachable(error);
    if (this.#inARow >= this.#limit.inARow) throw tooMany(`${this.#inARow} items in a row failed`, error);
    if (this.#total >= SHARE_COUNTS_FROM && this.#failed > this.#total * this.#limit.share) {
      throw tooMany(`${this.#failed} of ${this.#total} items failed`, error);
    }
  }
}

function causeOf(error: unknown): string {
  if (error instanceof FerryError) return "status" in error ? `${error.name} ${String(error.status)}` : error.name;
  return error instanceof Error ? error.name : "unknown";
}

function unreachable(error: ConnectionError): ConnectionError {
  return new ConnectionError(
    `The site is unreachable: ${UNREACHABLE_IN_A_ROW} items in a row got no answer, each after all tries. The last error: ${error.message} ` +
      "All results so far are kept. Run the same command again when the site answers.",
    { cause: error, exitCode: EXIT.unreachable },
  );
}

function tooMany(what: string, error: unknown): SafetyLimitError {
  const last = messageOf(error);
  return new SafetyLimitError(
    `Stopped by --max-failures: ${what}. The last error: ${last} ` +
      "All results so far are kept. Remove the cause and run the same command again, or raise --max-failures.",
    { cause: error },
  );
}

/** `--max-deletions`: how much one run may delete, or find deleted. */
export type DeletionLimit = { readonly share: number } | { readonly count: number };

export const DEFAULT_DELETION_LIMIT: DeletionLimit = { share: 0.1 };
