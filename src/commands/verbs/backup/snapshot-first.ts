import { EXIT, FerryError, UsageError } from "../../../errors.js";
import { beforeRestore } from "../../../pipeline/backup/before-restore.js";
import type { CommandCall } from "../../command.js";
import type { Output } from "../../output/output.js";
import type { Archives } from "./with-archives.js";

/**
 * Takes a snapshot of the site as it is now, before a restore changes it. What vanished since the last one is no reason to stop: it may be why
 * something is restored. Throws UsageError where the repository is encrypted, and FerryError when the snapshot does not come to be.
 */
export async function keepPresent(
  call: CommandCall,
  { path, repository }: Archives,
  site: string,
  seen: Seen,
): Promise<void> {
  if (!call.settings.snapshotFirst) return;
  if (repository.snapshots().at(-1)?.encrypted === true) {
    throw new UsageError(
      "This repository is encrypted, and how new snapshots are encrypted, and where the workspace of the backups lies, is known to the backup alone. " +
        "Run your usual guideferry backup first, so that nothing of the present is lost; then restore with --no-snapshot-first.",
    );
  }
  call.output.note("First a snapshot of the site as it is now …");
  const { runBackup } = await import("./run-backup.js");
  const exitCode = await runBackup(asBackup(call, path, seen), site);
  if (exitCode === EXIT.ok) return;
  if (exitCode !== EXIT.someFailed)
    throw new FerryError("The site as it is now could not be kept, so nothing was restored.", { exitCode });
  call.output.warn(
    "The snapshot of the present is incomplete: what failed is listed above, and would be overwritten all the same.",
  );
}

/** What the account of the restore sees. */
interface Seen {
  readonly publicOnly: boolean;
}

/** The call of a backup with the account of the restore, and everything else as it is by default. */
function asBackup(call: CommandCall, folder: string, { publicOnly }: Seen): CommandCall {
  const { settings, given, credentials, output } = call;
  return {
    ...call,
    version: beforeRestore(call.version),
    settings: {
      ...settings,
      repository: folder,
      maxDeletions: { share: 1 },
      publicOnly,
      include: [],
      exclude: [],
      since: null,
      sourceRate: settings.targetRate,
    },
    // The workspace of the backups is the one in the repository.
    given: new Set([...given].filter((name) => name !== "workspace")),
    credentials: () => credentials("target"),
    output: quieter(output),
  };
}

/** Its end is not the end of the restore. */
function quieter(output: Output): Output {
  return {
    ...output,
    event: (type, facts) => (type === "summary" ? undefined : output.event(type, facts)),
    say: (text) => output.note(text),
  };
}
