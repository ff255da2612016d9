import { createHash } from "node:crypto";
import { ArchiveError, EXIT, FerryError, UsageError } from "../../../core/errors.js";
import { parallel } from "../../../core/util/concurrency.js";
import { RecentlyUsed } from "../../../core/util/recently-used.js";
import type { Holder } from "../../workspace/lock.js";
import { indexName, parseArchiveName, parseIndexName } from "../names.js";
import { BucketClient, type BucketObject } from "./bucket-client.js";
import { parseBucket } from "./bucket-connection.js";
import { BucketLease, LEASE, leaseHolder, uncommittedIn } from "./bucket-lease.js";
import { StagedObject } from "./bucket-upload.js";
import {
  type ByteSource,
  type FileFacts,
  type Lease,
  NotRemovableError,
  type RepositoryStorage,
  type StagedFile,
  type StorageOptions,
  type StoredFile,
} from "./repository-storage.js";

export interface BucketOptions extends StorageOptions {
  /** Seconds for which a lease is valid. Default 60. */
  readonly leaseSeconds?: number | undefined;
}

/** Opens `s3://bucket/prefix`, which may be empty. Throws UsageError. Sends no request. */
export async function openBucket(address: string, options: BucketOptions = {}): Promise<BucketStorage> {
  const bucket = await BucketClient.open(parseBucket(address), options.bandwidth);
  return new BucketStorage(bucket, options);
}

/** Bytes of one GET of a read at any position, and the number of these blocks in memory. */
const BLOCK = 1024 * 1024;
const BLOCKS = 32;
/** Bytes that usually include the end record and the list of entries of a small archive. */
const TAIL = 16 * 1024;
/** Small files that are read at the same time. */
const AT_ONCE = 16;
/** Milliseconds for which what a run left stays that may be paused only. */
const MAY_WAKE = 10 * 60_000;
/** An object that never exists: its removal shows whether anything may be removed. */
const NO_OBJECT = "no-object";

const [NEW, REMOVED] = [".new", ".removed"];

/**
 * A repository in a bucket. Archives are written under their own names, and their index, by a
 * conditional write, is the commit: nothing needs to be removed. An index without bytes marks a
 * snapshot that was never committed: no method shows its files. docs/design/repository.md, "Object
 * storage", has the reasons.
 */
export class BucketStorage implements RepositoryStorage {
  readonly folder = null;
  readonly #bucket: BucketClient;
  readonly #options: BucketOptions;
  readonly #blocks = new RecentlyUsed<string, Promise<Buffer>>(BLOCKS);
  /**
   * The empty indexes that were there before this run prepared its own: a copy commits a snapshot
   * under the name of one that a killed copy did not commit. A later mark stops this run.
   */
  readonly #marks = new Map<string, string>();
  #lease: BucketLease | undefined;
  #isRemovable = false;
  #hasTold = false;

  constructor(bucket: BucketClient, options: BucketOptions) {
    this.#bucket = bucket;
    this.#options = options;
  }

  get address(): string {
    return this.#bucket.place.address;
  }

  at(name: string): string {
    return this.#bucket.at(checked(name));
  }

  async list(): Promise<readonly StoredFile[]> {
    const { shown } = await this.#objects();
    return shown.map(({ name, bytes }) => ({ name, bytes }));
  }

  async readAll(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    await parallel(names.map(checked), AT_ONCE, async (name) => {
      const found = await this.#bucket.get(name);
      if (found !== undefined) texts.set(name, found.bytes.toString());
    });
    return texts;
  }

  async open(name: string): Promise<ByteSource | undefined> {
    const found = await this.#bucket.get(checked(name), { last: TAIL });
    if (found === undefined) return undefined;
    const { bytes: tail, size, etag } = found;
    const tailAt = size - tail.length;
    return {
      bytes: size,
      read: async (buffer, offset, length, position) => {
        const end = Math.min(size, position + length);
        if (position >= end) return { bytesRead: 0 };
        if (position >= tailAt) return { bytesRead: tail.copy(buffer, offset, position - tailAt, end - tailAt) };
        const at = Math.floor(position / BLOCK) * BLOCK;
        const block = await this.#block(name, etag, { start: at, end: Math.min(size, at + BLOCK) });
        return { bytesRead: block.copy(buffer, offset, position - at, Math.min(end - at, block.length)) };
      },
      close: async () => undefined,
    };
  }

  pieces(name: string, signal?: AbortSignal): AsyncIterable<Buffer> {
    return this.#bucket.stream(checked(name), signal);
  }

  async has(name: string, { bytes, sha256 }: FileFacts): Promise<boolean> {
    const lease = await this.#held();
    if (lease.hashOf(checked(name)) !== sha256) return false;
    return (await this.#bucket.get(name, { last: 1 }))?.size === bytes;
  }

  async stage(name: string): Promise<StagedFile> {
    const lease = await this.#held();
    return new StagedObject(this.#bucket, checked(name), lease);
  }

  async replace(name: string, text: string): Promise<void> {
    await this.#held();
    await this.#bucket.put(checked(name), Buffer.from(text));
  }

  async note(name: string, text: string): Promise<void> {
    await this.#bucket.put(checked(name), Buffer.from(text));
  }

  async prepareIndex(name: string, text: string): Promise<void> {
    await this.replace(`${name}${NEW}`, text);
    const present = await this.#bucket.get(name);
    if (present?.size === 0) this.#marks.set(name, present.etag);
  }

  async commitIndex(name: string): Promise<void> {
    const lease = await this.#held();
    const prepared = await this.#bucket.get(checked(`${name}${NEW}`));
    if (prepared !== undefined) {
      await lease.confirm();
      const mark = this.#marks.get(name);
      const written = await this.#bucket.put(name, prepared.bytes, mark === undefined ? "absent" : { etag: mark });
      const found = written === undefined ? await this.#bucket.get(name) : prepared;
      if (found?.bytes.equals(prepared.bytes) !== true) throw this.#otherIndex(name);
      await allowed(this.#bucket.remove(`${name}${NEW}`));
    }
    lease.forget((file) => indexOf(file) === name);
  }

  async markRemoved(name: string): Promise<void> {
    const lease = await this.#held();
    const index = await this.#bucket.get(checked(name));
    if (index === undefined) return;
    await this.checkRemovals();
    await lease.confirm();
    await this.#bucket.put(`${name}${REMOVED}`, index.bytes);
    await this.#bucket.remove(name);
  }

  async rename(from: string, to: string): Promise<void> {
    const lease = await this.#held();
    const [old, present] = await Promise.all([
      this.#bucket.get(checked(from), { last: 1 }),
      this.#bucket.get(checked(to), { last: 1 }),
    ]);
    if (old === undefined && present !== undefined) return;
    await this.checkRemovals();
    if (present === undefined) await this.#copy(from, to, lease);
    else if ((await this.#hash(from)) !== (await this.#hash(to))) {
      throw new ArchiveError(`${this.at(to)} exists and is another file than ${this.at(from)}. Nothing was renamed.`, {
        exitCode: EXIT.usage,
      });
    }
    await this.#bucket.remove(from);
  }

  async remove(names: readonly string[]): Promise<void> {
    const lease = await this.#held();
    if (names.length === 0) return;
    await lease.confirm();
    let isKept = false;
    for (const name of names.map(checked)) {
      await lease.ensure();
      isKept = (await this.#bucket.remove(name)) || isKept;
    }
    if (isKept) this.#tellOfVersions();
  }

  async checkRemovals(): Promise<void> {
    if (this.#isRemovable || (await allowed(this.#bucket.remove(NO_OBJECT)))) this.#isRemovable = true;
    else
      throw new NotRemovableError(
        `The credentials may not remove files of ${this.address}, so nothing was removed or renamed. ` +
          "Run the same command with credentials that have the right s3:DeleteObject (AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).",
        { exitCode: EXIT.usage },
      );
  }

  /**
   * Ends the uploads of killed runs, which cost money until then, and marks their snapshots. A run
   * that is only paused, and wakes up, can complete neither of them.
   */
  async removeLeftovers(keep = (_name: string): boolean => false): Promise<readonly string[]> {
    const lease = await this.#held();
    const removed: string[] = [];
    await this.#abortUploads(lease, removed);
    const { hidden: found, unmarked } = await this.#objects();
    if (found.length === 0) {
      lease.forget(() => true);
      return removed;
    }
    const kept = new Set(found.filter(({ name }) => keep(name)).map(({ name }) => indexOf(name)));
    for (const index of unmarked) if (!kept.has(index)) await this.#bucket.put(index, Buffer.alloc(0), "absent");
    const hidden = (await this.#objects()).hidden.filter(({ name }) => !kept.has(indexOf(name)));
    lease.forget((name) => !kept.has(indexOf(name)));
    const oldest = this.#bucket.now() - (lease.mayWake ? MAY_WAKE : 0);
    // The empty indexes stay, so that no snapshot of that name is ever committed.
    const left = hidden.filter(({ name, modified }) => parseIndexName(name) === undefined && modified <= oldest);
    for (const { name } of left) {
      // Credentials that may not remove one object may remove none.
      if (!(await allowed(this.#bucket.remove(name)))) break;
      removed.push(name);
    }
    return removed;
  }

  /** Adds the names of aborted uploads to `removed`, and tells once of those that stay. */
  async #abortUploads(lease: BucketLease, removed: string[]): Promise<void> {
    let left: readonly string[] = [];
    try {
      const uploads = await this.#bucket.uploads();
      left = uploads.map(({ id }) => id);
      for (const upload of uploads) {
        await this.#bucket.abortUpload(upload);
        left = left.slice(1);
        removed.push(upload.name);
      }
    } catch (error) {
      if (!(error instanceof NotRemovableError)) throw error;
      if (left.length === 0) left = ["not listed"];
    }
    if (!lease.isNews(left)) return;
    const what =
      left[0] === "not listed"
        ? `The credentials may not list unfinished uploads of killed runs in ${this.address} (s3:ListBucketMultipartUploads)`
        : `${left.length === 1 ? "An unfinished upload" : `${left.length} unfinished uploads`} of killed runs in ${this.address} cannot be aborted with these credentials (s3:AbortMultipartUpload)`;
    this.#options.listener?.warn(
      `${what}. Their parts use paid space until a lifecycle rule of the bucket aborts them. ` +
        'Add the rule of "Rules of the bucket" in docs/guide/back-up-and-restore.md. This message comes once.',
    );
  }

  async free(): Promise<number | null> {
    return null;
  }

  async canWrite(): Promise<boolean> {
    return true;
  }

  async acquire(command: string): Promise<{ readonly lease: Lease } | { readonly heldBy: Holder }> {
    const taken = await BucketLease.take(this.#bucket, command, this.#options.leaseSeconds);
    if (!(taken instanceof BucketLease)) return { heldBy: taken };
    this.#lease = taken;
    return { lease: taken };
  }

  holder(): Promise<Holder | undefined> {
    return leaseHolder(this.#bucket);
  }

  #tellOfVersions(): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#options.listener?.note(
      `The bucket keeps the removed files of ${this.address} as old versions, which use space until a lifecycle rule removes them. ` +
        'See "Rules of the bucket" in docs/guide/back-up-and-restore.md.',
    );
  }

  /** The lease of this run, which it still has. */
  async #held(): Promise<BucketLease> {
    if (this.#lease === undefined)
      throw new FerryError(`${this.address} is changed without its lease. This is a defect of guideferry.`);
    await this.#lease.ensure();
    return this.#lease;
  }

  async #objects(): Promise<Objects> {
    const all = (await this.#bucket.list()).filter(({ name }) => name !== LEASE);
    const sizes = new Map(all.map(({ name, bytes }) => [name, bytes]));
    const mains = new Set(all.flatMap(({ name }) => (parseArchiveName(name)?.part === null ? [indexOf(name)] : [])));
    const open = all.filter(({ name }) => {
      const index = indexOf(name);
      const isStarted = index !== undefined && parseArchiveName(name) !== undefined && !sizes.has(index);
      return isStarted && !sizes.has(`${index}${REMOVED}`) && !(sizes.has(`${index}${NEW}`) && mains.has(index));
    });
    const left = open.length === 0 ? new Set() : (this.#lease?.uncommitted ?? (await uncommittedIn(this.#bucket)));
    const uncommitted = new Set(open.map(({ name }) => name).filter((name) => left.has(name)));
    const isHidden = ({ name }: BucketObject): boolean => {
      const index = indexOf(name) ?? "";
      return uncommitted.has(name) || sizes.get(index) === 0 || (name === `${index}${NEW}` && sizes.has(index));
    };
    const hidden = all.filter(isHidden);
    const unmarked = new Set(hidden.map(({ name }) => indexOf(name) ?? "").filter((index) => !sizes.has(index)));
    return { shown: all.filter((one) => !isHidden(one)), hidden, unmarked };
  }

  #block(name: string, etag: string, range: { readonly start: number; readonly end: number }): Promise<Buffer> {
    const key = `${name} ${etag} ${range.start}`;
    const block = this.#blocks.get(key, async () => {
      const found = await this.#bucket.get(name, range, etag);
      if (found !== undefined) return found.bytes;
      throw new ArchiveError(`${this.at(name)} was removed while it was read. Run the same command again.`, {
        exitCode: EXIT.stopped,
      });
    });
    block.catch(() => this.#blocks.forget(key, block));
    return block;
  }

  async #copy(from: string, to: string, lease: BucketLease): Promise<void> {
    const staged = new StagedObject(this.#bucket, to, lease);
    try {
      for await (const piece of this.#bucket.stream(from)) await staged.write(piece);
      await staged.readAgain();
      await staged.commit();
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  async #hash(name: string): Promise<string> {
    const hash = createHash("sha256");
    for await (const piece of this.#bucket.stream(name)) hash.update(piece);
    return hash.digest("hex");
  }

  #otherIndex(name: string): ArchiveError {
    const holder = this.#lease?.lost.aborted === true ? "" : " Another run had the lease in the meantime.";
    return new ArchiveError(
      `${this.at(name)} exists with another content, so this snapshot was not added.${holder} Run the same command again.`,
      { exitCode: EXIT.locked },
    );
  }
}

interface Objects {
  readonly shown: readonly BucketObject[];
  /** Files of snapshots that were never committed, with their empty indexes; and used `.new`. */
  readonly hidden: readonly BucketObject[];
  /** The indexes of such snapshots that do not exist yet. */
  readonly unmarked: ReadonlySet<string>;
}

/** The index of the snapshot to which a file belongs; undefined: to none. */
function indexOf(file: string): string | undefined {
  const found = parseArchiveName(file) ?? parseIndexName(file.replace(/\.(?:new|removed)$/, ""));
  return found === undefined ? undefined : indexName(found.name, found.snapshot);
}

/** false: the credentials may not remove it. */
async function allowed(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof NotRemovableError) return false;
    throw error;
  }
}

function checked(name: string): string {
  if (name !== "" && !/[/\\\0]/.test(name)) return name;
  throw new UsageError(`${JSON.stringify(name)} is not the name of a file of a repository.`);
}
