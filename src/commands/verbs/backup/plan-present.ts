import { join } from "node:path";
import type { SnapshotIndex } from "../../../storage/repository/format.js";
import { type Readers, readersOf } from "../../../storage/repository/read/readers-of.js";
import { UsageError } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import { PASSPHRASE_VARIABLE } from "../../options/credential-names.js";
import type { Environment } from "../../options/environment.js";
import { keysOf } from "./encryption-of.js";
import { workspaceFor } from "./restore-workspace.js";
import type { Archives } from "./with-archives.js";

/** How the snapshot of the present, which a restore takes first, is written. */
export interface PresentPlan {
  /** The repository. */
  readonly folder: string;
  /** Empty: with the passphrase of `environment`, or plain where that has none. */
  readonly encryptTo: readonly string[];
  readonly environment: Environment;
  /** Of the backup. */
  readonly workspace: string;
}

/**
 * Plans it as the last snapshot of the repository was written, so that whoever can read that one can read both; `--encrypt-to` goes first. Null: none is taken.
 * Throws UsageError where it is not to be known whom it would be for, and for a single archive.
 */
export async function planPresent(call: CommandCall, archives: Archives): Promise<PresentPlan | null> {
  const { settings, environment } = call;
  const { path: folder, isRepository, repository } = archives;
  if (settings.dryRun || !settings.snapshotFirst) return null;
  if (!isRepository) throw noRepository(folder);
  // What is encrypted there must not lie beside itself in the clear.
  const elsewhere = `${workspaceFor(call, archives)}-present`;
  if (settings.encryptTo.length > 0)
    return { folder, encryptTo: settings.encryptTo, environment, workspace: elsewhere };
  const last = repository.snapshots().at(-1);
  if (last?.encrypted !== true) return plain(folder, environment);
  const readers = await readersOf(folder, last, await keysOf(call));
  if (readers.by === "others") throw unknownReaders(last, readers);
  const encryptTo = readers.by === "recipients" ? readers.recipients : [];
  return { folder, encryptTo, environment, workspace: elsewhere };
}

/** A passphrase that is set for another repository encrypts nothing here. */
function plain(folder: string, { [PASSPHRASE_VARIABLE]: _passphrase, ...environment }: Environment): PresentPlan {
  return { folder, encryptTo: [], environment, workspace: join(folder, "workspace") };
}

function noRepository(path: string): UsageError {
  return new UsageError(
    `${path} is a single archive of the very site that it would be restored into, so there is no repository that could keep the site as it is now. ` +
      "Give the repository, or back the site up yourself and add --no-snapshot-first.",
  );
}

function unknownReaders(
  { snapshot }: SnapshotIndex,
  { count, known }: Extract<Readers, { readonly by: "others" }>,
): UsageError {
  const lack =
    known === 0
      ? "none of the keys given opens it"
      : `it is for ${count} recipients, of whom ${known} are among the keys given`;
  return new UsageError(
    `First a snapshot of the site as it is now would be taken, encrypted as the last one, ${snapshot}, is; but ${lack}. Give all its keys (--identity FILE, or GUIDEFERRY_PASSPHRASE), ` +
      "or say whom it is for: --encrypt-to age1… as with guideferry backup. Or run your usual guideferry backup now, so that nothing of the present is lost, and restore with --no-snapshot-first.",
  );
}
