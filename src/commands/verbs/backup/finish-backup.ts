import { EXIT, type ExitCode } from "../../../errors.js";
import type { BackupSummary } from "../../../pipeline/backup/night/backup-summary.js";
import { describePrivate } from "../../../pipeline/extract-summary.js";
import { describeFailures } from "../../output/describe.js";
import { describeBackup, size } from "../../output/describe-backup.js";
import { count } from "../../output/words.js";
import type { Ended, Session } from "../session.js";
import type { PrunedAfter } from "./prune-after.js";

/** Tells what a backup did. A snapshot in which something failed is kept, and the run ends with 3. */
export function finishBackup(
  { call, workspace }: Session,
  backup: BackupSummary,
  pruned: PrunedAfter | undefined,
): Ended {
  const { output } = call;
  const { index, failures, warnings, extracted } = backup;
  const exitCode = exitCodeOf(backup, pruned);
  output.close();
  for (const warning of [...describePrivate(extracted), ...warnings, ...obstacle(pruned)]) output.warn(warning);
  for (const failure of failures) output.event("failure", failure);
  const again = "the next backup tries them first";
  for (const line of describeFailures(failures, workspace.directory, again)) output.say(line);
  output.say(`${describeBackup(backup)}${describePruned(pruned)}`);
  const { snapshot, kind, complete, counts, archives } = index;
  const facts = { snapshot, kind, complete, counts, archives, bytes: backup.bytes, duration: backup.duration };
  const told = { ...facts, extracted, failures: failures.length, ...removedBy(pruned) };
  output.event("summary", { exitCode, repository: backup.folder, ...told });
  return { exitCode, summary: told };
}

function exitCodeOf({ failures }: BackupSummary, pruned: PrunedAfter | undefined): ExitCode {
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
