import { join } from "node:path";
import type { RepositoryStamp } from "../../storage/repository/format.js";
import { finishRemovals } from "../../storage/repository/remove.js";
import { type Recovered, recover } from "../../storage/repository/write/recover.js";
import { makeRepositoryFolder, readStamp } from "../../storage/repository/write/stamp.js";
import { ArchiveError, EXIT, WorkspaceError } from "../../core/errors.js";
import { AppendOnlyError, describeHolder, takeLock } from "../../storage/workspace/lock.js";

/** A repository that this run alone may write to. */
export interface HeldRepository {
  readonly folder: string;
  /** undefined: it is new. */
  readonly stamp: RepositoryStamp | undefined;
  readonly recovered: Recovered;
  /** May be called twice. */
  release(): void;
}

/** The words of a workspace's lock are about the workspace. */
function lockOf(folder: string, command: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(join(folder, "lock"), command);
  } catch (cause) {
    if (cause instanceof AppendOnlyError) throw cause;
    if (!(cause instanceof WorkspaceError) || cause.exitCode !== EXIT.usage) throw cause;
    throw new ArchiveError(
      `The repository ${folder} can't be written: the system refuses it, or the disk can only be read. Run as the user who owns it, correct owner and ` +
        "mode of the folder (0700) and its files (0600), or make the disk writable. Who only looks (snapshots, verify, cat, diff) needs no more than to read.",
      { cause, exitCode: EXIT.usage },
    );
  }
}

/**
 * Takes the lock of a repository, which may be new (`create`), and ends what a killed run left. Throws ArchiveError: held by another run (exit
 * 11), something else than a repository (2), not there and not to be made (10).
 */
export async function holdRepository(
  folder: string,
  { command, create }: { readonly command: string; readonly create: boolean },
): Promise<HeldRepository> {
  const found = await readStamp(folder);
  if (found === undefined && !create) {
    throw new ArchiveError(`There is no backup repository at ${folder}. Check the path.`, { exitCode: EXIT.notFound });
  }
  await makeRepositoryFolder(folder);
  const taken = lockOf(folder, command);
  if (!("lock" in taken)) {
    throw new ArchiveError(
      `Another run holds the repository ${folder}: ${describeHolder(taken.heldBy)}. Nothing was done. Wait until it ends or stop it, then run the same command again.`,
      { exitCode: EXIT.locked },
    );
  }
  const { lock } = taken;
  try {
    const recovered = await recover(folder);
    await finishRemovals(folder);
    return { folder, stamp: await readStamp(folder), recovered, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}
