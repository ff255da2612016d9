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
  throw new UsageError(`${text} is a file that is no archive: expected a repository, a .zip or a .zip.age.`);
}

/**
 * Lets a command work on a snapshot of the repository or archive that an argument names, read with
 * the keys that were given. What the archive guard finds is told. Throws UsageError; with 10 when
 * nothing of it is chosen.
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
      `The snapshot ${index.snapshot} can't be read to its end: ${reason} What is left of it is taken: ${describeSalvage(salvaged)}`,
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
      `The snapshot ${snapshot} is marked incomplete: some items failed that night. They are as in the snapshot before, or missing.`,
    );
  }
  const contents = await snapshotContents(repository, snapshot);
  await refuseEmptyChoice(contents, call.settings);
  return { path, isRepository, repository, contents };
}

/**
 * Opens a repository with the keys that were given, lets a command read from it, and closes it.
 * What is odd about it is told.
 */
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

/**
 * The snapshot that `--at` names, or words of the command line that say the same. Tells of a
 * younger one that such words don't mean.
 */
export function chosenSnapshot({ output }: CommandCall, repository: Repository, at: string | null): SnapshotIndex {
  const found = repository.find(at ?? undefined);
  const passed = passedOver(repository.snapshots(), at ?? undefined);
  if (passed !== undefined) {
    output.note(
      `The snapshot ${found.snapshot} is taken. The younger ${passed.snapshot} shows the site as it was before a restore, and goes by its name alone.`,
    );
  }
  return found;
}

/**
 * `--workspace`, or a folder beside the archives: the same one for each restore, so that a stopped
 * one goes on. Throws UsageError for encrypted archives, whose texts would lie there in the clear:
 * somebody has to say where they may.
 */
export function workspaceFor(call: CommandCall, archives: Archives): string {
  const directory = workspaceBeside(call, archives);
  if (!archives.repository.snapshots().some(({ encrypted }) => encrypted)) return directory;
  if (!call.given.has("workspace")) {
    throw new UsageError(
      "The archives are encrypted, and a restore works with their texts in the clear. Name a place for these that only you can read, the same one until you are done: --workspace DIR.",
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
    `${directory} lies in the repository ${folder} itself, where only archives belong. Name another folder.`,
  );
}

/**
 * Lays what the options choose of the snapshot into the session's workspace, which was opened with
 * `elsewhere`.
 */
export function fill(
  { call, workspace }: Session,
  { contents }: Archives,
  elsewhere: RestoreElsewhere,
  copyMedia: boolean,
): Promise<FillSummary> {
  const selection = selectionOf(call.settings);
  return fillFromSnapshot({ elsewhere, contents, workspace, selection, copyMedia, control: controlOf(call) });
}

/**
 * Throws UsageError (exit 10) when the options choose nothing of a snapshot: a misspelt glob would
 * else look like work that is done.
 */
async function refuseEmptyChoice(contents: SnapshotContents, settings: Settings): Promise<void> {
  const selection = selectionOf(settings);
  if (takesEverything(selection)) return;
  for await (const _row of contents.chosen(selection)) return;
  throw new UsageError(
    `Nothing in the snapshot ${contents.snapshot} matches ${flagsOfSelection(settings)}. Globs are keys (guide/12*) or paths of category titles (Looms/**). ` +
      "Another snapshot (--at) may have it: `guideferry history REPO KEY` tells.",
    { exitCode: EXIT.notFound },
  );
}
