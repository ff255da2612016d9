import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type BackupSummary, backup } from "../../backup/backup.js";
import { ArchiveElsewhere, type HeldRepository, holdRepository } from "../../backup/hold-repository.js";
import { EXIT, type ExitCode, FerryError, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/files.js";
import { withCommas } from "../../core/util/printable-text.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { ReadingOptions, SnapshotIndex } from "../../storage/repository/format.js";
import { parseArchiveName } from "../../storage/repository/names.js";
import { isDamaged } from "../../storage/storage-error.js";
import { setStateAside } from "../../storage/workspace/state.js";
import { userStateFolder } from "../../storage/workspace/user-state-folder.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { describeCounts, describeLeftOut, describePrivate } from "../../sync/extract/summary.js";
import type { CommandCall } from "../command.js";
import { readFolder, readGoalRepository } from "../location.js";
import { refreshOf } from "../migration/steps.js";
import { backupMetrics } from "../monitoring/metrics.js";
import { readPassphrase } from "../options/settings.js";
import type { Settings } from "../options/table.js";
import { describeFailures } from "../output/describe.js";
import { clockTime, count, size } from "../output/words.js";
import type { BackupFacts, BackupResult } from "../results.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session/session.js";
import { withSource } from "../session/sites.js";
import { encryptionOf, keysOf } from "./keys.js";
import { type PrunedAfter, pruneAfter } from "./prune.js";

export async function runBackup(given: CommandCall, site: string): Promise<BackupResult> {
  // All records of the service: a gap in a backup would be found only when it is needed.
  const call: CommandCall = { ...given, settings: { ...given.settings, records: "all" } };
  const storage = await readGoal(call.settings.repository, call);
  const started = Date.now();
  const done: BackupSummary[] = [];
  call.monitor?.measure((exitCode, ended) =>
    backupMetrics({ repository: storage.address, exitCode, started, ended, summary: done[0] }),
  );
  return hold(call, storage, site, done);
}

async function hold(
  given: CommandCall,
  storage: RepositoryStorage,
  site: string,
  done: BackupSummary[],
): Promise<BackupResult> {
  const directory = workspaceOf(given, storage);
  const held = await holdRepository(storage, { command: "guideferry backup", create: true });
  const elsewhere = new ArchiveElsewhere();
  // Without the lease, another run may write: this one must end.
  const call = { ...given, abort: AbortSignal.any([given.abort, held.lease.lost]) };
  try {
    // Later readers of the workspace find the media there.
    const details = { repository: storage.address };
    const plan = { command: "backup", directory, create: true, sites: { source: site }, elsewhere, details } as const;
    const run = (): Promise<BackupResult> =>
      withWorkspace(call, plan, async (session) => {
        const summary = await backUp(session, { held, elsewhere, site });
        done.push(summary);
        return finishBackup(session, summary, await pruneAfter(call, storage));
      });
    return await run().catch((error: unknown) => withoutDamagedState(call, directory, error, run));
  } catch (error) {
    await held.lease.abandon();
    throw error;
  } finally {
    await held.lease.release();
  }
}

/** Runs again with an empty state: the archives and the site hold its content. */
async function withoutDamagedState(
  { output, stop }: CommandCall,
  directory: string,
  error: unknown,
  run: () => Promise<BackupResult>,
): Promise<BackupResult> {
  const aside = isDamaged(error) && !stop.aborted ? await setStateAside(directory, new Date()) : undefined;
  if (aside === undefined) throw error;
  output.warn(
    `The state of the workspace ${directory} is damaged. It was renamed to ${aside}, and is built again from the archives. Check the disk. ` +
      "If this workspace was ever loaded into a site, that file holds its ledger. Restore it from a copy before the next load, or the load creates the content twice.",
  );
  return run();
}

interface Places {
  readonly held: HeldRepository;
  readonly elsewhere: ArchiveElsewhere;
  readonly site: string;
}

async function backUp(session: Session, { held, elsewhere, site }: Places): Promise<BackupSummary> {
  const { call, workspace } = session;
  const { settings } = call;
  const { name, partSize, fullEvery, maxDeletions, publicOnly } = settings;
  const [encryption, keys] = [await encryptionOf(call, { passphrase: true }), await keysOf(call)];
  return withSource(session, { site }, (source) =>
    backup({
      source,
      workspace,
      elsewhere,
      held,
      keys,
      encryption,
      options: { name, partBytes: partSize, fullEvery, maxDeletions, publicOnly },
      reading: refreshOf(settings),
      readAs: readingOf(settings),
      madeBy: `guideferry ${call.version}`,
      now: () => new Date(),
      control: controlOf(call),
    }),
  );
}

function readingOf({ imageDetails, format, languages, personalData }: Settings): ReadingOptions {
  return { imageDetails, format, languages: [...languages], personalData };
}

/**
 * `--workspace`, or a folder in the repository if its archives are not encrypted. For object
 * storage, a folder of the user on this machine, always the same for an address.
 */
function workspaceOf({ given, settings, environment }: CommandCall, { address, folder }: RepositoryStorage): string {
  if (folder === null && !given.has("workspace")) {
    const state = userStateFolder({ environment, platform: process.platform, home: homedir() });
    return join(state, "workspaces", address.replace(/^[a-z0-9]+:\/\//i, "").replace(/[^\w.-]+/g, "_"));
  }
  const directory = given.has("workspace") ? readFolder(settings.workspace) : join(folder ?? "", "workspace");
  const encrypts = settings.encryptTo.length > 0 || readPassphrase(environment) !== null;
  if (!encrypts || folder === null || !isUnder(directory, folder)) return directory;
  throw new UsageError(
    `The archives are encrypted, but the workspace ${directory} with the unencrypted texts would be next to them. ` +
      "Name a folder for it that only you can read: --workspace DIR.",
  );
}

/** Prints a backup. A snapshot with failures ends with 3, one with too many deletions with 8. */
async function finishBackup(
  { call, workspace }: Session,
  backup: BackupSummary,
  pruned: PrunedAfter | undefined,
): Promise<Ended<BackupFacts>> {
  const { output } = call;
  const { index, failures, warnings, extracted } = backup;
  const exitCode = exitCodeOfBackup(backup, pruned);
  output.close();
  const reported = [...describePrivate(extracted, "--public-only"), ...warnings, ...obstacle(pruned)];
  for (const failure of failures) output.event("failure", failure);
  const again = "the next backup reads them first";
  const failed = describeFailures(failures, workspace.directory, again);
  const end = `${describeBackup(backup)}${describePruned(pruned)}`;
  const report = [...reported, ...describeCounts(extracted), ...failed, end];
  for (const warning of [...reported, ...(await leaveReport(workspace, report))]) output.warn(warning);
  for (const line of describeLeftOut(extracted)) output.note(line);
  for (const line of [...failed, end]) output.say(line, "prose");
  const { snapshot, kind, complete, manyDeleted, counts, archives } = index;
  const facts = {
    snapshot,
    kind,
    complete,
    manyDeleted,
    counts,
    archives,
    bytes: backup.bytes,
    duration: backup.duration,
  };
  const summary = { ...facts, extracted, failures: failures.length, ...removedBy(pruned) };
  return { exitCode, summary, facts: { repository: backup.repository, ...summary } };
}

/** Saves the summary of the run. An error is only a warning: the snapshot is good. */
async function leaveReport(workspace: Workspace, lines: readonly string[]): Promise<readonly string[]> {
  const file = workspace.reportFile("summary.txt");
  try {
    await onDisk(`writing ${file}`, writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 }));
    return [];
  } catch (error) {
    if (error instanceof FerryError) return [`The snapshot is written and valid. ${error.message}`];
    throw error;
  }
}

function exitCodeOfBackup({ failures, index }: BackupSummary, pruned: PrunedAfter | undefined): ExitCode {
  if (index.manyDeleted !== undefined) return EXIT.safetyLimit;
  if (failures.length > 0) return EXIT.someFailed;
  return pruned !== undefined && "failed" in pruned ? pruned.failed.exitCode : EXIT.ok;
}

function obstacle(pruned: PrunedAfter | undefined): readonly string[] {
  if (pruned === undefined || !("failed" in pruned)) return [];
  return [`The snapshot is written and valid, but old snapshots could not be deleted: ${pruned.failed.message}`];
}

function describePruned(pruned: PrunedAfter | undefined): string {
  if (pruned === undefined || !("removed" in pruned) || pruned.removed.length === 0) return "";
  return ` Pruned: ${count(pruned.removed.length, "snapshot")}, ${size(pruned.bytes)}.`;
}

function removedBy(pruned: PrunedAfter | undefined): { readonly pruned?: readonly string[] } {
  return pruned !== undefined && "removed" in pruned ? { pruned: pruned.removed } : {};
}

function readGoal(text: string | null, call: CommandCall): Promise<RepositoryStorage> {
  if (text !== null) return readGoalRepository(text, call);
  throw new UsageError("Name the folder of the backups: --to REPO. It is created if it does not exist.");
}

function describeBackup({ index, bytes, duration, extracted, failures }: BackupSummary): string {
  const { snapshot, kind, complete, counts } = index;
  const news = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.deleted, "deleted"],
  ] as const;
  const reported = news.filter(([number]) => number > 0).map(([number, what]) => `${withCommas(number)} ${what}`);
  const media = `${count(counts.media, "media file")}${counts.newMedia === 0 ? "" : ` (${withCommas(counts.newMedia)} new)`}`;
  return (
    `Snapshot ${snapshot} of ${extracted.site.name}: ${kind}, ${complete ? "complete" : `INCOMPLETE (${count(failures.length, "failure")})`}; ` +
    `${count(counts.present, "item")} (${reported.length === 0 ? "nothing changed" : reported.join(", ")}), ${media}; ` +
    `${size(bytes)} in ${filesOf(index)}, ${clockTime(duration / 1000)}.`
  );
}

function filesOf({ archives }: SnapshotIndex): string {
  const main = archives.at(-1)?.name ?? "";
  const parts = archives.filter(({ name }) => typeof parseArchiveName(name)?.part === "number").length;
  return parts === 0 ? main : `${main} and ${count(parts, "part")}`;
}
