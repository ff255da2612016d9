import { createHash } from "node:crypto";
import { ArchiveError, EXIT } from "../../../core/errors.js";
import type { BucketClient, Upload, UploadedPart } from "./bucket-client.js";
import { type FileFacts, NotRemovableError, type StagedFile } from "./repository-storage.js";

/** Bytes of a part, the same for nearly all parts, as some servers demand. */
const PART = 8 * 1024 * 1024;
/** S3 allows 10,000 parts: after this one they are larger, so that files of 360 GB are possible. */
const SMALL_PARTS = 5000;
const LARGE_PART = 8 * PART;
/** Parts that are sent at the same time; as many buffers are in memory, and one more. */
const AT_ONCE = 2;

/** What a staged file needs of the lease. */
interface Noting {
  /** Throws ArchiveError (exit 11) when the lease was lost. */
  ensure(): Promise<void>;
  /** The same, and writes what is noted. */
  confirm(): Promise<void>;
  note(name: string): Promise<void>;
  arrived(name: string, sha256: string): void;
}

/**
 * A file on its way into a bucket. A file of one part is one request at its commit. A larger one is
 * a multipart upload, which nobody sees until it is completed. The server compares the MD5 of each
 * part with the bytes that arrived, so they need not be read again, which would double the traffic.
 */
export class StagedObject implements StagedFile {
  readonly #bucket: BucketClient;
  readonly #name: string;
  readonly #lease: Noting;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  #buffer: Buffer = Buffer.alloc(0);
  #filled = 0;
  readonly #free: Buffer[] = [];
  #upload: Upload | undefined;
  #number = 0;
  readonly #parts: UploadedPart[] = [];
  readonly #sending = new Set<Promise<void>>();
  #failure: unknown;
  #isDone = false;

  constructor(bucket: BucketClient, name: string, lease: Noting) {
    this.#bucket = bucket;
    this.#name = name;
    this.#lease = lease;
  }

  async write(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      // A full buffer waits for the next byte: only then is it certain that there are two parts.
      if (this.#filled === this.#buffer.length) await this.#nextBuffer();
      const copied = bytes.copy(this.#buffer, this.#filled, at);
      this.#filled += copied;
      at += copied;
    }
  }

  async readAgain(): Promise<FileFacts> {
    if (this.#upload !== undefined) {
      await this.#sendPart();
      await this.#settle(0);
      const { count, bytes } = await this.#bucket.partsOf(this.#upload);
      if (count !== this.#parts.length || bytes !== this.#bytes) throw this.#differs(bytes);
    }
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }

  async commit(): Promise<void> {
    // The server refuses this note when another run has the lease.
    await this.#lease.note(this.#name);
    if (this.#upload === undefined) {
      await this.#bucket.put(this.#name, this.#buffer.subarray(0, this.#filled));
    } else {
      const parts = this.#parts.toSorted((one, other) => one.PartNumber - other.PartNumber);
      await this.#bucket.completeUpload(this.#upload, parts).catch((error: unknown) => this.#unlessDone(error));
      const found = await this.#bucket.get(this.#name, { last: 1 });
      if (found?.size !== this.#bytes) throw this.#differs(found?.size ?? 0);
    }
    this.#isDone = true;
    this.#drop();
    this.#lease.arrived(this.#name, this.#hash.digest("hex"));
    // Sending many parts again costs more than this write. A small file waits for the next one.
    if (this.#upload !== undefined) await this.#lease.confirm();
  }

  async discard(): Promise<void> {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#drop();
    await Promise.allSettled(this.#sending);
    if (this.#upload === undefined) return;
    await this.#bucket.abortUpload(this.#upload).catch((error: unknown) => {
      if (!(error instanceof NotRemovableError)) throw error;
    });
  }

  async #nextBuffer(): Promise<void> {
    if (this.#filled > 0) {
      this.#upload ??= await this.#bucket.beginUpload(this.#name);
      await this.#sendPart();
    }
    const bytes = this.#number < SMALL_PARTS ? PART : LARGE_PART;
    const free = this.#free.pop();
    this.#buffer = free?.length === bytes ? free : Buffer.allocUnsafe(bytes);
    this.#filled = 0;
  }

  /** Begins to send the buffer, and waits until less than AT_ONCE are on their way. */
  async #sendPart(): Promise<void> {
    await this.#settle(AT_ONCE - 1);
    await this.#lease.ensure();
    const [upload, buffer, part] = [this.#upload, this.#buffer, this.#buffer.subarray(0, this.#filled)];
    if (upload === undefined || part.length === 0) return;
    this.#number += 1;
    const sending = this.#bucket
      .uploadPart(upload, this.#number, part)
      .then((uploaded) => {
        this.#parts.push(uploaded);
        this.#free.push(buffer);
      })
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    this.#buffer = Buffer.alloc(0);
    this.#filled = 0;
  }

  /** Waits until at most `most` parts are on their way. Throws the first failure. */
  async #settle(most: number): Promise<void> {
    while (this.#sending.size > most) await Promise.race(this.#sending);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The upload is unknown: an earlier try, whose answer was lost, may have completed it. */
  async #unlessDone(error: unknown): Promise<void> {
    const isGone = error instanceof ArchiveError && error.exitCode === EXIT.locked;
    const found = isGone ? await this.#bucket.get(this.#name, { last: 1 }) : undefined;
    if (found?.size !== this.#bytes) throw error;
  }

  #differs(bytes: number): ArchiveError {
    return new ArchiveError(
      `The storage has ${bytes} bytes of ${this.#bucket.at(this.#name)}, but guideferry sent ${this.#bytes}. The file was not added. Run the same command again.`,
      { exitCode: EXIT.stopped },
    );
  }

  #drop(): void {
    this.#buffer = Buffer.alloc(0);
    this.#free.length = 0;
  }
}
