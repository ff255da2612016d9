import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type FillSummary, fillFromSnapshot, type RestoreElsewhere } from "../../backup/restore/fill-workspace.js";
import { type SnapshotContents, snapshotContents } from "../../backup/restore/snapshot-contents.js";
import { EXIT, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/files.js";
import { isStorageAddress } from "../../storage/repository/files/open-storage.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
import { unlessDamaged } from "../../storage/repository/read/damage.js";
import { passedOver } from "../../storage/repository/read/find-snapshot.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import { STAMP } from "../../storage/repository/read/repository-folder.js";
import type { Repository } from "../../storage/repository/repository.js";
import { takesEverything } from "../../sync/selection.js";
import type { CommandCall } from "../command.js";
import { readFolder, readRepository } from "../location.js";
import type { Settings } from "../options/table.js";
import { flagsOfSelection, selectionOf } from "../session/selection.js";
import { controlOf, type Session } from "../session/session.js";
import { keysOf } from "./keys.js";

export interface Archives {
  /** The address of the repository, or the path of the archive. */
  readonly path: string;
  /** null: a single archive. */
  readonly storage: RepositoryStorage | null;
  readonly repository: Repository;
  /** The snapshot that `--at` names. */
  readonly contents: SnapshotContents;
}

/** The path of a single archive; undefined: the text names a repository. Throws UsageError. */
function archiveAt(text: string): string | undefined {
  const path = resolve(text);
  if (isStorageAddress(text) || !existsSync(path) || statSync(path).isDirectory()) return undefined;
  if (/\.(?:zip|age)$/i.test(path)) return path;
  throw new UsageError(`${text} is not an archive: expected a repository, a .zip or a .zip.age.`);
}

/**
 * Calls `work` with a snapshot of a repository or archive, read with the given keys. Warns about
 * what the archive guard finds. Throws UsageError, with code 10 if no item is chosen.
 */
export async function withArchives<T>(
  call: CommandCall,
  text: string,
  work: (archives: Archives) => Promise<T>,
): Promise<T> {
  const path = archiveAt(text);
  if (path === undefined)
    return withRepository(call, await readRepository(text, call), (repository) => withChosen(call, repository, work));
  const { openSingleArchive } = await import("../../storage/repository/read/open-single-archive.js");
  const repository = await openSingleArchive(path, { keys: await keysOf(call) });
  try {
    for (const { code, entry, detail } of repository.findings)
      call.output.warn(`${path}: ${code}${entry === null ? "" : ` (${entry})`}: ${detail}`);
    return await work(await chosen(call, { path, storage: null }, repository));
  } finally {
    await repository.close();
  }
}

async function withChosen<T>(
  call: CommandCall,
  repository: OpenRepository,
  work: (archives: Archives) => Promise<T>,
): Promise<T> {
  const { address: path, storage } = repository;
  const index = chosenSnapshot(call, repository, call.settings.at);
  const whole = async () => work(await chosen(call, { path, storage }, repository));
  if (await unlessDamaged(() => repository.checkRows(index.snapshot).then(() => true))) return whole();
  const { describeSalvage, salvageSnapshot, salvageSources } = await import(
    "../../backup/restore/salvaged-snapshot.js"
  );
  const salvaged = await salvageSnapshot(repository, index, await salvageSources(storage));
  if (salvaged === undefined) return whole();
  try {
    const { lost, reason } = salvaged;
    call.output.warn(
      `The snapshot ${index.snapshot} cannot be read completely: ${reason} The valid rows are used: ${describeSalvage(salvaged)}`,
    );
    const archives = await chosen(call, { path, storage }, salvaged.repository);
    return await work({ ...archives, contents: { ...archives.contents, lost } });
  } finally {
    await salvaged.close();
  }
}

async function chosen(
  call: CommandCall,
  place: Pick<Archives, "path" | "storage">,
  repository: Repository,
): Promise<Archives> {
  const { snapshot, complete } = chosenSnapshot(call, repository, call.settings.at);
  if (!complete) {
    call.output.warn(
      `The snapshot ${snapshot} is marked incomplete: some items failed in that backup. They are as in the snapshot before, or missing.`,
    );
  }
  const contents = await snapshotContents(repository, snapshot);
  await refuseEmptyChoice(contents, call.settings);
  return { ...place, repository, contents };
}

/** Opens a repository with the given keys for `work`. Warns about anything unusual in it. */
export async function withRepository<T>(
  call: CommandCall,
  storage: RepositoryStorage,
  work: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(storage, { keys: await keysOf(call) });
  try {
    for (const warning of repository.warnings) call.output.warn(warning);
    return await work(repository);
  } finally {
    await repository.close();
  }
}

/** The snapshot of `--at` or an argument. Notes a later one that only its name selects. */
export function chosenSnapshot({ output }: CommandCall, repository: Repository, at: string | null): SnapshotIndex {
  const found = repository.find(at ?? undefined);
  const passed = passedOver(repository.snapshots(), at ?? undefined);
  if (passed !== undefined) {
    output.note(
      `Using the snapshot ${found.snapshot}. The later snapshot ${passed.snapshot} was taken before a restore, and only its full name selects it.`,
    );
  }
  return found;
}

/**
 * `--workspace`, or a folder next to the archives, always the same, so that a stopped restore can
 * continue. Throws UsageError for encrypted archives: their texts would be unencrypted there.
 */
export function workspaceFor(call: CommandCall, archives: Archives): string {
  const directory = workspaceBeside(call, archives);
  if (!archives.repository.snapshots().some(({ encrypted }) => encrypted)) return directory;
  if (!call.given.has("workspace")) {
    throw new UsageError(
      "The archives are encrypted, but a restore needs their texts unencrypted. Name a folder for them that only you can read, the same one until the restore is finished: --workspace DIR.",
    );
  }
  refuseAmongArchives(directory, archives);
  return directory;
}

export function workspaceBeside({ given, settings }: CommandCall, { path }: Archives): string {
  if (given.has("workspace")) return readFolder(settings.workspace);
  // Of object storage, the last part of the address names a folder here.
  return `${resolve(isStorageAddress(path) ? basename(path) : path)}-restore`;
}

/** Throws UsageError for a folder in the repository. */
export function refuseAmongArchives(directory: string, { path, storage }: Archives): void {
  const folder = storage === null ? dirname(resolve(path)) : storage.folder;
  if (folder === null || !isUnder(directory, folder)) return;
  if (storage === null && !existsSync(join(folder, STAMP))) return;
  throw new UsageError(
    `${directory} is inside the repository ${folder}, which may contain only archives. Name another folder.`,
  );
}

/** Fills the session's workspace with the chosen items of the snapshot. */
export function fill(
  { call, workspace }: Session,
  { contents }: Archives,
  elsewhere: RestoreElsewhere,
  copyMedia: boolean,
): Promise<FillSummary> {
  const selection = selectionOf(call.settings);
  return fillFromSnapshot({ elsewhere, contents, workspace, selection, copyMedia, control: controlOf(call) });
}

/** Throws UsageError (exit 10) when the options choose nothing: the glob may be misspelt. */
async function refuseEmptyChoice(contents: SnapshotContents, settings: Settings): Promise<void> {
  const selection = selectionOf(settings);
  if (takesEverything(selection)) return;
  for await (const _row of contents.chosen(selection)) return;
  throw new UsageError(
    `No item of the snapshot ${contents.snapshot} matches ${flagsOfSelection(settings)}. Globs match keys (guide/12*) or paths of category titles (Looms/**). ` +
      "Another snapshot (--at) may contain it: `guideferry history REPO KEY` lists the snapshots of an item.",
    { exitCode: EXIT.notFound },
  );
}
