import type {
  BackupResult as BackedUp,
  BundleResult as BundlesDone,
  BundlePlanResult as BundlesPlanned,
  ExtractResult as Extracted,
  FolderResult as FolderRestored,
  ImportResult as Imported,
  LoadResult as Loaded,
  PlanResult as Planned,
  SiteRestoreResult as SiteRestored,
  UndoResult as Undone,
  VerifyResult as Verified,
} from "../commands/results.js";
import type { PlannedItem } from "../sync/plan/plan.js";
import type { Refusal } from "../sync/undo/undo-job.js";
import type { Difference } from "../sync/verify/verify.js";
import type { ReportLine } from "../training/report/report-line.js";
import { type ArchiveKeys, operate, placeOf, type RunHooks, type Site, type Told } from "./operate.js";
import type { OPTION_NAMES, OptionValues } from "./option-values.js";

// The functions of the library. Each runs one command, with a typed result.

/** The options of a command under the names that they have in a configuration file. */
export type OptionsOf<Command extends keyof typeof OPTION_NAMES> = {
  readonly [Name in keyof Pick<OptionValues, (typeof OPTION_NAMES)[Command][number]>]?: OptionValues[Name] | undefined;
};

/** The options of `migrate`. */
export interface MigrateOptions<Target extends Site | string = Site> extends OptionsOf<"migrate">, RunHooks {
  /** The site to read, or the path of documents: `manual.omanual`. */
  readonly source: Site | string;
  /** The site to write to, or the path of a bundle: `out.omanual`. */
  readonly target: Target;
}

/** The result of `migrate` and `load` into a site. */
export interface MigrateResult extends Loaded, Told, Compared {}

/** What a comparison told. */
export interface Compared {
  /** What differs on the target, and no loss explains. */
  readonly differences: readonly Difference[];
}

/** The result of a run that writes or compares bundles of manuals. */
export interface BundleResult extends BundlesDone, Told {}

/**
 * Migrates a site or documents into another site: extract, load, verify. The next call with the
 * same workspace writes only what is new or changed, and continues a stopped run. Resolves also if
 * items failed or were left out: `outcome`, `failedItems` and `leftOut` say so. A `target` that is
 * a path is written as a bundle of manuals.
 */
export function migrate(options: MigrateOptions): Promise<MigrateResult>;
export function migrate(options: MigrateOptions<string>): Promise<BundleResult>;
export async function migrate({ source, target, ...given }: MigrateOptions<Site | string>) {
  const { migrate: command } = await import("../commands/definitions/migration.js");
  const places = [placeOf(source), placeOf(target)];
  const { result, events } = await operate({ name: "migrate", command, places, sites: { source, target }, given });
  return "loaded" in result ? { ...result, ...compared(events) } : result;
}

type Events = Awaited<ReturnType<typeof operate>>["events"];

function compared(events: Events): Compared {
  return { differences: events<Difference>("difference", ["key", "at", "path", "expected", "actual"]) };
}

/** The options of `extract`. */
export interface ExtractOptions extends OptionsOf<"extract">, RunHooks {
  /** The site to read, or the path of documents: `manual.omanual`. */
  readonly source: Site | string;
}

/** The result of `extract`. */
export interface ExtractResult extends Extracted, Told {}

/** Fills or refreshes a workspace from a site or from documents. Writes nothing to the site. */
export async function extract({ source, ...given }: ExtractOptions): Promise<ExtractResult> {
  const { extract: command } = await import("../commands/definitions/migration.js");
  const { result } = await operate({ name: "extract", command, places: [placeOf(source)], sites: { source }, given });
  return result;
}

/** The options of `load`. */
export interface LoadOptions<Target extends Site | string = Site> extends OptionsOf<"load">, RunHooks {
  /** The folder of the workspace. */
  readonly workspace: string;
  /** The site to write to, or the path of a bundle: `out.omanual`. */
  readonly target: Target;
}

/**
 * Loads a workspace into a site. The next call writes only what is new or changed. A `target` that
 * is a path is written as a bundle of manuals.
 */
export function load(options: LoadOptions): Promise<MigrateResult>;
export function load(options: LoadOptions<string>): Promise<BundleResult>;
export async function load({ workspace, target, ...given }: LoadOptions<Site | string>) {
  const { load: command } = await import("../commands/definitions/migration.js");
  const places = [placeOf(workspace), placeOf(target)];
  const { result, events } = await operate({ name: "load", command, places, sites: { target }, given });
  return "loaded" in result ? { ...result, ...compared(events) } : result;
}

/** The options of `plan`. */
export interface PlanOptions<Target extends Site | string = Site> extends OptionsOf<"plan">, RunHooks {
  /** A site or documents, which are extracted first. Default: the workspace is used as it is. */
  readonly source?: Site | string | undefined;
  /** The site, or the path of a bundle. */
  readonly target: Target;
}

/** The result of `plan` for a site. */
export interface PlanResult extends Planned, Told {
  /** The items that a load would change, refuse or leave out; unchanged ones are only counted. */
  readonly changes: readonly PlannedItem[];
}

/** The result of `plan` for a bundle. */
export interface BundlePlanResult extends BundlesPlanned, Told {}

/** Finds out what a migration would do. Writes nothing to the target. */
export function plan(options: PlanOptions): Promise<PlanResult>;
export function plan(options: PlanOptions<string>): Promise<BundlePlanResult>;
export async function plan({ source, target, ...given }: PlanOptions<Site | string>) {
  const { plan: command } = await import("../commands/definitions/migration.js");
  const places = [placeOf(source ?? given.workspace ?? WORKSPACE), placeOf(target)];
  const { result, events } = await operate({ name: "plan", command, places, sites: { source, target }, given });
  if (!("uploadsOfFiles" in result)) return result;
  const items = events<PlannedItem>("plan", ["key", "title", "action", "operations", "requests", "issues"]);
  const changes: readonly PlannedItem[] = items.filter(({ action }) => action !== "leave");
  return { ...result, changes };
}

const WORKSPACE = "./guideferry-workspace";

/** The options of `verify`. */
export interface VerifyOptions<Target extends Site | string = Site> extends OptionsOf<"verify">, RunHooks {
  /** A site or documents, which are extracted first. Default: the workspace is used as it is. */
  readonly source?: Site | string | undefined;
  /** The site, or the path of a bundle. */
  readonly target: Target;
}

/** The result of `verify` for a site. */
export interface VerifyResult extends Verified, Told, Compared {}

/**
 * Reads back every loaded item and compares it with the workspace. Options such as `fit` have the
 * values of the last load, unless given. Writes nothing to a site.
 */
export function verify(options: VerifyOptions): Promise<VerifyResult>;
export function verify(options: VerifyOptions<string>): Promise<BundleResult>;
export async function verify({ source, target, ...given }: VerifyOptions<Site | string>) {
  const { verify: command } = await import("../commands/definitions/migration.js");
  const places = [placeOf(source ?? given.workspace ?? WORKSPACE), placeOf(target)];
  const { result, events } = await operate({ name: "verify", command, places, sites: { source, target }, given });
  return "verified" in result ? { ...result, ...compared(events) } : result;
}

/** The options of `undo`. */
export interface UndoOptions extends OptionsOf<"undo">, RunHooks {
  /** The folder of the workspace. */
  readonly workspace: string;
  /** The site that the run wrote to. */
  readonly target: Site;
}

/** The result of `undo`. */
export interface UndoResult extends Undone, Told {
  /** The things that are not undone, each with its reason. */
  readonly refusals: readonly Refusal[];
}

/** Undoes a run on a site: deletes what it created, and restores what it changed. */
export async function undo({ workspace, target, ...given }: UndoOptions): Promise<UndoResult> {
  const { undo: command } = await import("../commands/definitions/workspace.js");
  const { result, events } = await operate({
    name: "undo",
    command,
    places: [placeOf(workspace), target],
    sites: { target },
    given,
  });
  return { ...result, refusals: events<Refusal>("refusal", ["item", "thing", "reason", "message"]) };
}

/** The options of `backup`. */
export interface BackupOptions extends OptionsOf<"backup">, RunHooks, ArchiveKeys {
  /** The site to back up. */
  readonly source: Site;
  /** The folder of the repository; created if it does not exist. */
  readonly repository: string;
}

/** The result of `backup`. */
export interface BackupResult extends BackedUp, Told {}

/** Adds a snapshot of a site to a repository of backups. Writes nothing to the site. */
export async function backup({ source, passphrase, identityKey, ...given }: BackupOptions): Promise<BackupResult> {
  const { backup: command } = await import("../commands/definitions/backup.js");
  const keys = { passphrase, identityKey };
  const { result } = await operate({ name: "backup", command, places: [source], sites: { source }, given, keys });
  return result;
}

/** The options of `restore`. */
export interface RestoreOptions<Target extends Site | string = Site>
  extends OptionsOf<"restore">,
    RunHooks,
    ArchiveKeys {
  /** The folder of a repository of backups, or the path of one full archive. */
  readonly repository: string;
  /** The site to restore: the origin of the backup, or another one. Or a new or empty folder. */
  readonly target: Target;
}

/** The result of `restore` into a site; `loaded` is there for another site than the origin. */
export interface RestoreResult extends SiteRestored, Told, Compared {}

/** The result of `restore` into a folder. */
export interface FolderRestoreResult extends FolderRestored, Told {}

/** Restores a snapshot into its own site, another site, or a folder. */
export function restore(options: RestoreOptions): Promise<RestoreResult>;
export function restore(options: RestoreOptions<string>): Promise<FolderRestoreResult>;
export async function restore(options: RestoreOptions<Site | string>): Promise<RestoreResult | FolderRestoreResult> {
  const { repository, target, passphrase, identityKey, ...given } = options;
  const { restore: command } = await import("../commands/definitions/backup.js");
  const [places, keys] = [[placeOf(repository), placeOf(target)], { passphrase, identityKey }];
  const { result, events } = await operate({ name: "restore", command, places, sites: { target }, given, keys });
  if ("uploadsOfFiles" in result) throw new Error("A restore without a dry run gave a plan: a defect of guideferry.");
  return "loaded" in result || "newer" in result ? { ...result, ...compared(events) } : result;
}

/** The options of `importTraining`. */
export interface ImportTrainingOptions extends OptionsOf<"import-training">, RunHooks {
  /** Folders, files, lists of them (.txt, .csv, .json) or https addresses. */
  readonly packages: readonly string[];
  /** The site to import into. */
  readonly target: Site;
}

/** The result of `importTraining`. */
export interface ImportTrainingResult extends Imported, Told {
  /** The result of each package. */
  readonly results: readonly ReportLine[];
}

/** Imports training packages (SCORM, AICC, cmi5, xAPI) into a site's external training modules. */
export async function importTraining({
  packages,
  target,
  ...given
}: ImportTrainingOptions): Promise<ImportTrainingResult> {
  const { importTraining: command } = await import("../commands/definitions/training.js");
  const { result, events } = await operate({
    name: "import-training",
    command,
    places: [...packages, target],
    sites: { target },
    given,
  });
  return { ...result, results: events<ReportLine>("package", ["file", "verdict", "codes", "findings"]) };
}
