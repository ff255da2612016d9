import { lstat, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "../../core/errors.js";
import { syncFolder } from "../../core/util/sync-folder.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { Displaced } from "../../storage/repository/read/archive-locations.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";

/** One step: the file `from` gets the name `to`, which no file has then. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** A file that waits for its name while names are exchanged. */
const WAITING = ".renamed";

/**
 * Gives archives whose file names were exchanged or changed their own names again. No file is
 * overwritten or removed: what lay under a name that is needed
 * gets the name that becomes free. Killed between two renames, the next call ends it, and until
 * then everything is read from where it lies. The caller holds
 * the lock. Needs no key. Returns the archives that have their own names now. Throws ArchiveError
 * when the disk fails.
 */
export async function correctNames(folder: string): Promise<readonly Displaced[]> {
  await endRenamings(folder);
  const repository = await openRepository(folder);
  try {
    await findAll(repository);
    const displaced = repository.locations.displaced();
    for (const step of planRenamings(displaced, new Set(await filesIn(folder)))) await renameIn(folder, step);
    await endRenamings(folder);
    return displaced;
  } finally {
    await repository.close();
  }
}

/** Also those of the same size, which their sizes do not tell apart. */
async function findAll({ locations, snapshots, repairs }: OpenRepository): Promise<void> {
  for (const { archives } of [...snapshots(), ...repairs()])
    for (const { name } of archives) await locations.fileOf(name);
}

/** The steps in their order. `there`: all files of the folder. */
export function planRenamings(displaced: readonly Displaced[], there: ReadonlySet<string>): readonly Renaming[] {
  const nameFor = new Map(displaced.map(({ name, file }) => [file, name]));
  const names = new Set(nameFor.values());
  const done = new Set<string>();
  // Chains begin with a file that lies under no displaced archive's name; what is left then are
  // cycles.
  const starts = [...[...nameFor.keys()].filter((file) => !names.has(file)), ...nameFor.keys()];
  return starts.flatMap((start) => {
    const chain: string[] = [];
    for (let file: string | undefined = start; file !== undefined && !done.has(file); file = nameFor.get(file)) {
      done.add(file);
      chain.push(file);
    }
    return stepsOf(chain, there);
  });
}

/**
 * Each file of the chain gets the name of the next one. In a cycle, or where another file has the
 * last name, that file gets the first one.
 */
function stepsOf(chain: readonly string[], there: ReadonlySet<string>): readonly Renaming[] {
  const [first, end] = [chain[0], chain.at(-1)];
  const steps = chain
    .slice(0, -1)
    .map((from, at) => ({ from, to: chain[at + 1] ?? "" }))
    .toReversed();
  if (first === undefined || end === undefined || steps.length === 0 || !there.has(end)) return steps;
  const waiting = `${first}${WAITING}`;
  return [{ from: end, to: waiting }, ...steps, { from: waiting, to: first }];
}

/** Gives files that a killed run left waiting their names. */
async function endRenamings(folder: string): Promise<void> {
  const files = await filesIn(folder);
  for (const from of files.filter((file) => file.endsWith(WAITING))) {
    const to = from.slice(0, -WAITING.length);
    if (!files.includes(to)) await renameIn(folder, { from, to });
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return onDisk(`reading the repository ${folder}`, readdir(folder));
}

async function renameIn(folder: string, { from, to }: Renaming): Promise<void> {
  const isTaken = await lstat(join(folder, to)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    },
  );
  if (isTaken)
    throw new ArchiveError(
      `${from} can't get the name ${to} in ${folder}: a file of this name has come there meanwhile. Move that file elsewhere and run the same command again.`,
    );
  await onDisk(`renaming ${from} to ${to} in ${folder}`, rename(join(folder, from), join(folder, to)));
  await onDisk(`renaming ${from} to ${to} in ${folder}`, syncFolder(folder));
}
