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

/** Returns the next row; the same row means that the package ends in this run. */
export type Step = (task: ImportTask, row: PackageRow) => Promise<PackageRow>;

type LossyCall = "draft" | "record" | "start";

/** Lost answers of one call and package, after which the package is left to the next run. */
const MOST_LOSSES = 3;

export class ImportTask {
  readonly run: ImportRun;
  readonly found: FoundPackage;
  readonly normalised: NormalisedPackage;
  /** No later package can show whether the site lists drafts. */
  readonly isLast: boolean;
  /** Was its state unknown at the start? */
  readonly wasUnknown: boolean;
  readonly notes: string[] = [];
  row: PackageRow;
  /** It waits until other packages show whether the site lists drafts. */
  isPostponed = false;
  isOver = false;
  /** This run created the module, so it has no import. */
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

  /** Aborts calls; a stop does not. */
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

  /** Ends the package in this run, whatever its state. */
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

  /** Throws the last error after too many lost answers. */
  throwIfLostTooOften(call: LossyCall): void {
    const losses = this.#losses.get(call);
    if (losses !== undefined && losses.count >= MOST_LOSSES) throw losses.error;
  }

  /** UNIX milliseconds until which the result of a lost call can appear. */
  graceEnd(row: PackageRow): number {
    return Math.max(row.changed, this.#lostAt) + this.run.options.graceTime;
  }

  /** The same for the start of an import, which depends on the size. */
  startGraceEnd(row: PackageRow): number {
    const { perByte, longest } = this.run.options.uploadGrace;
    return this.graceEnd(row) + Math.min(longest, perByte * this.normalised.contentBytes);
  }

  /** The normalised archive, which the first call writes. */
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
 * Makes a call once. An aborted call leaves the row, since its result is unknown.
 *
 * @param before the row to write when the site did nothing and the error, which is thrown, is not
 * about this package
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

/** Every row from `drafted` on has a module; an empty id finds nothing. */
export function moduleOf(row: PackageRow): string {
  return row.moduleId ?? "";
}

/** Every row from `recorded` on has an import; an empty id finds nothing. */
export function importOf(row: PackageRow): string {
  return row.importId ?? "";
}

/** The state of an ended import; undefined: it has not ended. */
export function endOf(reported: SiteImport): Partial<PackageRow> | undefined {
  const end = ENDS[reported.phase];
  return end === undefined ? undefined : { ...end(reported), warnings: reported.warnings };
}

const ENDS: Readonly<Partial<Record<ImportPhase, (reported: SiteImport) => Pick<PackageRow, "state" | "reason">>>> = {
  complete: () => ({ state: "complete", reason: "" }),
  failed: (reported) => ({ state: "failed", reason: failure(reported) }),
  cancelled: ({ id }) => ({
    state: "cancelled",
    reason: `The import ${id} was cancelled on the site. Run the same command again to import the package again.`,
  }),
};

function failure({ id, state, message }: SiteImport): string {
  const words =
    message === "" ? `The import ${id} ended as ${state === "" ? "failed" : state}, without a message` : message;
  return (
    `The site could not import the package: ${sentence(words)} ` +
    "Try the package in another player or in the preview of the authoring tool. Then export it again, and run the same command again."
  );
}

/** After this status, it is unknown what was done: the site, or a proxy, stopped waiting. */
const REQUEST_TIMEOUT = 408;
const NOT_IMPLEMENTED = 501;

export function isRefusal(error: unknown): error is StatusError {
  if (!(error instanceof StatusError)) return false;
  return (error.status < 500 && error.status !== REQUEST_TIMEOUT) || error.status === NOT_IMPLEMENTED;
}

/** Is it certain that the site did nothing, without refusing this package? */
function isUndone(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.unsent;
  return error instanceof SignInError || error instanceof StoppedError;
}

/**
 * Is it unknown whether the site did it: no answer, an error of the server, or an unreadable
 * answer? In doubt yes, since a search is cheap and a duplicate module is not.
 */
export function isLost(error: unknown): boolean {
  return error instanceof FerryError && !isRefusal(error) && !isUndone(error) && !endsRun(error);
}

/** Errors that concern all packages, as a site that can't be reached. */
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

/** Remedies for a status of any call. */
const REMEDIES: ReadonlyMap<number, string> = new Map([
  [403, "Ask the site's administrator for the right to manage training modules, and run the same command again."],
  [404, "It was deleted on the site during the run. Run the same command again: the next run does not need it."],
  [429, "The package is not at fault."],
]);

/**
 * `The site refused the package with 422: …`
 *
 * @param remedy for a status without a general remedy
 */
export function refusalReason(what: string, { status, message }: StatusError, remedy = OTHERWISE): string {
  return `The site refused ${what} with ${status}: ${sentence(message)} ${REMEDIES.get(status) ?? remedy}`;
}

const OTHERWISE = "Remove the cause and run the same command again.";

/** A foreign text as one printable sentence. */
export function sentence(words: string): string {
  const text = printable(words.trim(), LONGEST);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
