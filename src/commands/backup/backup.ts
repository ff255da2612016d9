import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type BackupSummary, backup } from "../../backup/backup.js";
import { ArchiveElsewhere, type HeldRepository, holdRepository, undoFolder } from "../../backup/hold-repository.js";
import { type RunFacts, writeMetrics } from "../../backup/metrics.js";
import { EXIT, type ExitCode, FerryError, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/files.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { ReadingOptions, SnapshotIndex } from "../../storage/repository/format.js";
import { isDamaged } from "../../storage/storage-error.js";
import { setStateAside } from "../../storage/workspace/state.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { describeCounts, describeLeftOut, describePrivate } from "../../sync/extract/summary.js";
import type { CommandCall } from "../command.js";
import { exitCodeOf } from "../exit-codes.js";
import { readFolder } from "../location.js";
import { refreshOf } from "../migration/steps.js";
import { readPassphrase } from "../options/settings.js";
import type { Settings } from "../options/table.js";
import { describeFailures } from "../output/describe.js";
import { clockTime, count, size } from "../output/words.js";
import { controlOf, type Ended, type Session, withWorkspace } from "../session/session.js";
import { withSource } from "../session/sites.js";
import { encryptionOf, keysOf } from "./keys.js";
import { type PrunedAfter, pruneAfter } from "./prune.js";

export async function runBackup(given: CommandCall, site: string): Promise<ExitCode> {
  // All that the service has: a backup that leaves something out is found out on the worst day.
  const call: CommandCall = { ...given, settings: { ...given.settings, records: "all" } };
  const folder = readGoal(call.settings.repository);
  const started = Date.now();
  const done: BackupSummary[] = [];
  const tell = (exitCode: ExitCode): Promise<ExitCode> =>
    writeBackupMetrics(call, { folder, exitCode, started, ended: Date.now(), summary: done[0] });
  const exitCode = await hold(call, folder, site, done).catch(async (error: unknown) => {
    await tell(exitCodeOf(error));
    throw error;
  });
  return tell(exitCode);
}

async function hold(call: CommandCall, folder: string, site: string, done: BackupSummary[]): Promise<ExitCode> {
  const directory = workspaceOf(call, folder);
  const isNew = !existsSync(folder);
  const held = await holdRepository(folder, { command: "guideferry backup", create: true });
  const elsewhere = new ArchiveElsewhere();
  try {
    // Who looks at the workspace later finds the media there.
    const details = { repository: resolve(folder) };
    const plan = { command: "backup", directory, create: true, sites: { source: site }, elsewhere, details } as const;
    const run = (): Promise<ExitCode> =>
      withWorkspace(call, plan, async (session) => {
        const summary = await backUp(session, { held, elsewhere, site });
        done.push(summary);
        return finishBackup(session, summary, await pruneAfter(call, folder));
      });
    return await run().catch((error: unknown) => withoutDamagedState(call, directory, error, run));
  } catch (error) {
    if (isNew) await undoFolder(held);
    throw error;
  } finally {
    held.release();
  }
}

/** Runs again with an empty state: the archives and the site hold what the damaged one held. */
async function withoutDamagedState(
  { output, stop }: CommandCall,
  directory: string,
  error: unknown,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const aside = isDamaged(error) && !stop.aborted ? await setStateAside(directory, new Date()) : undefined;
  if (aside === undefined) throw error;
  output.warn(
    `The state of the workspace ${directory} is damaged. It was set aside as ${aside}, and is learnt anew from the archives. Check the disk. ` +
      "If something was ever loaded from this workspace, its ledger is in that file: restore it from a copy before the next load, or that load doubles content.",
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
 * `--workspace`, or a folder in the repository; what is encrypted there must not lie beside itself
 * in the clear.
 */
function workspaceOf(call: CommandCall, folder: string): string {
  const directory = call.given.has("workspace") ? readFolder(call.settings.workspace) : join(folder, "workspace");
  const encrypts = call.settings.encryptTo.length > 0 || readPassphrase(call.environment) !== null;
  if (!encrypts || !isUnder(directory, folder)) return directory;
  throw new UsageError(
    `The archives are to be encrypted, and the workspace ${directory}, which holds the texts in the clear, would lie among them. ` +
      "Name a place for it that only you can read: --workspace DIR.",
  );
}

/**
 * Tells what a backup did. A snapshot in which something failed is kept, and the run ends with 3;
 * one before which too much vanished with 8.
 */
async function finishBackup(
  { call, workspace }: Session,
  backup: BackupSummary,
  pruned: PrunedAfter | undefined,
): Promise<Ended> {
  const { output } = call;
  const { index, failures, warnings, extracted } = backup;
  const exitCode = exitCodeOfBackup(backup, pruned);
  output.close();
  const told = [...describePrivate(extracted, "--public-only"), ...warnings, ...obstacle(pruned)];
  for (const failure of failures) output.event("failure", failure);
  const again = "the next backup tries them first";
  const failed = describeFailures(failures, workspace.directory, again);
  const end = `${describeBackup(backup)}${describePruned(pruned)}`;
  const report = [...told, ...describeCounts(extracted), ...failed, end];
  for (const warning of [...told, ...(await leaveReport(workspace, report))]) output.warn(warning);
  for (const line of describeLeftOut(extracted)) output.note(line);
  for (const line of [...failed, end]) output.say(line);
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
  output.event("summary", { exitCode, repository: backup.folder, ...summary });
  return { exitCode, summary };
}

/**
 * The words of the run, for whoever looks later. That they can't be written makes the snapshot no
 * worse: gives a warning then.
 */
async function leaveReport(workspace: Workspace, lines: readonly string[]): Promise<readonly string[]> {
  const file = workspace.reportFile("summary.txt");
  try {
    await onDisk(`writing ${file}`, writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 }));
    return [];
  } catch (error) {
    if (error instanceof FerryError) return [`The snapshot is written and good. ${error.message}`];
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
  return [`The snapshot is written and good, but old ones could not be pruned: ${pruned.failed.message}`];
}

function describePruned(pruned: PrunedAfter | undefined): string {
  if (pruned === undefined || !("removed" in pruned) || pruned.removed.length === 0) return "";
  return ` Pruned: ${count(pruned.removed.length, "snapshot")}, ${size(pruned.bytes)}.`;
}

function removedBy(pruned: PrunedAfter | undefined): { readonly pruned?: readonly string[] } {
  return pruned !== undefined && "removed" in pruned ? { pruned: pruned.removed } : {};
}

/**
 * Writes the numbers of a run, where somebody asked for them, and gives the exit code that it ends
 * with. A file that can't be written is a warning: it never hides how the backup itself ended. A
 * run that another one kept out (11) leaves that one's numbers alone.
 */
async function writeBackupMetrics({ settings, output }: CommandCall, run: RunFacts): Promise<ExitCode> {
  if (settings.metrics === null || run.exitCode === EXIT.locked) return run.exitCode;
  try {
    await writeMetrics(settings.metrics, run);
    return run.exitCode;
  } catch (error) {
    if (!(error instanceof FerryError)) throw error;
    output.warn(
      `The numbers for the monitor could not be written; the backup itself is not touched by that. ${error.message}`,
    );
    return run.exitCode === EXIT.ok ? EXIT.someFailed : run.exitCode;
  }
}

function readGoal(text: string | null): string {
  if (text !== null) return readFolder(text);
  throw new UsageError("Where do the backups go? Name their folder: --to REPO. It is made when it is not there.");
}

function describeBackup({ index, bytes, duration, extracted, failures }: BackupSummary): string {
  const { snapshot, kind, complete, counts } = index;
  const news = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.deleted, "deleted"],
  ] as const;
  const told = news
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number.toLocaleString("en-US")} ${what}`);
  const media = `${count(counts.media, "media file")}${counts.newMedia === 0 ? "" : ` (${counts.newMedia.toLocaleString("en-US")} new)`}`;
  return (
    `Snapshot ${snapshot} of ${extracted.site.name}: ${kind}, ${complete ? "complete" : `INCOMPLETE (${count(failures.length, "failure")})`}; ` +
    `${count(counts.present, "item")} (${told.length === 0 ? "nothing changed" : told.join(", ")}), ${media}; ` +
    `${size(bytes)} in ${filesOf(index)}, ${clockTime(duration / 1000)}.`
  );
}

function filesOf({ archives }: SnapshotIndex): string {
  const main = archives.at(-1)?.name ?? "";
  return archives.length === 1 ? main : `${main} and ${count(archives.length - 1, "part")}`;
}
