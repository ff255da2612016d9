import { constants, type Stats } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { ArchiveError, EXIT, FerryError } from "../../core/errors.js";
import { diskError } from "./disk-error.js";
import { type Finding, FindingList } from "./finding-list.js";
import type { GuardedFiles } from "./guard-archive.js";
import { type ArchiveLimits, DEFAULT_LIMITS } from "./limits.js";
import type { OpenFiles } from "./open-files.js";
import { inOrder } from "./order.js";
import { refusal } from "./refusal.js";
import { type FoundFile, walkFolder } from "./walk-folder.js";

export interface FolderOptions {
  /** Default: DEFAULT_LIMITS, each by itself. */
  readonly limits?: Partial<ArchiveLimits>;
}

/**
 * Opens a folder as if it were an archive: the same rules for names, links, sizes and numbers. Contents are streamed; a file that was
 * exchanged or cut since the look fails when it is read. Throws ArchiveError with all findings when it is refused.
 */
export async function openFolder(folder: string, options: FolderOptions = {}): Promise<OpenFiles> {
  const guarded = await guardFolder(folder, options);
  if (guarded.files === null) throw refusal(folder, guarded);
  return guarded.files;
}

/** Looks at a folder by the rules for archives. Throws ArchiveError only when it can't be read at all. Nothing of it stays open. */
export async function guardFolder(folder: string, options: FolderOptions = {}): Promise<GuardedFiles> {
  await expectFolder(folder);
  const limits: ArchiveLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const list = new FindingList(limits.findings);
  const entries = await walkFolder(folder, limits, list).catch((error: unknown) => {
    throw diskError(error, `reading the folder ${folder}`);
  });
  const files = entries.filter(({ isFolder, isJunk }) => !isFolder && !isJunk);
  const names = files.map(({ path, stats }) => ({ path, size: stats.size }));
  return {
    findings: list.all,
    findingsLeft: list.left,
    isWhole: entries.length <= limits.entries,
    names,
    files: list.isRefused ? null : filesOf(folder, entries, list.all),
    digests: new Map(),
    bytes: names.reduce((sum, { size }) => sum + size, 0),
    close: async () => undefined,
  };
}

function filesOf(folder: string, entries: readonly FoundFile[], findings: readonly Finding[]): OpenFiles {
  const files = new Map(
    entries.filter(({ isFolder, isJunk }) => !isFolder && !isJunk).map((file) => [file.path, file]),
  );
  const find = (path: string): FoundFile => {
    const file = files.get(path);
    if (file === undefined) throw new FerryError(`${folder} has no file "${path}"; only its paths can be opened.`);
    return file;
  };
  return {
    name: folder,
    findings,
    paths: inOrder(files.keys()),
    folders: inOrder(entries.filter(({ isFolder, isJunk }) => isFolder && !isJunk).map(({ path }) => path)),
    size: (path) => find(path).stats.size,
    open: async (path) => Readable.from(contentOf(find(path)), { objectMode: false }),
    close: async () => undefined,
  };
}

async function expectFolder(folder: string): Promise<void> {
  const stats = await lstat(`${folder}/`).catch((error: unknown) => {
    throw diskError(error, `opening the folder ${folder}`);
  });
  if (stats.isDirectory()) return;
  throw new ArchiveError(`${folder} is no folder. Give the path of a folder.`, { exitCode: EXIT.usage });
}

const PIECE = 64 * 1024;

async function* contentOf({ place, stats }: FoundFile): AsyncGenerator<Buffer> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw diskError(error, `reading ${place}`);
  });
  try {
    if (!isSame(await handle.stat(), stats)) throw changed(place);
    let left = stats.size;
    while (left > 0) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, left));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, stats.size - left);
      if (bytesRead === 0) throw changed(place);
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function isSame(now: Stats, then: Stats): boolean {
  return now.isFile() && now.dev === then.dev && now.ino === then.ino && now.size === then.size;
}

function changed(place: string): ArchiveError {
  return new ArchiveError(
    `${place} was exchanged or changed while the folder was read. Wait until nobody writes there, then run the same command again.`,
  );
}
