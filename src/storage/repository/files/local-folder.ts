import { createCipheriv, createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import {
  access,
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { ArchiveError, EXIT, WorkspaceError } from "../../../core/errors.js";
import { syncFolder } from "../../../core/util/files.js";
import { beginReplacing, isRunning } from "../../archive/atomic-file.js";
import { diskError, onDisk } from "../../archive/disk-error.js";
import { AppendOnlyError, type Holder, type Lock, lockHolder, takeLock } from "../../workspace/lock.js";
import type { ByteSource, FileFacts, Lease, RepositoryStorage, StagedFile, StoredFile } from "./repository-storage.js";

/** A repository in a local folder. Files have mode 0600, the folder 0700 where it is created. */
export class LocalFolder implements RepositoryStorage {
  readonly address: string;
  readonly folder: string;

  constructor(folder: string) {
    this.address = folder;
    this.folder = folder;
  }

  at(name: string): string {
    if (name === "" || /[/\\\0]/.test(name))
      throw new ArchiveError(`${JSON.stringify(name)} cannot be the name of a file in ${this.folder}.`);
    return join(this.folder, name);
  }

  /** Synchronous: an await for each of hundreds of files takes ten times as long. */
  async list(): Promise<readonly StoredFile[]> {
    try {
      const names = readdirSync(this.folder).filter((name) => !isOwn(name));
      return names.sort().flatMap((name) => {
        // Another run may have renamed the file since.
        const stats = statSync(join(this.folder, name), { throwIfNoEntry: false });
        return stats === undefined ? [] : [{ name, bytes: stats.isFile() ? stats.size : null }];
      });
    } catch (error) {
      throw diskError(error, `reading the repository ${this.folder}`);
    }
  }

  /** Synchronous, as `list`. */
  async readAll(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const name of names) {
      const path = this.at(name);
      try {
        texts.set(name, readFileSync(path, "utf8"));
      } catch (error) {
        if (!isMissing(error)) throw diskError(error, `reading ${path}`);
      }
    }
    return texts;
  }

  async open(name: string): Promise<ByteSource | undefined> {
    const path = this.at(name);
    try {
      return sourceOf(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw diskError(error, `reading ${path}`);
    }
  }

  async *pieces(name: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
    const path = this.at(name);
    try {
      yield* piecesOf(path, { signal });
    } catch (error) {
      throw diskError(error, `reading ${path}`);
    }
  }

  async has(name: string, { bytes, sha256 }: FileFacts): Promise<boolean> {
    const path = this.at(name);
    if (statSync(path, { throwIfNoEntry: false })?.size !== bytes) return false;
    return (await onDisk(`reading ${path}`, factsOf(path))).sha256 === sha256;
  }

  stage(name: string): Promise<StagedFile> {
    return LocalFile.begin(this.at(name));
  }

  async replace(name: string, text: string): Promise<void> {
    const path = this.at(name);
    const write = async (): Promise<void> => {
      await writeSynced(`${path}.new`, text);
      await rename(`${path}.new`, path);
      await syncFolder(this.folder);
    };
    await onDisk(`writing ${path}`, write());
  }

  async note(name: string, text: string): Promise<void> {
    const path = this.at(name);
    const temporary = `${path}.${process.pid}.new`;
    await onDisk(`writing ${path}`, writeFile(temporary, text, { mode: 0o600 }));
    await onDisk(`writing ${path}`, rename(temporary, path));
  }

  async prepareIndex(name: string, text: string): Promise<void> {
    const path = `${this.at(name)}.new`;
    await onDisk(`writing ${path}`, writeSynced(path, text));
    await onDisk(`writing ${path}`, syncFolder(this.folder));
  }

  async commitIndex(name: string): Promise<void> {
    const path = this.at(name);
    await onDisk(`writing ${path}`, this.#move(`${path}.new`, path));
  }

  async markRemoved(name: string): Promise<void> {
    const path = this.at(name);
    await onDisk(`removing ${path}`, this.#move(path, `${path}.removed`));
  }

  /** Does nothing where it is done already. */
  async #move(from: string, to: string): Promise<void> {
    try {
      await rename(from, to);
    } catch (error) {
      if (!isMissing(error) || !existsSync(to)) throw error;
    }
    await syncFolder(this.folder);
  }

  async rename(from: string, to: string): Promise<void> {
    const [path, other] = [this.at(from), this.at(to)];
    const isTaken = await lstat(other).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
    if (isTaken)
      throw new ArchiveError(
        `guideferry cannot rename ${from} to ${to} in ${this.folder}: another program has created a file with this name. Move that file elsewhere and run the same command again.`,
      );
    await onDisk(`renaming ${from} to ${to} in ${this.folder}`, rename(path, other));
    await onDisk(`renaming ${from} to ${to} in ${this.folder}`, syncFolder(this.folder));
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await onDisk(`removing ${this.at(name)}`, rm(this.at(name), { force: true }));
    if (names.length > 0) await onDisk(`removing files of ${this.folder}`, syncFolder(this.folder));
  }

  checkRemovals(): Promise<void> {
    return Promise.resolve();
  }

  async removeLeftovers(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const name of readdirSync(this.folder))
      if (name.startsWith(STAGED) || (await isOldNote(this.folder, name))) left.push(name);
    for (const name of left)
      await onDisk(`removing ${name}`, rm(join(this.folder, name), { recursive: true, force: true }));
    if (left.length > 0) await onDisk(`removing files of ${this.folder}`, syncFolder(this.folder));
    return left;
  }

  async free(): Promise<number> {
    const { bavail, bsize } = await onDisk(`checking the free space of ${this.folder}`, statfs(this.folder));
    return bavail * bsize;
  }

  /** Tries it with an empty file: a mount of the same disk elsewhere refuses links too. */
  async canLinkTo(folder: string): Promise<boolean> {
    const doing = `creating ${folder}`;
    await onDisk(doing, mkdir(folder, { recursive: true, mode: 0o700 }));
    const { temporary, discard } = await beginReplacing(this.at("link"), doing);
    const second = join(folder, basename(temporary));
    try {
      await onDisk(doing, writeFile(temporary, "", { mode: 0o600 }));
      await link(temporary, second);
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && NO_LINKS.has(String(error.code))) return false;
      throw diskError(error, doing);
    } finally {
      await discard();
      await rm(second, { force: true });
    }
  }

  canWrite(): Promise<boolean> {
    return access(this.folder, constants.W_OK).then(
      () => true,
      () => false,
    );
  }

  async acquire(command: string): Promise<{ readonly lease: Lease } | { readonly heldBy: Holder }> {
    const doing = `creating ${this.folder}`;
    const made = await onDisk(doing, mkdir(this.folder, { recursive: true, mode: 0o700 }));
    if (made !== undefined) await onDisk(doing, chmod(this.folder, 0o700));
    const taken = this.#lock(command);
    return "lock" in taken ? { lease: leaseOf(this.folder, taken.lock, made !== undefined) } : taken;
  }

  /** Replaces the message of `takeLock`, which is about a workspace. */
  #lock(command: string): ReturnType<typeof takeLock> {
    try {
      return takeLock(join(this.folder, LOCK), command);
    } catch (cause) {
      if (cause instanceof AppendOnlyError) throw cause;
      if (!(cause instanceof WorkspaceError) || cause.exitCode !== EXIT.usage) throw cause;
      throw new ArchiveError(
        `guideferry cannot write to the repository ${this.folder}: the system refuses it, or the disk is read-only. Run as the user who owns it, correct owner and ` +
          "mode of the folder (0700) and its files (0600), or make the disk writable. Commands that only read (snapshots, verify, cat, diff) need no write access.",
        { cause, exitCode: EXIT.usage },
      );
    }
  }

  async holder(): Promise<Holder | undefined> {
    return lockHolder(join(this.folder, LOCK));
  }
}

const LOCK = "lock";
const OWN: ReadonlySet<string> = new Set([LOCK, `${LOCK}.json`, `${LOCK}-journal`]);
/** Prefix of the temporary names of `beginReplacing`. */
const STAGED = ".guideferry-";

/** Files of this module. The `.new` of an index belongs to the format of the repository. */
function isOwn(name: string): boolean {
  return OWN.has(name) || name.startsWith(STAGED) || (name.endsWith(".new") && !name.endsWith(".index.json.new"));
}

const NOTE = /^proven\.json\.(\d+)\.new$/;
/** Milliseconds. Writing takes an instant, so an older temporary file is of a killed run. */
const AN_HOUR = 3_600_000;

/**
 * The temporary file of `note` in a killed run. A file of a running process is its own, unless it
 * is older than an hour: then another process has the same id.
 */
async function isOldNote(folder: string, name: string): Promise<boolean> {
  const pid = NOTE.exec(name)?.[1];
  if (pid === undefined) return false;
  if (!isRunning(Number(pid))) return true;
  // A missing file was just renamed by its run.
  const stats = await stat(join(folder, name)).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > AN_HOUR;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Bytes that usually include the end record and the list of entries of a small archive. */
const TAIL = 16 * 1024;
const readLater = promisify(read);

/**
 * The end of the file is read synchronously: often nothing else of hundreds of archives is needed,
 * and an await takes longer than the read. Throws system errors, and ArchiveError (exit 6) for
 * anything but a regular file.
 */
function sourceOf(path: string): ByteSource {
  // Opening a pipe without a writer blocks otherwise.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new ArchiveError(`${path} is not a regular file.`, { exitCode: EXIT.differences });
    const bytes = stats.size;
    const tailAt = Math.max(0, bytes - TAIL);
    const tail = Buffer.allocUnsafe(bytes - tailAt);
    const held = tail.subarray(0, readSync(file, tail, 0, tail.length, tailAt));
    return {
      bytes,
      read: async (buffer, offset, length, position) => {
        const from = position - tailAt;
        if (from < 0 || from + length > held.length) return readLater(file, buffer, offset, length, position);
        return { bytesRead: held.copy(buffer, offset, from, from + length) };
      },
      close: async () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Each read is a turn of another thread, which costs as much as hashing some 100 kB. */
const READ_AT_ONCE = 1024 * 1024;
/**
 * Memory that no reading uses. New memory for each archive takes longer than to read and hash a
 * small one, and what is given up waits for a collection.
 */
let spare: Buffer | undefined;

/** The memory of a piece is used again for the next one. */
async function* piecesOf(path: string, { signal, from = 0 }: Reading = {}): AsyncGenerator<Buffer> {
  const file = await open(path);
  const memory = spare ?? Buffer.allocUnsafeSlow(READ_AT_ONCE);
  spare = undefined;
  try {
    for (let at = from; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(memory, 0, memory.length, at);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    spare = memory;
    await file.close();
  }
}

interface Reading {
  readonly signal?: AbortSignal | undefined;
  readonly from?: number;
}

async function factsOf(path: string): Promise<FileFacts> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of piecesOf(path)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** A file under a temporary name in the same folder. */
class LocalFile implements StagedFile {
  readonly #path: string;
  readonly #replacing: Awaited<ReturnType<typeof beginReplacing>>;
  readonly #handle: FileHandle;
  /** Of what was read again. */
  readonly #hash = createHash("sha256");
  #proven = 0;
  #comparison = beginComparison();
  #isOpen = true;

  private constructor(path: string, replacing: Awaited<ReturnType<typeof beginReplacing>>, handle: FileHandle) {
    this.#path = path;
    this.#replacing = replacing;
    this.#handle = handle;
  }

  static async begin(path: string): Promise<LocalFile> {
    const replacing = await beginReplacing(path, `writing ${path}`);
    return new LocalFile(path, replacing, await onDisk(`writing ${path}`, open(replacing.temporary, "wx", 0o600)));
  }

  write(bytes: Buffer): Promise<void> {
    this.#comparison.written(bytes);
    return onDisk(`writing ${this.#path}`, this.#handle.appendFile(bytes));
  }

  async linkTo(path: string): Promise<void> {
    const make = async (): Promise<void> => {
      await rm(path, { force: true });
      await link(this.#replacing.temporary, path);
      await syncFolder(dirname(path));
    };
    await onDisk(`creating ${path}`, make());
  }

  /** Reads each byte once, however often it is called. */
  async readAgain(): Promise<FileFacts> {
    await onDisk(`writing ${this.#path}`, this.#handle.sync());
    const read = async (): Promise<void> => {
      for await (const piece of piecesOf(this.#replacing.temporary, { from: this.#proven })) {
        this.#hash.update(piece);
        this.#comparison.found(piece);
        this.#proven += piece.length;
      }
    };
    await onDisk(`reading ${this.#path} again`, read());
    const isSame = this.#comparison.isSame();
    this.#comparison = beginComparison();
    if (!isSame) throw otherBytes(this.#path);
    return { bytes: this.#proven, sha256: this.#hash.copy().digest("hex") };
  }

  async commit(): Promise<void> {
    await this.#close();
    await this.#replacing.commit();
  }

  async discard(): Promise<void> {
    await this.#close();
    await this.#replacing.discard();
  }

  async #close(): Promise<void> {
    if (this.#isOpen) await this.#handle.close();
    this.#isOpen = false;
  }
}

function otherBytes(path: string): ArchiveError {
  return new ArchiveError(
    `The disk returns other bytes than guideferry wrote to ${path}. guideferry deleted this file and changed nothing else. ` +
      "Check the disk, its cable and the memory of the machine before you write to this disk again.",
    { exitCode: EXIT.stopped },
  );
}

/**
 * Compares bytes that are written with those that are read again: a GMAC of each (NIST SP 800-38D)
 * with a random key, at a ninth of the time of a sha256. Other bytes have the same one with a
 * probability below 2^-90.
 */
function beginComparison() {
  const [key, nonce] = [randomBytes(16), randomBytes(12)];
  const written = createCipheriv("aes-128-gcm", key, nonce);
  const found = createCipheriv("aes-128-gcm", key, nonce);
  return {
    written: (bytes: Buffer): unknown => written.setAAD(bytes),
    found: (bytes: Buffer): unknown => found.setAAD(bytes),
    /** Call it once, after all bytes. */
    isSame: (): boolean => {
      for (const sum of [written, found]) sum.final();
      return written.getAuthTag().equals(found.getAuthTag());
    },
  };
}

/** Codes of `link` on a file system without links, or between two of them. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EXDEV",
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EISDIR",
  "UNKNOWN",
]);

/** The lock of a local folder lasts as long as its process. */
function leaseOf(folder: string, lock: Lock, isNew: boolean): Lease {
  return {
    lost: new AbortController().signal,
    release: async () => lock.release(),
    abandon: async () => {
      const doing = `removing ${folder}`;
      const stays = !isNew || existsSync(join(folder, "repository.json"));
      if (!stays) await onDisk(doing, rm(join(folder, "workspace"), { recursive: true, force: true }));
      if (!stays) await onDisk(doing, rm(join(folder, LOCK), { force: true }));
      lock.release();
      if (!stays) await onDisk(doing, rmdir(folder).catch(unlessInUse));
    },
  };
}

/** Codes of `rmdir` when another program uses the folder, or has removed it. */
const IN_USE: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

function unlessInUse(error: unknown): void {
  if (!(error instanceof Error && "code" in error && IN_USE.has(String(error.code)))) throw error;
}
