import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { syncFolder } from "../../core/util/files.js";
import { onDisk } from "./disk-error.js";

/**
 * Writes a file or folder completely or not at all: `make` writes under a temporary name in the
 * same folder, and the finished result is renamed to `path` and synced. Temporary files of killed
 * processes are removed first. `doing`: for messages. Throws ArchiveError, and the errors of
 * `make` unchanged; then it leaves nothing on the disk.
 */
export async function replaceAtomically(
  path: string,
  doing: string,
  make: (temporary: string) => Promise<void>,
): Promise<void> {
  const { temporary, commit, discard } = await beginReplacing(path, doing);
  try {
    await make(temporary);
    await commit();
  } catch (error) {
    await discard();
    throw error;
  }
}

interface Replacing {
  /** A free name in the folder of `path`. */
  readonly temporary: string;
  /** Renames the finished result to `path` and syncs the folder. */
  readonly commit: () => Promise<void>;
  /** Removes the temporary file or folder. Does nothing after a commit. */
  readonly discard: () => Promise<void>;
}

/** The steps of `replaceAtomically`, for a caller that writes in several calls. */
export async function beginReplacing(path: string, doing: string): Promise<Replacing> {
  const whole = resolve(path);
  await onDisk(doing, prepare(whole));
  const temporary = `${join(dirname(whole), temporaryPrefix(whole))}${process.pid}-${randomBytes(4).toString("hex")}`;
  return {
    temporary,
    commit: async () => {
      await onDisk(doing, rename(temporary, whole));
      await onDisk(doing, syncFolder(dirname(whole)));
    },
    discard: () => rm(temporary, { recursive: true, force: true }),
  };
}

async function prepare(whole: string): Promise<void> {
  await mkdir(dirname(whole), { recursive: true, mode: 0o700 });
  await sweep(dirname(whole), temporaryPrefix(whole));
}

/**
 * The prefix of temporary names. It has the machine's name, because the processes of other machines
 * on a shared disk can't be checked.
 */
function temporaryPrefix(path: string): string {
  return `.guideferry-${short(basename(path))}-${short(hostname())}-`;
}

function short(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

async function sweep(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [id] = name.startsWith(prefix) ? name.slice(prefix.length).split("-") : [];
    if (id !== undefined && !isRunning(Number(id))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Is there a process with this id? An error other than ESRCH means that it is another user's. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
