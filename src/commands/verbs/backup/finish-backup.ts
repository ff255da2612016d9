import { writeFile } from "node:fs/promises";
import { onDisk } from "../../../storage/archive/disk-error.js";
import { EXIT, type ExitCode, FerryError } from "../../../core/errors.js";
import type { BackupSummary } from "../../../backup/night/backup-summary.js";
import { describeCounts, describeLeftOut, describePrivate } from "../../../sync/extract-summary.js";
import type { Workspace } from "../../../storage/workspace/workspace.js";
import { describeFailures } from "../../output/describe.js";
import { describeBackup, size } from "../../output/describe-backup.js";
import { count } from "../../output/words.js";
import type { Ended, Session } from "../session.js";
import type { PrunedAfter } from "./prune-after.js";

/** Tells what a backup did. A snapshot in which something failed is kept, and the run ends with 3; one before which too much vanished with 8. */
export async function finishBackup(
  { call, workspace }: Session,
  backup: BackupSummary,
  pruned: PrunedAfter | undefined,
): Promise<Ended> {
  const { output } = call;
  const { index, failures, warnings, extracted } = backup;
  const exitCode = exitCodeOf(backup, pruned);
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

/** The words of the run, for whoever looks later. That they can't be written makes the snapshot no worse: gives a warning then. */
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

function exitCodeOf({ failures, index }: BackupSummary, pruned: PrunedAfter | undefined): ExitCode {
  if (index.manyDeleted !== undefined) return EXIT.brake;
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
