import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  ConnectionError,
  FerryError,
  SafetyLimitError,
  SignInError,
  StatusError,
  StoppedError,
  WorkspaceError,
} from "../../core/errors.js";
import type { ImportPhase, ModuleSite, PackageRow, PackageState, SiteImport, Upload } from "../../core/training.js";
import { printable } from "../../core/util/printable-text.js";
import type { FoundPackage, NormalisedPackage } from "../package.js";
import { type ImportRun, titleOf, uploadName } from "./import-run.js";

/**
 * A step of the journey: gives the row as it stands after it; the same row: it goes no further in
 * this run.
 */
export type Step = (task: ImportTask, row: PackageRow) => Promise<PackageRow>;

type LossyCall = "draft" | "record" | "start";

/** Calls of one package whose answers get lost in one run: then it is left for the next. */
const MOST_LOSSES = 3;

export class ImportTask {
  readonly run: ImportRun;
  readonly found: FoundPackage;
  readonly normalised: NormalisedPackage;
  /** No other package comes after it that could teach anything. */
  readonly isLast: boolean;
  /** Was its state unknown when this run began with it? */
  readonly wasUnknown: boolean;
  readonly notes: string[] = [];
  row: PackageRow;
  /** Set when other packages have to show first whether the site lists drafts. */
  isPostponed = false;
  isOver = false;
  /** Set when this run made the module, so that it holds no import yet. */
  hasFreshModule = false;
  readonly #losses = new Map<LossyCall, { count: number; error: unknown }>();
  #lostAt = Number.NEGATIVE_INFINITY;
  #archive: Promise<Upload> | undefined;

  constructor(run: ImportRun, parts: Pick<ImportTask, "found" | "normalised" | "isLast" | "wasUnknown" | "row">) {
    this.run = run;
    this.found = parts.found;
    this.normalised = parts.normalised;
    this.isLast = parts.isLast;
    this.wasUnknown = parts.wasUnknown;
    this.row = parts.row;
  }

  get site(): ModuleSite {
    return this.run.job.site;
  }

  /** Calls end with it; a stop lets them finish. */
  get signal(): AbortSignal {
    return this.run.job.control.abort;
  }

  get title(): string {
    return titleOf(this.row.module, this.row.source);
  }

  async put(row: PackageRow, changes: Partial<PackageRow>): Promise<PackageRow> {
    this.row = await this.run.put(row, changes);
    return this.row;
  }

  /** It goes no further in this run, wherever the row stands. */
  end(row: PackageRow): PackageRow {
    this.isOver = true;
    return row;
  }

  noteLostAnswer(call: LossyCall, error: unknown): void {
    const count = (this.#losses.get(call)?.count ?? 0) + 1;
    this.#losses.set(call, { count, error });
    this.run.losses.set(this.row.digest, error);
    this.#lostAt = this.run.clock.now();
  }

  /** Throws the last error when answers of this call got lost too often. */
  throwIfLostTooOften(call: LossyCall): void {
    const losses = this.#losses.get(call);
    if (losses !== undefined && losses.count >= MOST_LOSSES) throw losses.error;
  }

  /** UNIX milliseconds up to which the work of a lost call may show up. */
  graceEnd(row: PackageRow): number {
    return Math.max(row.changed, this.#lostAt) + this.run.options.graceTime;
  }

  /** The same of a start, which takes the longer the more is sent. */
  startGraceEnd(row: PackageRow): number {
    const { perByte, longest } = this.run.options.uploadGrace;
    return this.graceEnd(row) + Math.min(longest, perByte * this.normalised.contentBytes);
  }

  /** The normalised archive on the disk, written at its first use. */
  async archive(): Promise<Upload> {
    this.#archive ??= this.#write();
    return this.#archive;
  }

  async removeArchive(): Promise<void> {
    if (this.#archive !== undefined) await rm(this.#path, { force: true });
  }

  get #path(): string {
    return join(this.run.job.scratch, `${this.normalised.digest}.zip`);
  }

  async #write(): Promise<Upload> {
    const size = await this.normalised.write(this.#path, this.run.ending);
    return {
      fileName: uploadName(this.title, this.normalised.digest),
      size,
      open: () => createReadStream(this.#path),
    };
  }
}

export type Attempt<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "refused"; readonly error: StatusError }
  | { readonly kind: "lost" };

/**
 * Makes such a call once. `before`: the row to go back to when the site surely did nothing and the
 * error is no word about this package; then it is thrown. What is dropped in the middle leaves the
 * row as it is: nobody knows.
 */
export async function attempt<Value>(
  task: ImportTask,
  which: LossyCall,
  before: PackageRow,
  call: () => Promise<Value>,
): Promise<Attempt<Value>> {
  try {
    return { kind: "done", value: await call() };
  } catch (error) {
    if (task.signal.aborted || !(error instanceof FerryError)) throw error;
    if (isRefusal(error)) return { kind: "refused", error };
    if (isUndone(error)) {
      await task.put(before, {});
      throw error;
    }
    task.noteLostAnswer(which, error);
    return { kind: "lost" };
  }
}

export const ARRIVED: ReadonlySet<PackageState | null> = new Set(["complete", "publishing", "published"]);

/** Every row from `drafted` on has one; the site knows none that is empty. */
export function moduleOf(row: PackageRow): string {
  return row.moduleId ?? "";
}

/** Every row from `recorded` on has one; the site knows none that is empty. */
export function importOf(row: PackageRow): string {
  return row.importId ?? "";
}

/** What a row says of an import that is over; undefined: it isn't. */
export function endOf(reported: SiteImport): Partial<PackageRow> | undefined {
  const end = ENDS[reported.phase];
  return end === undefined ? undefined : { ...end(reported), warnings: reported.warnings };
}

const ENDS: Readonly<Partial<Record<ImportPhase, (reported: SiteImport) => Pick<PackageRow, "state" | "reason">>>> = {
  complete: () => ({ state: "complete", reason: "" }),
  failed: (reported) => ({ state: "failed", reason: failure(reported) }),
  cancelled: ({ id }) => ({
    state: "cancelled",
    reason: `The import ${id} was cancelled at the site. Run again to import the package once more.`,
  }),
};

function failure({ id, state, message }: SiteImport): string {
  const words =
    message === "" ? `The import ${id} ended as ${state === "" ? "failed" : state}, without a message` : message;
  return (
    `The site could not import the package: ${sentence(words)} ` +
    "Try it in another player or the authoring tool's own preview, export it anew, and run again."
  );
}

/** Answers below 500 that say nothing of what was done: the site, or a proxy, gave up waiting. */
const REQUEST_TIMEOUT = 408;
const NOT_IMPLEMENTED = 501;

export function isRefusal(error: unknown): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  return (error.status < 500 && error.status !== REQUEST_TIMEOUT) || error.status === NOT_IMPLEMENTED;
}

/** Did the site surely never do it, although it didn't refuse this very package? */
function isUndone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.unsent;
  return error instanceof SignInError || error instanceof StoppedError;
}

/**
 * Nobody knows whether the site did it: the answer never came, or says that something broke, or
 * can't be read. Whatever isn't surely undone counts: looking is cheap, and a second module is not.
 */
export function isLost(error: unknown): boolean {
  return error instanceof FerryError && !isRefusal(error) && !isUndone(error) && !endsRun(error);
}

/**
 * No package's own failure: nothing else would go better. A site that can't be reached comes as an
 * answer that was never sent for.
 */
export function endsRun(error: unknown): boolean {
  return (
    error instanceof SignInError ||
    error instanceof StoppedError ||
    error instanceof SafetyLimitError ||
    error instanceof WorkspaceError ||
    (error instanceof ConnectionError && error.unsent)
  );
}

const LONGEST = 500;

/** What a status says of any call. */
const REMEDIES: ReadonlyMap<number, string> = new Map([
  [403, "Ask the site's administrator for the right to manage training modules, and run again."],
  [404, "It was deleted at the site meanwhile; the next run goes on without it."],
  [429, "The package is not at fault."],
]);

/**
 * `The site refused the package with 422: …`. `remedy`: what to do where the status alone doesn't
 * tell.
 */
export function refusalReason(what: string, { status, message }: StatusError, remedy = OTHERWISE): string {
  return `The site refused ${what} with ${status}: ${sentence(message)} ${REMEDIES.get(status) ?? remedy}`;
}

const OTHERWISE = "Remove the cause and run again.";

/** Words of others, as one sentence that can be shown and kept. */
export function sentence(words: string): string {
  const text = printable(words.trim(), LONGEST);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
