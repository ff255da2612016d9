import type { BackupSummary } from "../backup/backup.js";
import type { InPlaceSummary } from "../backup/in-place/summary.js";
import type { FillSummary } from "../backup/restore/fill-workspace.js";
import type { BundleLosses, PlannedFile, WrittenBundle } from "../documents/load-bundles.js";
import type { SnapshotIndex } from "../storage/repository/format.js";
import type { ExtractSummary } from "../sync/extract/summary.js";
import type { LoadSummary } from "../sync/load/load-summary.js";
import type { LossReport } from "../sync/load/loss-report.js";
import type { Plan } from "../sync/plan/plan.js";
import type { UndoSummary } from "../sync/undo/undo.js";
import type { VerifySummary } from "../sync/verify/verify.js";
import type { ImportSummary } from "../training/import/import-run.js";
import type { Verdict } from "../training/package.js";
import type { RunCounts } from "../web/report/run-report.js";
import type { RunEnd } from "./command.js";

// The results of the commands that are functions of the library. They are plain JSON, and the
// object `summary` of `--json`.

/** The parts of a migration; each run has some. */
export interface RunParts {
  readonly extracted?: ExtractSummary;
  readonly loaded?: LoadSummary;
  readonly verified?: VerifySummary;
  /** `--verify none`: nothing was read back after the load. */
  readonly unverified?: true;
}

/** What a run read, loaded and compared; the parts that it has. */
export interface RunFacts extends Partial<RunCounts>, Omit<RunParts, "loaded"> {
  readonly loaded?: LoadFacts;
  /** Values by kind and code that the service cannot take: `{ guide: { comments: 3 } }`. */
  readonly losses?: LossReport["losses"] | undefined;
  /** Items that failed at the source or on this target; `--json` prints each before. */
  readonly failures: number;
  /** The path of the loss ledger: each lost value with item, field, reason and remedy. */
  readonly report?: string | undefined;
}

/** The facts of a run, which has the parts that are given. */
export type FactsOf<Given extends RunParts> = Omit<RunFacts, keyof Given> & {
  readonly [Part in keyof Given as Part extends keyof RunFacts ? Part : never]: Exclude<
    RunFacts[Part & keyof RunFacts],
    undefined
  >;
};

/** A workspace that is used as it is was not read. */
export type Read = Pick<RunParts, "extracted">;

export type LoadDone = Required<Pick<RunParts, "loaded">> & Pick<RunParts, "verified" | "unverified">;

/** What a load and the comparison after it leave. */
export type LoadedFacts = FactsOf<Read & LoadDone>;

/** The result of a migration or a load into a site. */
export type LoadResult = LoadedFacts & RunEnd;

/** The result of an extract. */
export type ExtractResult = FactsOf<Required<Read>> & RunEnd;

/** The result of a plan for a site. */
export type PlanResult = PlanFacts & RunEnd;

/** The result of a comparison with a site. */
export type VerifyResult = FactsOf<Read & Required<Pick<RunParts, "verified">>> & RunEnd;

/** A load, with its counts from the ledger. */
export interface LoadFacts extends Omit<LoadSummary, "unknown" | "deletedAtSource" | "recreated"> {
  /** Items that were deleted at the source: listed, and deleted on the target. */
  readonly goneAtSource: LoadSummary["deletedAtSource"];
  /** Items that somebody deleted on the target, and that the load created again. */
  readonly madeAnew: number;
}

/** What a plan found. Its items are the objects `plan` of `--json`. */
export interface PlanFacts extends Omit<Plan, "items"> {
  /** Uploads of videos and documents, of which a target may refuse all. */
  readonly uploadsOfFiles: number;
  /** Items that are left out, by the options that take them in; null: none does. */
  readonly leftOut: readonly { readonly takenInBy: string | null; readonly count: number }[];
}

/** The result of a run that writes or compares bundles. */
export type BundleResult = BundleFacts & RunEnd;

/** The result of a plan for bundles. */
export type BundlePlanResult = BundlePlanFacts & RunEnd;

/** What a run that writes or compares bundles leaves. */
export interface BundleFacts extends Pick<BundlePlanFacts, "stale"> {
  readonly extracted?: ExtractSummary | undefined;
  /** Each bundle, with what it holds and how it differs from the workspace. */
  readonly bundles: readonly WrittenBundle[];
  /** What the format has no place for; absent: nothing was written. */
  readonly losses?: BundleLosses | undefined;
  /** Items that failed; `--json` prints each before. */
  readonly failures: number;
}

/** What a load would do with the bundles. Each is an object `plan` of `--json`. */
export interface BundlePlanFacts {
  readonly counts: Readonly<Record<PlannedFile["action"], number>>;
  readonly losses: BundleLosses;
  /** Bundles of earlier runs in the same folder that no run writes any more. */
  readonly stale: readonly string[];
}

/** The result of a backup. */
export type BackupResult = BackupFacts & RunEnd;

/** What a backup wrote. */
export interface BackupFacts
  extends Pick<SnapshotIndex, "snapshot" | "kind" | "complete" | "manyDeleted" | "counts" | "archives"> {
  /** The folder of the repository. */
  readonly repository: string;
  /** Bytes of the archives of this snapshot. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly extracted: BackupSummary["extracted"];
  /** Items that could not be read; `--json` prints each before. */
  readonly failures: number;
  /** The snapshots that the retention deleted; absent: no retention was given. */
  readonly pruned?: readonly string[];
}

/** The result of a restore. */
export type RestoreResult = FolderResult | ((OtherSiteFacts | InPlaceFacts | PlanFacts) & RunEnd);

/** The result of a restore into a folder. */
export type FolderResult = FolderFacts & RunEnd;

/** The result of a restore into a site: what its origin and another site have in common. */
export type SiteRestoreResult = Pick<OtherSiteFacts, "snapshot" | "failures"> &
  Partial<Pick<OtherSiteFacts, "loaded" | "filled" | "leftOut" | "report">> &
  Partial<Pick<InPlaceFacts, "items" | "untouched" | "writes" | "left" | "unknown" | "newer">> &
  Pick<InPlaceFacts, "verified"> &
  RunEnd;

/** A restore into a folder. */
export interface FolderFacts extends FillSummary, RestoredFrom {
  /** Items that could not be restored; `--json` prints each before. */
  readonly failures: number;
}

/** A restore into another site than the one of the backup. */
export interface OtherSiteFacts extends LoadedFacts, RestoredFrom {
  /** What came from the repository into the workspace. */
  readonly filled: FillSummary;
}

interface RestoredFrom {
  /** The name of the snapshot. */
  readonly snapshot: string;
  /** The path of the repository or archive. */
  readonly from: string;
}

/** A restore into the site that the backup was made of. */
export interface InPlaceFacts
  extends Pick<InPlaceSummary, "snapshot" | "items" | "untouched" | "writes" | "unknown" | "newer"> {
  readonly failures: number;
  /** Items that somebody edited since, and that were not overwritten. */
  readonly left: number;
  /** A dry run: the requests by kind. */
  readonly kinds?: Readonly<Record<string, number>> | undefined;
  readonly verified?: InPlaceSummary["verified"];
  /** A dry run: nothing was written. */
  readonly dryRun: boolean;
}

/** The result of an undo. */
export type UndoResult = UndoFacts & RunEnd;

/** What an undo did, or would do. */
export interface UndoFacts extends Partial<Omit<UndoSummary, "run">> {
  /** The run that is undone; null: there was nothing to undo. */
  readonly run: string | null;
  /** A dry run: nothing was written. */
  readonly dryRun: boolean;
  /** The path of the list of things that are not undone; absent: there are none. */
  readonly report?: string | undefined;
}

/** The result of an import of training packages. */
export type ImportResult = ImportFacts & RunEnd;

/** What an import did, or would do: packages by action, result and verdict. */
export interface ImportFacts extends ImportSummary, Readonly<Record<Verdict, number>> {
  /** The API root of the site. */
  readonly site: string;
  /** A dry run: nothing was written. */
  readonly dryRun: boolean;
}
