import { constants, type Stats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ArchiveError, EXIT, FerryError } from "../../core/errors.js";
import type { Files } from "../../core/formats.js";
import { openFile } from "./archive-file.js";
import { openContent } from "./content.js";
import { diskError } from "./disk-error.js";
import type { Extent } from "./entry-headers.js";
import { checkNames, checkPath, isArchiveName, isJunk } from "./entry-names.js";
import { type Finding, FindingList, refusal } from "./findings.js";
import { type InspectOptions, inspectFile, type ReadableInspection } from "./inspect.js";
import { type ArchiveLimits, DEFAULT_LIMITS } from "./limits.js";

/**
 * Opens a zip archive that passes the guard. Contents are streamed, also several at a time. Throws
 * ArchiveError with all findings when it is refused, and when the file can't be read.
 */
export async function openArchive(path: string, options: InspectOptions = {}): Promise<OpenFiles> {
  const guarded = await guardArchive(path, options);
  if (guarded.files === null) throw refusal(path, guarded);
  return guarded.files;
}

/** An archive or a folder that the guard has inspected, with any result. */
export interface GuardedFiles {
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Number of findings beyond `limits.findings`. */
  readonly findingsLeft: number;
  /** false: the names could not be read to the end, so `names` is incomplete. */
  readonly isWhole: boolean;
  /** The files, also of a refused archive, without folders and junk. Not sorted. */
  readonly names: readonly { readonly path: string; readonly size: number }[];
  /** null: it is refused, and nothing in it may be used. */
  readonly files: OpenFiles | null;
  /**
   * sha256 of the contents by path, in lower-case hexadecimal; empty without `hashContents`, and
   * for a refused archive.
   */
  readonly digests: ReadonlyMap<string, string>;
  /** Bytes of the archive's file, or of all files of the folder. */
  readonly bytes: number;
  /** May be called again. */
  close(): Promise<void>;
}

/**
 * Inspects an archive once, and keeps it open when it passes. Throws ArchiveError only when the
 * file can't be read at all.
 */
export async function guardArchive(path: string, options: InspectOptions = {}): Promise<GuardedFiles> {
  const { handle, bytes } = await openFile(path);
  try {
    const inspection = await inspectFile(handle, bytes, options);
    const { entries, findings, findingsLeft, isRefused, isWhole, digests } = inspection;
    const close = (): Promise<void> => handle.close();
    if (isRefused) await close();
    return {
      findings,
      findingsLeft,
      isWhole,
      names: entries.filter(({ isFolder, isJunk }) => !isFolder && !isJunk),
      files: isRefused ? null : archiveFiles(path, inspection, close),
      digests: isRefused ? new Map() : digests,
      bytes,
      close,
    };
  } catch (error) {
    await handle.close();
    throw diskError(error, `reading ${path}`);
  }
}

function archiveFiles(path: string, inspection: ReadableInspection, close: () => Promise<void>): OpenFiles {
  const { entries, extents, findings, file } = inspection;
  const shown = extents.filter(({ entry }) => !entry.isFolder && !entry.isJunk);
  const byPath = new Map(shown.map((extent) => [extent.entry.path, extent]));
  const folders = entries.filter(({ isFolder, isJunk }) => isFolder && !isJunk).map((entry) => entry.path);
  return {
    name: path,
    findings,
    paths: inOrder(byPath.keys()),
    folders: inOrder(folders),
    size: (wanted) => findExtent(byPath, wanted, path).entry.size,
    open: async (wanted) => openContent(file, findExtent(byPath, wanted, path), path),
    close,
  };
}

function findExtent(byPath: ReadonlyMap<string, Extent>, wanted: string, archive: string): Extent {
  const extent = byPath.get(wanted);
  if (extent === undefined)
    throw new FerryError(`${archive} has no file "${wanted}". Only the paths in the archive can be opened.`);
  return extent;
}

interface FolderOptions {
  /** Default, for each limit: DEFAULT_LIMITS. */
  readonly limits?: Partial<ArchiveLimits>;
}

/**
 * Opens a folder by the rules for archives: names, links, sizes and counts. Contents are streamed;
 * reading a file that changed after the inspection fails. Throws ArchiveError with all findings
 * when the folder is refused.
 */
export async function openFolder(folder: string, options: FolderOptions = {}): Promise<OpenFiles> {
  const guarded = await guardFolder(folder, options);
  if (guarded.files === null) throw refusal(folder, guarded);
  return guarded.files;
}

/** Inspects a folder by the rules for archives. Throws ArchiveError only when it is unreadable. */
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
    files: list.isRefused ? null : folderFiles(folder, entries, list.all),
    digests: new Map(),
    bytes: names.reduce((sum, { size }) => sum + size, 0),
    close: async () => undefined,
  };
}

function folderFiles(folder: string, entries: readonly FoundFile[], findings: readonly Finding[]): OpenFiles {
  const files = new Map(
    entries.filter(({ isFolder, isJunk }) => !isFolder && !isJunk).map((file) => [file.path, file]),
  );
  const find = (path: string): FoundFile => {
    const file = files.get(path);
    if (file === undefined)
      throw new FerryError(`${folder} has no file "${path}". Only the paths in the folder can be opened.`);
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
  throw new ArchiveError(`${folder} is not a folder. Give the path of a folder.`, { exitCode: EXIT.usage });
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
    `${place} was replaced or changed while the folder was read. Wait until no program writes to it, then run the same command again.`,
  );
}

/** A file or folder below a folder. */
interface FoundFile {
  /** As in Files. */
  readonly path: string;
  readonly spelling: string;
  readonly place: string;
  readonly isFolder: boolean;
  readonly isJunk: boolean;
  /** Of a link itself, not of its target. */
  readonly stats: Stats;
}

/** All files and folders below a folder. It follows no link and ends at the limit of entries. */
async function walkFolder(folder: string, limits: ArchiveLimits, findings: FindingList): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const open: (FoundFile | null)[] = [null];
  for (let above = open.pop(); above !== undefined; above = open.pop()) {
    const place = above?.place ?? folder;
    for (const raw of (await readdir(place, { encoding: "buffer" })).sort(Buffer.compare)) {
      const name = raw.toString("utf8");
      if (!Buffer.from(name).equals(raw)) {
        findings.add("E_ZIP_PATH_INVALID", { path: name }, "its name is not UTF-8");
        continue;
      }
      const file = await checkEntry(
        join(place, name),
        above === null ? name : `${above.spelling}/${name}`,
        limits,
        findings,
      );
      found.push(file);
      if (found.length > limits.entries) {
        findings.add("E_ZIP_ENTRY_COUNT", null, `it has more than ${limits.entries} files and folders`);
        return found;
      }
      if (file.isFolder && Buffer.byteLength(file.spelling) <= limits.pathBytes) open.push(file);
    }
  }
  checkNames(found, findings);
  checkSizes(found, limits, findings);
  return found;
}

async function checkEntry(
  place: string,
  name: string,
  limits: ArchiveLimits,
  findings: FindingList,
): Promise<FoundFile> {
  const stats = await lstat(place);
  const { path, spelling, faults } = checkPath(name, limits);
  const file: FoundFile = { path, spelling, place, isFolder: stats.isDirectory(), isJunk: isJunk(path), stats };
  for (const { code, detail } of faults) findings.add(code, file, detail);
  if (stats.isSymbolicLink()) findings.add("E_ZIP_SYMLINK", file, "it is a symbolic link");
  else if (!stats.isFile() && !file.isFolder) {
    findings.add("E_ZIP_SPECIAL_FILE", file, "it is a pipe, a socket or a device");
  }
  if (file.isJunk) findings.add("W_ZIP_MAC_JUNK", file, "a file manager created it");
  else if (!file.isFolder && isArchiveName(path)) {
    findings.add("W_ZIP_NESTED_ARCHIVE", file, "by its name it is an archive; it is not opened");
  }
  return file;
}

function checkSizes(found: readonly FoundFile[], limits: ArchiveLimits, findings: FindingList): void {
  const files = found.filter(({ stats }) => stats.isFile());
  if (files.length === 0) findings.add("E_ZIP_EMPTY", null, "it has no files");
  for (const file of files) {
    const { size } = file.stats;
    if (size > limits.entryBytes) {
      findings.add("E_ZIP_TOTAL_SIZE", file, `it has ${size} bytes; the limit is ${limits.entryBytes}`);
    }
  }
  const total = files.reduce((sum, { stats }) => sum + stats.size, 0);
  if (total > limits.totalBytes) {
    findings.add("E_ZIP_TOTAL_SIZE", null, `its files have ${total} bytes; the limit is ${limits.totalBytes}`);
  }
}

interface OpenFiles extends Files {
  /** Warnings only, because errors refuse the archive. */
  readonly findings: readonly Finding[];
  /** Paths of folders, also of empty ones, in the form and order of `paths`. */
  readonly folders: readonly string[];
  /** Running streams fail. May be called again. */
  close(): Promise<void>;
}

/** By code points: the same order on every machine and in every language. */
export function inOrder(paths: Iterable<string>): readonly string[] {
  return [...paths].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}
