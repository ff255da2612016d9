import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import { EXIT, FerryError, UsageError } from "../core/errors.js";
import { parallel } from "../core/util/concurrency.js";
import { onDisk } from "../storage/archive/disk-error.js";
import { BucketClient } from "../storage/repository/files/bucket-client.js";
import { parseBucket } from "../storage/repository/files/bucket-connection.js";
import { isBucketAddress, isStorageAddress } from "../storage/repository/files/open-storage.js";
import { makeFolder } from "../storage/workspace/layout.js";

/** What is shipped was changed, is missing, or belongs to another key. */
export class SharedStateError extends FerryError {
  override readonly name = "SharedStateError";
}

interface StoredObject {
  readonly name: string;
  /** UNIX milliseconds of the last write. */
  readonly modified: number;
}

/** Small objects of one task, in a bucket or a local folder. A name has no `/`. */
interface Objects {
  list(): Promise<readonly StoredObject[]>;
  /** undefined: there is none. */
  get(name: string): Promise<Buffer | undefined>;
  /** Durable when it is fulfilled; never a part. */
  put(name: string, bytes: Buffer): Promise<void>;
  remove(name: string): Promise<void>;
  removeAll(): Promise<void>;
  /** The time now, by the clock that gives `modified`. */
  now(): number;
  close(): void;
}

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Bits of the first byte of sealed bytes. */
const ENCRYPTED = 1;
const UNCOMPRESSED = 2;
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Fast: state and texts become a fifth of their size, and slower levels gain little. */
const LEVEL = { level: 1 };

/**
 * Compresses what leaves this machine, and encrypts it if there is a key: AES-256-GCM with a random
 * nonce, authenticated together with its place, so that neither bytes nor places can be swapped.
 */
export class Seal {
  readonly #key: Buffer | undefined;

  /** @param key 32 bytes as base64; undefined: nothing is encrypted. Throws UsageError. */
  constructor(key: string | undefined) {
    if (key === undefined) return;
    this.#key = Buffer.from(key, "base64");
    if (this.#key.length === KEY_BYTES && /^[\w+/-]{43}=?$/.test(key.trim())) return;
    throw new UsageError(
      "GUIDEFERRY_FLEET_KEY is not a key: it has to be 32 random bytes as base64. Make one: openssl rand -base64 32",
    );
  }

  get encrypts(): boolean {
    return this.#key !== undefined;
  }

  /** A name for content that tells nothing of it without the key. */
  nameOf(sha256: string): string {
    return this.#key === undefined ? sha256 : createHmac("sha256", this.#key).update(sha256).digest("hex");
  }

  /**
   * @param place where the bytes will be: the only place where `open` takes them
   * @param compresses false for media, which are compressed already
   */
  async close(bytes: Uint8Array, place: string, compresses: boolean): Promise<Buffer> {
    if (!compresses) return this.#encrypt(bytes, place, UNCOMPRESSED);
    return this.#encrypt(await deflate(bytes, LEVEL), place, 0);
  }

  /** The same without a wait, for small bytes whose order counts. */
  closeAtOnce(bytes: Uint8Array, place: string): Buffer {
    return this.#encrypt(deflateRawSync(bytes, LEVEL), place, 0);
  }

  /** Throws SharedStateError (exit 6) for damaged bytes, and (2) without the right key. */
  async open(sealed: Buffer, place: string): Promise<Buffer> {
    const compressed = this.#decrypt(sealed, place);
    if (((sealed[0] ?? 0) & UNCOMPRESSED) !== 0) return compressed;
    try {
      return await inflate(compressed);
    } catch (cause) {
      throw new SharedStateError(`${place} is damaged. Restore the database and the storage from their backups.`, {
        cause,
        exitCode: EXIT.differences,
      });
    }
  }

  #encrypt(bytes: Uint8Array, place: string, form: number): Buffer {
    if (this.#key === undefined) return Buffer.concat([Buffer.of(form), bytes]);
    const nonce = randomBytes(NONCE_BYTES);
    const first = Buffer.of(form | ENCRYPTED);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.concat([first, Buffer.from(place)]));
    const encrypted = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([first, nonce, ...encrypted, cipher.getAuthTag()]);
  }

  #decrypt(sealed: Buffer, place: string): Buffer {
    const isEncrypted = ((sealed[0] ?? 0) & ENCRYPTED) !== 0;
    if (isEncrypted !== this.encrypts) throw wrongKey(place, isEncrypted ? "is encrypted" : "is not encrypted");
    if (this.#key === undefined) return sealed.subarray(1);
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    try {
      decipher
        .setAAD(Buffer.concat([sealed.subarray(0, 1), Buffer.from(place)]))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      throw wrongKey(place, "cannot be decrypted", cause);
    }
  }
}

function wrongKey(place: string, what: string, cause?: unknown): SharedStateError {
  return new SharedStateError(
    `${place} ${what}. Nothing was done. Give every worker the GUIDEFERRY_FLEET_KEY with which the task was started, or none if it was started without. ` +
      "If the key is right, somebody changed the database or the storage.",
    { cause, exitCode: EXIT.usage },
  );
}

/** Bytes of a part of a file: so much of it is in memory, a few times. */
const PART = 8 * 1024 * 1024;

/** The objects of one task, sealed. Throws ArchiveError with a remedy when the storage fails. */
export class ObjectStore {
  readonly seal: Seal;
  readonly #objects: Objects;
  readonly #task: string;
  readonly #partBytes: number;

  private constructor(objects: Objects, task: string, seal: Seal, partBytes: number) {
    this.#objects = objects;
    this.#task = task;
    this.seal = seal;
    this.#partBytes = partBytes;
  }

  /**
   * @param address `s3://bucket/prefix`, `file:///path` or the path of a folder. Throws UsageError
   * @param partBytes of each part of a file. Default: 8 MiB
   */
  static async open(address: string, task: string, seal: Seal, partBytes = PART): Promise<ObjectStore> {
    if (isBucketAddress(address)) {
      const place = parseBucket(`${address.replace(/\/+$/, "")}/state/${task}`);
      return new ObjectStore(bucketObjects(await BucketClient.open(place)), task, seal, partBytes);
    }
    const folder = isStorageAddress(address) ? fileURLToPath(address) : address;
    return new ObjectStore(folderObjects(join(folder, "state", task)), task, seal, partBytes);
  }

  list(): Promise<readonly StoredObject[]> {
    return this.#objects.list();
  }

  /** Stores a small object, compressed; the storage compares a checksum. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#objects.put(name, await this.seal.close(bytes, this.#place(name), true));
  }

  /** Throws SharedStateError (exit 6): it is missing, or damaged. */
  async get(name: string): Promise<Buffer> {
    const sealed = await this.#objects.get(name);
    if (sealed === undefined) throw this.#unusable(name, "is missing in the storage");
    return this.seal.open(sealed, this.#place(name));
  }

  /**
   * Stores a file as the objects `NAME-INDEX-COUNT`. Each is sealed for its name, so that none can
   * be swapped, left out or cut. Returns their number, and their bytes in the storage.
   *
   * @param isState compresses it, and reads each part back, because it replaces what the database
   * has; false for media, which are compressed already
   */
  async putFile(
    name: string,
    file: string,
    isState: boolean,
  ): Promise<{ readonly parts: number; readonly bytes: number }> {
    const handle = await onDisk(`reading ${file}`, open(file, "r"));
    try {
      const { size } = await handle.stat();
      const parts = Math.max(1, Math.ceil(size / this.#partBytes));
      let bytes = 0;
      for (let index = 0; index < parts; index += 1) {
        const part = partName(name, index, parts);
        const from = index * this.#partBytes;
        const content = await onDisk(`reading ${file}`, bytesAt(handle, from, Math.min(this.#partBytes, size - from)));
        const sealed = await this.seal.close(content, this.#place(part), isState);
        await this.#objects.put(part, sealed);
        bytes += sealed.length;
        if (isState && (await this.#objects.get(part))?.equals(sealed) !== true)
          throw this.#unusable(part, "has other bytes than were just stored");
      }
      return { parts, bytes };
    } finally {
      await handle.close();
    }
  }

  /**
   * The bytes of a file, part by part. Throws SharedStateError (exit 6) when a part is missing or
   * damaged, and at the end when they are not the content of this name.
   *
   * @param content the `nameOf` the sha256 of all bytes
   */
  async *getFile(name: string, parts: number, content: string): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    for (let index = 0; index < parts; index += 1) {
      const bytes = await this.get(partName(name, index, parts));
      hash.update(bytes);
      yield bytes;
    }
    if (this.seal.nameOf(hash.digest("hex")) !== content)
      throw this.#unusable(name, "has other bytes than were stored");
  }

  /**
   * Removes those of the objects that are older than ten minutes: a run that was paused may be
   * about to name a younger one.
   */
  async removeOld(objects: readonly StoredObject[]): Promise<void> {
    const before = this.#objects.now() - YOUNG;
    for (const { name, modified } of objects) if (modified < before) await this.#objects.remove(name);
  }

  /** Removes everything of the task; without the key too. */
  removeAll(): Promise<void> {
    return this.#objects.removeAll();
  }

  close(): void {
    this.#objects.close();
  }

  #place(name: string): string {
    return `object ${name} of the task ${this.#task}`;
  }

  #unusable(name: string, what: string): SharedStateError {
    return new SharedStateError(`The ${this.#place(name)} ${what}. Restore the storage from its backup.`, {
      exitCode: EXIT.differences,
    });
  }
}

function partName(name: string, index: number, parts: number): string {
  return `${name}-${index}-${parts}`;
}

/** A read of a file may return less than was asked for. */
async function bytesAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, from + at);
    if (bytesRead === 0) throw new Error("the file became shorter while it was read");
    at += bytesRead;
  }
  return bytes;
}

/** Milliseconds. */
const YOUNG = 10 * 60_000;
/** Requests to the storage at the same time. */
export const WIDTH = 8;

function bucketObjects(bucket: BucketClient): Objects {
  return {
    list: () => bucket.list(),
    get: async (name) => (await bucket.get(name))?.bytes,
    put: async (name, bytes) => void (await bucket.put(name, bytes)),
    remove: async (name) => void (await bucket.remove(name)),
    removeAll: async () => parallel(await bucket.list(), WIDTH, async ({ name }) => void (await bucket.remove(name))),
    now: () => bucket.now(),
    close: () => bucket.close(),
  };
}

/** For one machine, and for tests. */
function folderObjects(folder: string): Objects {
  const reading = <T>(work: Promise<T>, missing: T): Promise<T> =>
    onDisk(
      `reading ${folder}`,
      work.catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return missing;
        throw error;
      }),
    );
  const list = async (): Promise<readonly StoredObject[]> => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
    return Promise.all(names.map(async (name) => ({ name, modified: (await stat(join(folder, name))).mtimeMs })));
  };
  const put = async (name: string, bytes: Buffer): Promise<void> => {
    const temporary = join(folder, `.${randomUUID()}`);
    await makeFolder(folder);
    await writeFile(temporary, bytes, { mode: 0o600, flush: true });
    await rename(temporary, join(folder, name));
  };
  return {
    list: () => reading(list(), []),
    get: (name) => reading<Buffer | undefined>(readFile(join(folder, name)), undefined),
    put: (name, bytes) => onDisk(`writing ${join(folder, name)}`, put(name, bytes)),
    remove: (name) => onDisk(`removing ${join(folder, name)}`, rm(join(folder, name), { force: true })),
    removeAll: () => onDisk(`removing ${folder}`, rm(folder, { recursive: true, force: true })),
    now: Date.now,
    close: () => undefined,
  };
}
