import { join } from "node:path";
import { EXIT, FerryError, UsageError } from "../../core/errors.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
import { beforeRestore } from "../../storage/repository/names.js";
import { type Readers, readersOf } from "../../storage/repository/read/byte-source.js";
import type { CommandCall } from "../command.js";
import { PASSPHRASE_VARIABLE } from "../options/credential-names.js";
import type { Environment } from "../options/settings.js";
import { defaultSettings, type Settings } from "../options/table.js";
import type { Output } from "../output/output.js";
import { type Archives, keysOf, workspaceFor } from "./archives.js";

/**
 * Takes a snapshot of the site as it is now, before a restore changes it. What vanished since the
 * last one is no reason to stop: it may be why something is restored. Throws FerryError when the
 * snapshot does not come to be.
 */
export async function takeSafetySnapshot(
  call: CommandCall,
  plan: SafetySnapshotPlan,
  site: string,
  seen: Seen,
): Promise<void> {
  call.output.note("First a snapshot of the site as it is now …");
  const { runBackup } = await import("./backup.js");
  const exitCode = await runBackup(asBackup(call, plan, seen), site);
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

/** The call of a backup with the account of the restore. */
function asBackup(call: CommandCall, plan: SafetySnapshotPlan, seen: Seen): CommandCall {
  const { credentials, output } = call;
  return {
    ...call,
    version: beforeRestore(call.version),
    environment: plan.environment,
    settings: ownSettings(call.settings, plan, seen),
    given: new Set(["workspace"]),
    credentials: () => credentials("target"),
    output: quieter(output),
  };
}

/**
 * No limit: however long the chain is, what comes before a restore is no occasion to write
 * everything anew.
 */
const NEVER_FULL = Number.MAX_SAFE_INTEGER;

/**
 * How the site is talked to and read is as it was said. What variables and files say of the nights
 * is not for here: a rule of what is kept would remove the very snapshot that is restored.
 */
function ownSettings(settings: Settings, plan: SafetySnapshotPlan, { publicOnly }: Seen): Settings {
  const { json, quiet, verbose, debug, progress } = settings;
  const { rate, targetRate, mediaRate, concurrency, maxFailures, insecureHttp, identity } = settings;
  const { allowPrivateMedia, imageDetails, format, languages, personalData, partSize } = settings;
  return {
    ...defaultSettings(),
    ...{ json, quiet, verbose, debug, progress },
    ...{ rate, sourceRate: targetRate, mediaRate, concurrency, maxFailures, insecureHttp, identity },
    // The workspace of the nights may be at work: read in another way, everything in it would look
    // changed.
    ...{ allowPrivateMedia, imageDetails, format, languages, personalData, partSize },
    repository: plan.folder,
    encryptTo: plan.encryptTo,
    workspace: plan.workspace,
    maxDeletions: { share: 1 },
    fullEvery: NEVER_FULL,
    publicOnly,
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

/** How the snapshot of the present, which a restore takes first, is written. */
interface SafetySnapshotPlan {
  /** The repository. */
  readonly folder: string;
  /** Empty: with the passphrase of `environment`, or plain where that has none. */
  readonly encryptTo: readonly string[];
  readonly environment: Environment;
  /** Of the backup. */
  readonly workspace: string;
}

/**
 * Plans it as the last snapshot of the repository was written, so that whoever can read that one
 * can read both; `--encrypt-to` goes first. Null: none is taken. Throws UsageError where it is not
 * to be known whom it would be for, and for a single archive.
 */
export async function planSafetySnapshot(call: CommandCall, archives: Archives): Promise<SafetySnapshotPlan | null> {
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
function plain(
  folder: string,
  { [PASSPHRASE_VARIABLE]: _passphrase, ...environment }: Environment,
): SafetySnapshotPlan {
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
