import { mkdirSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ledger } from "../../core/contracts.js";
import { EXIT, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { ModuleJournal } from "../../core/training.js";
import { WorkspaceLedger } from "../ledger/ledger.js";
import { countLosses, type LossCount } from "../ledger/note-rows.js";
import { listTargets, targetOfModules, useTarget } from "../ledger/target-status.js";
import { UndoLedger } from "../ledger/undo-ledger.js";
import type { Database, ShipChange } from "../sqlite.js";
import { storageError } from "../storage-error.js";
import { type ArchivedStore, createArchivedStore } from "./archived.js";
import { CommitBatches } from "./commit-batches.js";
import { createFailureList, type FailureList, NO_TARGET } from "./failure-list.js";
import { createItemStore, type ItemStore } from "./item-store.js";
import { BEFORE_THE_STAMP, type Layout, layoutOf, makeFolder } from "./layout.js";
import { describeHolder, type Lock, takeLock } from "./lock.js";
import { createMediaStore, type Elsewhere, type MediaStore } from "./media-store.js";
import { createModuleJournal } from "./module-journal.js";
import { createRunLog, type RunLog } from "./run-log.js";
import { createScratch, type Scratch } from "./scratch.js";
import { isSameSite, newStamp, readStamp, type Stamp, writeStamp } from "./stamp.js";
import { closeState, openState, SCHEMA } from "./state.js";

interface WorkspaceOptions {
  /** Create a missing workspace; otherwise it is a WorkspaceError (exit 10). */
  readonly create: boolean;
  /** For the message of a second run: `guideferry load`. */
  readonly command: string;
  /** Name and version, for `workspace.json`. Default: `guideferry`. */
  readonly madeBy?: string;
  /**
   * Milliseconds before the next attempt to fetch a media file, after `failed` attempts. Default: 1
   * to 16 s with jitter.
   */
  readonly wait?: (failed: number) => number;
  /** Contents outside the folder; default: none. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Another place that has the state too. Default: none. */
  readonly shared?: SharedState | undefined;
}

/** The state of a workspace at a place that other machines reach. */
export interface SharedState {
  /**
   * Called once, when the tables exist and before the first change.
   *
   * @param version `user_version` of the state
   * @param copyTo writes the state into a new file
   */
  begin(version: number, copyTo: (file: string) => void): Promise<void>;
  readonly ship: ShipChange;
  /** Takes a new text of `workspace.json`; fulfilled when it is durable there. */
  stamp(text: string): Promise<void>;
}

interface TargetInfo {
  readonly root: string;
  readonly siteId: string | null;
  readonly name: string;
  /** UNIX seconds. */
  readonly lastUsed: number;
}

/** A workspace that is locked for this run. docs/design/workspace.md describes the format. */
export interface Workspace {
  readonly directory: string;
  /** Binds the workspace to a source; another one throws WorkspaceError (exit 2). */
  claim(site: SiteIdentity): Promise<void>;
  source(): SiteIdentity | undefined;
  readonly items: ItemStore;
  readonly media: MediaStore;
  readonly archived: ArchivedStore;
  readonly runs: RunLog;
  readonly failures: FailureList;
  readonly scratch: Scratch;
  /** The ledger of a target, created at first use. Later failures belong to this target. */
  ledger(target: SiteIdentity): Ledger;
  /** The pre-images and the ledger for an undo. Later failures belong to this target. */
  past(target: SiteIdentity): UndoLedger;
  /**
   * The loss ledger in numbers, of the target whose ledger or past was opened last. After `close`
   * the last result.
   */
  lossCounts(): readonly LossCount[];
  /** The journal of the training packages of a target, created at first use. */
  modules(target: SiteIdentity): ModuleJournal;
  /** The target that was used last comes first. */
  targets(): readonly TargetInfo[];
  /** A path for a file of the current run, `reports/<run id>/<name>`; creates its folder. */
  reportFile(name: string): string;
  /** Releases the lock; may be called twice. The workspace can't be used afterwards. */
  close(): Promise<void>;
}

/**
 * Locks and opens the workspace. Throws WorkspaceError: not found (exit 10), locked by another run
 * (11), another kind of folder or a newer format (2), damaged (6), not readable or writable.
 */
export async function openWorkspace(directory: string, options: WorkspaceOptions): Promise<Workspace> {
  const { command, create, madeBy = "guideferry" } = options;
  const folder = await openFolder(layoutOf(directory), { create, command, madeBy });
  try {
    return await assemble(folder, options);
  } catch (error) {
    folder.lock.release();
    throw error;
  }
}

async function assemble({ layout, lock, stamp }: OpenFolder, options: WorkspaceOptions): Promise<Workspace> {
  const { wait = waitWithJitter, elsewhere, shared } = options;
  const database = openState(layout.state);
  if (shared !== undefined) await beginSharing(database, shared);
  const batches = new CommitBatches(database, elsewhere?.keep);
  const runs = createRunLog(database);
  let current: Stamp = stamp;
  let isClosed = false;
  let losses: readonly LossCount[] = [];
  let target = NO_TARGET;
  return {
    directory: layout.directory,
    claim: async (site) => {
      refuseOther(layout.directory, current, site);
      const claimed: Stamp = {
        ...current,
        source: { ...site, hosts: [...site.hosts], languages: [...site.languages] },
      };
      if (JSON.stringify(claimed) !== JSON.stringify(current)) {
        const text = await writeStamp(layout, claimed);
        await shared?.stamp(text);
      }
      current = claimed;
    },
    source: () => current.source ?? undefined,
    items: createItemStore({ database, layout, batches, elsewhere }),
    media: createMediaStore({ layout, batches, wait, elsewhere }),
    archived: createArchivedStore(database),
    runs,
    failures: createFailureList(database, () => target),
    scratch: createScratch(database),
    ledger: (site) => {
      target = useTarget(database, site);
      return new WorkspaceLedger(database, target, runs.current);
    },
    past: (site) => {
      target = useTarget(database, site);
      return new UndoLedger(database, target);
    },
    lossCounts: () => {
      if (!isClosed) losses = countLosses(database, target);
      return losses;
    },
    modules: (site) => createModuleJournal(database, targetOfModules(database, site)),
    targets: () => listTargets(database).map(({ root, siteId, name, lastUsed }) => ({ root, siteId, name, lastUsed })),
    reportFile: (name) => {
      const folder = join(layout.reports, runs.current() ?? "no-run");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return join(folder, name);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      try {
        await batches.idle();
        // Ships the plain transactions after the last durable write.
        if (shared !== undefined) await database.durably(() => undefined);
      } finally {
        try {
          closeState(database);
        } finally {
          lock.release();
        }
      }
    },
  };
}

async function beginSharing(database: Database, shared: SharedState): Promise<void> {
  try {
    await shared.begin(SCHEMA, (file) => database.copyTo(file));
    database.shipTo(shared.ship);
  } catch (error) {
    closeState(database);
    throw error;
  }
}

function refuseOther(directory: string, { source }: Stamp, site: SiteIdentity): void {
  if (source === null || isSameSite(source, site)) return;
  throw new WorkspaceError(
    `The workspace ${directory} holds the content of ${source.name} (${source.root}, site ${source.siteId ?? "unknown"}). It cannot also hold ` +
      `the content of ${site.name} (${site.root}, site ${site.siteId ?? "unknown"}). Use another folder with --workspace.`,
    { exitCode: EXIT.usage },
  );
}

interface OpenFolder {
  readonly layout: Layout;
  readonly lock: Lock;
  readonly stamp: Stamp;
}

interface FolderOptions {
  readonly create: boolean;
  readonly command: string;
  readonly madeBy: string;
}

/** Checks before it writes: a folder of another kind stays unchanged. Throws WorkspaceError. */
async function openFolder(layout: Layout, options: FolderOptions): Promise<OpenFolder> {
  const isNew = await needsStamp(layout, options.create);
  if (isNew) await makeEmpty(layout.directory);
  else await readStamp(layout);
  const lock = hold(layout, options.command);
  try {
    await clean(layout);
    // Another run may have created it between the check and the lock.
    if (await needsStamp(layout, options.create)) await writeStamp(layout, newStamp(options.madeBy));
    // After the stamp: without it, a folder with these folders looks like one of another kind.
    for (const folder of [layout.items, layout.media, layout.reports]) await makePart(layout, folder);
    return { layout, lock, stamp: await readStamp(layout) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function needsStamp(layout: Layout, create: boolean): Promise<boolean> {
  const names = await listFolder(layout.directory);
  if (names?.includes("workspace.json")) return false;
  if (names?.some((name) => !BEFORE_THE_STAMP.has(name))) throw foreign(layout.directory, create);
  if (!create) throw notFound(layout.directory);
  return true;
}

/** undefined: there is no such folder. */
async function listFolder(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw storageError(error, `opening the workspace ${folder}`);
  }
}

async function makeEmpty(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await chmod(folder, 0o700);
  } catch (error) {
    throw storageError(error, `creating the workspace ${folder}`);
  }
}

function hold(layout: Layout, command: string): Lock {
  const taken = takeLock(layout.lock, command);
  if ("lock" in taken) return taken.lock;
  throw new WorkspaceError(
    `Another run uses the workspace ${layout.directory}: ${describeHolder(taken.heldBy)}. This command did nothing. ` +
      "Wait until the other run ends or stop it, then run the same command again. " +
      `\`guideferry status ${layout.directory}\` shows its progress.`,
    { exitCode: EXIT.locked },
  );
}

async function makePart(layout: Layout, folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw storageError(error, `opening the workspace ${layout.directory}`);
  }
}

/** Under the lock, files in `temporary/` can only be those of killed runs. */
async function clean(layout: Layout): Promise<void> {
  try {
    await rm(layout.temporary, { recursive: true, force: true });
    await makeFolder(layout.temporary);
  } catch (error) {
    throw storageError(error, `opening the workspace ${layout.directory}`);
  }
}

function foreign(directory: string, create: boolean): WorkspaceError {
  const remedy = create ? "Use an empty or a new folder for the workspace" : "Check the path";
  return new WorkspaceError(
    `${directory} is not a workspace: it holds other files, but no workspace.json. Nothing in it was changed. ${remedy}.`,
    { exitCode: create ? EXIT.usage : EXIT.notFound },
  );
}

function notFound(directory: string): WorkspaceError {
  return new WorkspaceError(
    `There is no workspace at ${directory}. Check the path, or create a workspace: guideferry extract SOURCE --workspace ${directory}`,
    { exitCode: EXIT.notFound },
  );
}

/** 1, 2, 4, 8, 16 … s, times 0.5 to 1.5, so that downloads do not restart all at once. */
function waitWithJitter(failed: number): number {
  return 1000 * 2 ** (failed - 1) * (0.5 + Math.random());
}
