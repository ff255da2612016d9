import type { ModuleJournal, ModuleSite } from "../../core/training.js";
import type { Clock } from "../../core/util/clock.js";
import type { FailureBrake } from "../../sync/failure-brake.js";
import type { FoundPackage, PreparedPackage } from "../package.js";
import type { Action, PackageResult } from "../result.js";

/** What an import, or the plan of one, is given. */
export interface ImportJob {
  readonly site: ModuleSite;
  /** Of this site. */
  readonly journal: ModuleJournal;
  /** Where a package lies, in one spelling; see `PackageRow.place`. */
  readonly placeOf: (found: FoundPackage) => string;
  /** Looks at a package; what it throws is that package's failure. */
  readonly prepare: (found: FoundPackage, signal: AbortSignal) => Promise<PreparedPackage>;
  /** A folder for the archives that are sent; each is removed when its package has ended. */
  readonly scratch: string;
  readonly options: ImportOptions;
  readonly control: ImportControl;
  /** Called once for each package that ended, in the order of their ends. */
  readonly tell: (result: PackageResult) => void | Promise<void>;
  readonly clock?: Clock;
  /** Milliseconds so far in which a person had paused the run, so that nobody could ask. Default: 0. */
  readonly stood?: () => number;
  /** From 0 up to but not including 1. */
  readonly random?: () => number;
}

export interface ImportOptions {
  /** Make what was imported what learners see, after it was read where it is used. Default: no. */
  readonly publish?: boolean;
  /** Begin anew what nobody can tell the fate of; it may then be at the site twice. Default: no. */
  readonly retryUnknown?: boolean;
  /** `title`: a package becomes a new version of the one module of its title that came from nowhere else. Default: null, never. */
  readonly match?: "title" | null;
  /** Let the site fetch packages that have an address and go in as they are. Default: no. */
  readonly startByUrl?: boolean;
  /** Ask whether there is a preview. Default: no. */
  readonly preview?: boolean;
  /** How long an import may take; default: 2 minutes and 1 more for each 50 MB. */
  readonly deadline?: Deadline;
  readonly poll?: Poll;
  /** Milliseconds after a lost answer in which its work may still show up. Default: 15000. */
  readonly settle?: number;
  /**
   * The same after a start, for each byte that was sent and up to a longest: a site that hands an upload on may say nothing of it until all of it
   * is there. Default: 1 minute for 50 MB, 3 minutes at most.
   */
  readonly settleUpload?: { readonly perByte: number; readonly longest: number };
}

/** Milliseconds, and milliseconds for each byte of the content. */
export interface Deadline {
  readonly base: number;
  readonly perByte: number;
}

/** Milliseconds before the second look, and at most between two; each pause is `factor` times the one before, give or take a fifth. */
export interface Poll {
  readonly first: number;
  readonly factor: number;
  readonly longest: number;
}

/** Training modules, 1.3. */
export const DEFAULTS: Required<ImportOptions> = {
  publish: false,
  retryUnknown: false,
  match: null,
  startByUrl: false,
  preview: false,
  deadline: { base: 120_000, perByte: 60_000 / 50_000_000 },
  poll: { first: 1000, factor: 1.5, longest: 15_000 },
  settle: 15_000,
  settleUpload: { perByte: 60_000 / 50_000_000, longest: 180_000 },
};

/** Imports at work at the same time: the engine unpacks and parses on the site's side (training modules, 1.3). */
export const DEFAULT_CONCURRENCY = 2;

/** How a running import is steered and watched. */
export interface ImportControl {
  /** When aborted: no package is begun, and imports under way are cancelled at the site; then StoppedError is thrown. */
  readonly stop: AbortSignal;
  /** When aborted: drop everything as it is. Always aborted after `stop`. */
  readonly abort: AbortSignal;
  /** Packages at work at the same time; default: DEFAULT_CONCURRENCY. */
  readonly concurrency?: number;
  readonly progress: (event: ImportProgress) => void;
  readonly brake: FailureBrake;
}

/** Made whenever a package ended. */
export interface ImportProgress {
  readonly done: number;
  /** Of those: not there, or nobody knows. Refused ones are not counted. */
  readonly failed: number;
  /** The package that ended last. */
  readonly source: string;
}

/** What came of a run, counted from the results that were told. */
export interface ImportSummary {
  readonly packages: number;
  readonly actions: Readonly<Record<Action, number>>;
  /** Packages whose content came to the site, or was found to have come, by this run. */
  readonly imported: number;
  /** Modules that this run published. */
  readonly published: number;
  /** Packages that could have come, or been published, and did not: refused by the site, failed there, cancelled, no answer. */
  readonly failed: number;
  /** Packages of which nobody can tell. */
  readonly unknown: number;
}
