import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ModuleSite, PackageRow, Upload } from "../../core/training.js";
import type { FoundPackage, NormalisedPackage } from "../package.js";
import { titleOf, uploadName } from "./file-name.js";
import type { ImportRun } from "./run.js";

/** A step of the journey: gives the row as it stands after it; the same row: it goes no further in this run. */
export type Step = (trip: Trip, row: PackageRow) => Promise<PackageRow>;

/** Calls whose answers may get lost. */
export type LossyCall = "draft" | "record" | "start";

/** Calls of one package whose answers get lost in one run: then it is left for the next. */
const MOST_LOSSES = 3;

/** One package on its way in one run. */
export class Trip {
  readonly run: ImportRun;
  readonly found: FoundPackage;
  readonly normalised: NormalisedPackage;
  /** No other package comes after it that could teach anything. */
  readonly isLast: boolean;
  /** Was its fate unknown when this run took it up? */
  readonly wasUnknown: boolean;
  /** For a person, beside the result. */
  readonly notes: string[] = [];
  /** As last written. */
  row: PackageRow;
  /** Has it to wait for what other packages teach? */
  isPostponed = false;
  isOver = false;
  /** Did this run make its module just now? Then nothing is in it. */
  hasFreshModule = false;
  readonly #losses = new Map<LossyCall, { count: number; error: unknown }>();
  #lostAt = Number.NEGATIVE_INFINITY;
  #archive: Promise<Upload> | undefined;

  constructor(run: ImportRun, parts: Pick<Trip, "found" | "normalised" | "isLast" | "wasUnknown" | "row">) {
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

  lose(call: LossyCall, error: unknown): void {
    const count = (this.#losses.get(call)?.count ?? 0) + 1;
    this.#losses.set(call, { count, error });
    this.run.losses.set(this.row.digest, error);
    this.#lostAt = this.run.clock.now();
  }

  /** Throws the last error when answers of this call got lost too often. */
  refuseOneMore(call: LossyCall): void {
    const losses = this.#losses.get(call);
    if (losses !== undefined && losses.count >= MOST_LOSSES) throw losses.error;
  }

  /** UNIX milliseconds up to which the work of a lost call may show up. */
  settledAt(row: PackageRow): number {
    return Math.max(row.changed, this.#lostAt) + this.run.options.settle;
  }

  /** The same of a start, which takes the longer the more is sent. */
  startSettledAt(row: PackageRow): number {
    const { perByte, longest } = this.run.options.settleUpload;
    return this.settledAt(row) + Math.min(longest, perByte * this.normalised.contentBytes);
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
