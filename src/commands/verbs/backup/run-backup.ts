import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ReadingOptions } from "../../../storage/repository/format.js";
import { type ExitCode, UsageError } from "../../../core/errors.js";
import { backup } from "../../../backup/backup.js";
import { ArchiveElsewhere } from "../../../backup/night/archive-elsewhere.js";
import type { BackupSummary } from "../../../backup/night/backup-summary.js";
import { type HeldRepository, holdRepository } from "../../../backup/night/hold-repository.js";
import { isUnder } from "../../../backup/night/is-under.js";
import { undoFolder } from "../../../backup/night/undo-folder.js";
import { setStateAside } from "../../../storage/workspace/damaged-state.js";
import { isDamaged } from "../../../storage/workspace/storage-error.js";
import type { CommandCall } from "../../command.js";
import { readFolder } from "../../location.js";
import { readPassphrase } from "../../options/credentials.js";
import type { Settings } from "../../options/table.js";
import { exitCodeOf } from "../../output/explain-error.js";
import { controlOf, type Session, withWorkspace } from "../session.js";
import { withSource } from "../sites.js";
import { refreshOf } from "../source-steps.js";
import { encryptionOf, keysOf } from "./encryption-of.js";
import { finishBackup } from "./finish-backup.js";
import { readGoal } from "./places.js";
import { pruneAfter } from "./prune-after.js";
import { tellMetrics } from "./tell-metrics.js";

/** Backs a site up, with the numbers for a monitor however it ends. */
export async function runBackup(given: CommandCall, site: string): Promise<ExitCode> {
  // All that the service has: a backup that leaves something out is found out on the worst day.
  const call: CommandCall = { ...given, settings: { ...given.settings, records: "all" } };
  const folder = readGoal(call.settings.repository);
  const started = Date.now();
  const done: BackupSummary[] = [];
  const tell = (exitCode: ExitCode): Promise<ExitCode> =>
    tellMetrics(call, { folder, exitCode, started, ended: Date.now(), summary: done[0] });
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

/** What a damaged state knew is in the archives and at the site: with an empty one the run goes on as with a new workspace. */
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

/** `--workspace`, or a folder in the repository; what is encrypted there must not lie beside itself in the clear. */
function workspaceOf(call: CommandCall, folder: string): string {
  const directory = call.given.has("workspace") ? readFolder(call.settings.workspace) : join(folder, "workspace");
  const encrypts = call.settings.encryptTo.length > 0 || readPassphrase(call.environment) !== null;
  if (!encrypts || !isUnder(directory, folder)) return directory;
  throw new UsageError(
    `The archives are to be encrypted, and the workspace ${directory}, which holds the texts in the clear, would lie among them. ` +
      "Name a place for it that only you can read: --workspace DIR.",
  );
}
