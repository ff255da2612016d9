import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type FillSummary, fillFromSnapshot, type RestoreElsewhere } from "../../backup/restore/fill-workspace.js";
import { type SnapshotContents, snapshotContents } from "../../backup/restore/snapshot-contents.js";
import { EXIT, UsageError } from "../../core/errors.js";
import { isUnder } from "../../core/util/files.js";
import type { SnapshotIndex } from "../../storage/repository/format.js";
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
  readonly path: string;
  readonly isRepository: boolean;
  readonly repository: Repository;
  /** The snapshot that `--at` names. */
  readonly contents: SnapshotContents;
}

function readArchives(text: string): string {
  const path = resolve(text);
  if (!existsSync(path) || statSync(path).isDirectory()) return readRepository(text);
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
  const path = readArchives(text);
  if (statSync(path).isDirectory())
    return withRepository(call, path, (repository) => withChosen(call, path, repository, work));
  const { openSingleArchive } = await import("../../storage/repository/read/open-single-archive.js");
  const repository = await openSingleArchive(path, { keys: await keysOf(call) });
  try {
    for (const { code, entry, detail } of repository.findings)
      call.output.warn(`${path}: ${code}${entry === null ? "" : ` (${entry})`}: ${detail}`);
    return await work(await chosen(call, path, false, repository));
  } finally {
    await repository.close();
  }
}

async function withChosen<T>(
  call: CommandCall,
  path: string,
  repository: OpenRepository,
  work: (archives: Archives) => Promise<T>,
): Promise<T> {
  const index = chosenSnapshot(call, repository, call.settings.at);
  const { describeSalvage, salvageSnapshot, salvageSources } = await import(
    "../../backup/restore/salvaged-snapshot.js"
  );
  const salvaged = await salvageSnapshot(repository, index, await salvageSources(path));
  if (salvaged === undefined) return work(await chosen(call, path, true, repository));
  try {
    const { lost, reason } = salvaged;
    call.output.warn(
      `The snapshot ${index.snapshot} cannot be read completely: ${reason} The valid rows are used: ${describeSalvage(salvaged)}`,
    );
    const archives = await chosen(call, path, true, salvaged.repository);
    return await work({ ...archives, contents: { ...archives.contents, lost } });
  } finally {
    await salvaged.close();
  }
}

async function chosen(
  call: CommandCall,
  path: string,
  isRepository: boolean,
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
  return { path, isRepository, repository, contents };
}

/** Opens a repository with the given keys for `work`. Warns about anything unusual in it. */
export async function withRepository<T>(
  call: CommandCall,
  folder: string,
  work: (repository: OpenRepository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository(folder, { keys: await keysOf(call) });
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
  return given.has("workspace") ? readFolder(settings.workspace) : `${resolve(path)}-restore`;
}

/** Throws UsageError for a folder in the repository. */
export function refuseAmongArchives(directory: string, { path, isRepository }: Archives): void {
  const folder = isRepository ? path : dirname(resolve(path));
  if (!isUnder(directory, folder) || !(isRepository || existsSync(join(folder, STAMP)))) return;
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
