import { ConnectionError, EXIT, FerryError, messageOf, SafetyLimitError, StoppedError } from "../core/errors.js";
import type { Key } from "../core/model/key.js";

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

/** Where a run stands; sent when something was finished, never on a clock. */
export interface ProgressEvent {
  readonly stage: Stage;
  readonly done: number;
  /** null: unknown. */
  readonly total: number | null;
  /** By what went before, where `total` is null; absent: unknown. */
  readonly estimate?: number;
  /** Of `done`, those with nothing to do: they say nothing of the pace. Absent: none. */
  readonly skipped?: number;
  /** Of those ahead, the ones with something to do; absent: all of them. */
  readonly toDo?: number;
  /** Later stages of the run, and how much each may come to; absent: unknown. */
  readonly follows?: Readonly<Partial<Record<Stage, number>>>;
  readonly key?: Key;
  /** Bytes moved in this stage; media only. */
  readonly bytes?: number;
  readonly failed: number;
}

export interface Control {
  /** When aborted: start nothing new, finish what runs, then throw StoppedError. */
  readonly stop: AbortSignal;
  /** When aborted: drop what runs. Always aborted after `stop`. */
  readonly abort: AbortSignal;
  readonly concurrency: number;
  readonly progress: (event: ProgressEvent) => void;
  readonly breaker: CircuitBreaker;
}

/** Throws StoppedError when the run was asked to stop. Called before anything new starts. */
export function throwIfStopped(control: Pick<Control, "stop">): void {
  if (!control.stop.aborted) return;
  throw new StoppedError(
    "Stopped before the end. Everything done so far is kept; the same command goes on from here.",
    { exitCode: EXIT.stopped },
  );
}

/** `--max-failures`: a count in a row of one cause, or a share of all items. */
export interface FailureLimit {
  readonly inARow: number;
  /** 0 to 1; counts from 50 items on. */
  readonly share: number;
}

export const DEFAULT_FAILURE_LIMIT: FailureLimit = { inARow: 50, share: 0.2 };

/**
 * Items in a row without any answer, each after all its tries, before a site counts as unreachable.
 */
const UNREACHABLE_IN_A_ROW = 5;
/** A share says nothing about a handful of items. */
const SHARE_COUNTS_FROM = 50;

/** The circuit breaker: counts failures and ends a run that goes wrong as a whole. */
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
   * Throws ConnectionError (exit 9) when the site seems unreachable, BrakeError (exit 8) when too
   * much fails. The failure itself is noted before.
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
    `${UNREACHABLE_IN_A_ROW} items in a row got no answer, each after all its tries, so the site counts as unreachable: ${error.message} ` +
      "Everything done so far is kept. Run the same command again when the site answers.",
    { cause: error, exitCode: EXIT.unreachable },
  );
}

function tooMany(what: string, error: unknown): SafetyLimitError {
  const last = messageOf(error);
  return new SafetyLimitError(
    `Stopped by --max-failures: ${what}. The last one: ${last} ` +
      "Everything done so far is kept. Remove the cause and run the same command again, or raise --max-failures.",
    { cause: error },
  );
}

/** `--max-deletions`: how much may be deleted, or found deleted, in one run. */
export type DeletionLimit = { readonly share: number } | { readonly count: number };

export const DEFAULT_DELETION_LIMIT: DeletionLimit = { share: 0.1 };
