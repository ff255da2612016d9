import { ArchiveError } from "../../../core/errors.js";
import type { Bandwidth } from "../../../core/util/bandwidth.js";
import type { ByteReader } from "../../archive/archive-file.js";
import type { Holder } from "../../workspace/lock.js";
import type { ArchiveFile } from "../format.js";

/**
 * The place of a backup repository: a local folder, or a prefix of a bucket in object storage. It
 * holds files in one level, by the names of docs/design/repository.md. It knows nothing of their
 * content; the order of the calls makes a repository, see "Writing a snapshot" there.
 *
 * - **Names** have no `/`, `\` or NUL. A method that gets another name throws ArchiveError.
 * - **Atomic**: at any time a file has no bytes, its old ones or its new ones, also after a kill.
 * - **Durable**: when a method that writes resolves, its effect outlives a loss of power. So the
 *   order of two awaited calls is the order of their effects. Exceptions are stated.
 * - **Consistent**: a read or list that begins after a write resolved sees its effect, in every
 *   process.
 * - **Errors** are ArchiveError with the address of the file and a remedy: exit code 2 when access
 *   is refused, 4 when the storage is full or fails (the same command may succeed later), 10 when a
 *   file or the repository is missing, 11 when the lease was lost. Methods that remove or rename
 *   throw NotRemovableError when rights, a retention or an append-only folder forbid it.
 * - **The lease.** Only `list`, `readAll`, `open`, `pieces`, `free`, `holder`, `canWrite` and
 *   `note` may be called without it. A storage whose lease can be lost throws in every other method
 *   once it is lost, before it changes anything.
 */
export interface RepositoryStorage {
  /** The argument for the next command: the folder as it was given, or `s3://bucket/prefix`. */
  readonly address: string;
  /** The local folder, where the workspace of backups lies by default; null: none. */
  readonly folder: string | null;
  /** The address of a file, for messages. */
  at(name: string): string;

  /**
   * Every file with its size, in the order of the names (code units). `bytes` is null for anything
   * but a regular file, such as the folder `workspace`. Without the storage's own files: lease,
   * staged and temporary ones; also without the files of a snapshot that was never committed, where
   * the storage can tell. Throws ArchiveError (exit 10) when the place does not exist; an
   * empty prefix of an existing bucket is an empty list.
   */
  list(): Promise<readonly StoredFile[]>;
  /**
   * The content of small files by their names; missing ones are absent. One call for hundreds of
   * files is much faster than a call for each.
   */
  readAll(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * A file for reads at any position. The end of the file is usually read first, so `open` fetches
   * it with the size. undefined: there is no such file. Throws ArchiveError (exit 6) for anything
   * but a regular file.
   */
  open(name: string): Promise<ByteSource | undefined>;
  /**
   * The bytes of a whole file, as the storage returns them and never from a cache of this process.
   * A piece is valid until the next one is requested. Throws ArchiveError (exit 10) for a missing
   * file.
   */
  pieces(name: string, signal?: AbortSignal): AsyncIterable<Buffer>;

  /**
   * Has it a file with these bytes? For an archive that a stopped `copy` left before its index: a
   * folder reads and hashes it; a bucket knows the sha256 from the run that sent it.
   */
  has(name: string, facts: FileFacts): Promise<boolean>;
  /** Begins a large file. Until its commit no other method sees it. */
  stage(name: string): Promise<StagedFile>;
  /** Writes or replaces a small file. */
  replace(name: string, text: string): Promise<void>;
  /**
   * As `replace`, for a file that may be lost: needs no lease, and is atomic, but not durable. Of
   * two concurrent calls one wins.
   */
  note(name: string, text: string): Promise<void>;

  /** Writes an index under its temporary name, `${name}.new`, replacing one. */
  prepareIndex(name: string, text: string): Promise<void>;
  /**
   * Gives the prepared index its name. After a kill `${name}.new` may exist next to `name`: readers
   * ignore it then, and a second call ends the work. Throws ArchiveError when `name` exists with
   * other bytes, where the storage can find that out: another run had the lease. Where nothing may
   * be removed, `${name}.new` stays. A snapshot of a killed run may be committed later under the
   * same name: `copy` keeps names.
   */
  commitIndex(name: string): Promise<void>;
  /**
   * Marks the snapshot of an index for removal: `name` becomes `${name}.removed`. After a kill both
   * may exist: readers take the snapshot for removed then, and a second call ends the work.
   */
  markRemoved(name: string): Promise<void>;
  /**
   * Renames a file. Throws ArchiveError when `to` exists with other bytes. After a kill both names
   * may have the bytes; a second call ends the work.
   */
  rename(from: string, to: string): Promise<void>;
  /**
   * Removes files in this order; after a kill the first ones are missing. Ignores missing files.
   */
  remove(names: readonly string[]): Promise<void>;
  /**
   * Throws NotRemovableError when nothing may be removed, before long work that ends in removals.
   * Changes nothing. A folder finds that out later.
   */
  checkRemovals(): Promise<void>;
  /**
   * Removes what killed runs left of the storage's own files, and archives of snapshots that were
   * never committed, apart from those to keep (default: none). Returns names for messages.
   */
  removeLeftovers(keep?: (name: string) => boolean): Promise<readonly string[]>;

  /** Free bytes; null: unknown or unlimited. */
  free(): Promise<number | null>;
  /** Can staged files get a second name in this folder (`linkTo`)? Absent: never. */
  canLinkTo?(folder: string): Promise<boolean>;
  /** Can `note` write? Without a test that changes anything: "probably" is enough. */
  canWrite(): Promise<boolean>;
  /** Takes the lease; creates the folder if necessary. `command` is for messages. */
  acquire(command: string): Promise<{ readonly lease: Lease } | { readonly heldBy: Holder }>;
  /** Who has the lease; undefined: nobody. It neither waits nor takes the lease. */
  holder(): Promise<Holder | undefined>;
}

/** Takes sentences for the person who started the run. */
export interface Listener {
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
}

export interface StorageOptions {
  /** Limits transfers to and from a bucket. Default: no limit. */
  readonly bandwidth?: Bandwidth | undefined;
  /** Default: nobody listens. */
  readonly listener?: Listener | undefined;
}

export interface StoredFile {
  readonly name: string;
  readonly bytes: number | null;
}

/** The bytes of a file, plain or decrypted. */
export interface ByteSource extends ByteReader {
  readonly bytes: number;
  close(): Promise<void>;
}

/** The size and sha256 of bytes. */
export type FileFacts = Pick<ArchiveFile, "bytes" | "sha256">;

/** A file that is being written: `write` …, `readAgain`, then `commit` or `discard`. */
export interface StagedFile {
  /** Appends. The bytes belong to the caller again when it resolves. */
  write(bytes: Buffer): Promise<void>;
  /**
   * Ends the writing and proves that the storage has the written bytes: a folder syncs them, reads
   * them all again and compares them, a bucket has compared the checksum of each part. Throws
   * ArchiveError (exit 4) when it has others.
   */
  readAgain(): Promise<FileFacts>;
  /**
   * Gives the file a second name, durably, which stays after `commit` and `discard`. Present where
   * `canLinkTo` is. With it, `readAgain` may also be called between writes: for the bytes so far.
   */
  linkTo?(path: string): Promise<void>;
  /**
   * Gives the file its name, atomically; replaces an old file. The caller has the lease, so no
   * other run writes this name.
   */
  commit(): Promise<void>;
  /**
   * Removes the bytes; does nothing after a commit. Where nothing may be removed, they stay, and
   * no method but `removeLeftovers` sees them.
   */
  discard(): Promise<void>;
}

/** The right to change a repository, of one process at a time. */
export interface Lease {
  /** Aborted, with an ArchiveError (exit 11) as its reason, when the lease is lost. */
  readonly lost: AbortSignal;
  /** May be called twice. */
  release(): Promise<void>;
  /**
   * Releases, and removes the folder with lease and workspace that this run created for a
   * repository that did not come into being.
   */
  abandon(): Promise<void>;
}

/** Rights, a retention (object lock) or an append-only folder forbid to remove or rename. */
export class NotRemovableError extends ArchiveError {}
