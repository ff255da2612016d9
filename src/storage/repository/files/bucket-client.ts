import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type * as Sdk from "@aws-sdk/client-s3";
import { ArchiveError, EXIT, FerryError } from "../../../core/errors.js";
import type { Bandwidth } from "../../../core/util/bandwidth.js";
import { isObject } from "../../../core/util/json.js";
import { type BucketPlace, codeOf, connect, statusOf, storageError, type Wire } from "./bucket-connection.js";

export interface BucketObject {
  /** Without the prefix. */
  readonly name: string;
  readonly bytes: number;
  /** The time of the last write, by the clock of the server; UNIX milliseconds. */
  readonly modified: number;
}

/** A small object, or a range of one. */
export interface Fetched {
  readonly bytes: Buffer;
  /** Size of the whole object. */
  readonly size: number;
  readonly etag: string;
  readonly modified: number;
}

/** An unfinished multipart upload. */
export interface Upload {
  readonly name: string;
  readonly id: string;
}

export interface UploadedPart {
  readonly PartNumber: number;
  readonly ETag: string;
}

/** Bytes from `start` to before `end`; a negative `last` is impossible: it counts from the end. */
export type Range = { readonly start: number; readonly end?: number } | { readonly last: number };

/** A write is refused when the object exists (`absent`), or has another ETag. */
type Condition = "absent" | { readonly etag: string };

const HOLD_ON = { tries: 5, delay: 300 } as const;

/**
 * The objects of one prefix of a bucket, by the AWS SDK. It repeats requests that fail for a moment
 * (503, lost connections), and checks the bytes of each write with an MD5 that the server compares.
 * Names are relative to the prefix. Throws ArchiveError and UsageError with a remedy; no message
 * has a secret.
 */
export class BucketClient {
  readonly place: BucketPlace;
  readonly #sdk: typeof Sdk;
  readonly #client: Sdk.S3Client;
  readonly #wire: Wire;

  private constructor(place: BucketPlace, sdk: typeof Sdk, wire: Wire, client: Sdk.S3Client) {
    this.place = place;
    this.#sdk = sdk;
    this.#wire = wire;
    this.#client = client;
  }

  /** Loads the SDK. Sends no request. Throws UsageError when the SDK is not installed. */
  static async open(place: BucketPlace, bandwidth?: Bandwidth): Promise<BucketClient> {
    const { sdk, wire, client } = await connect(bandwidth);
    return new BucketClient(place, sdk, wire, client);
  }

  at(name: string): string {
    return `${this.place.address}/${name}`;
  }

  /** The clock of the server, UNIX milliseconds; exact to a second. Call it after a request. */
  now(): number {
    return this.#wire.now();
  }

  /** The objects directly below the prefix, in the order of their names. */
  async list(): Promise<readonly BucketObject[]> {
    const { bucket: Bucket, prefix: Prefix, address } = this.place;
    const found: BucketObject[] = [];
    for (let ContinuationToken: string | undefined; ; ) {
      const input = { Bucket, Prefix, Delimiter: "/", ContinuationToken };
      const page = await this.#run(`listing ${address}`, () =>
        this.#client.send(new this.#sdk.ListObjectsV2Command(input)),
      );
      for (const { Key = "", Size = 0, LastModified } of page.Contents ?? [])
        if (Key !== Prefix)
          found.push({ name: Key.slice(Prefix.length), bytes: Size, modified: LastModified?.getTime() ?? 0 });
      ContinuationToken = page.NextContinuationToken;
      if (page.IsTruncated !== true || ContinuationToken === undefined) break;
    }
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * The whole object or a range of it, complete. `etag`: throws ArchiveError when the object is
   * another one now. undefined: there is no such object.
   */
  async get(name: string, range?: Range, etag?: string): Promise<Fetched | undefined> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#open(name, range, etag);
      if (answer === undefined) return undefined;
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of answer.body) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        if (bytes.length !== answer.length) throw new Error(`${bytes.length} of ${answer.length} bytes came`);
        return { bytes, size: answer.size, etag: answer.etag, modified: answer.modified };
      } catch (error) {
        await this.#holdOn(error, tries, name);
      }
    }
  }

  /** The bytes of a whole object; continues after lost connections where they stopped. */
  async *stream(name: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
    let [position, tries] = [0, 0];
    let [etag, size]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    while (position < size) {
      tries += 1;
      const answer = await this.#open(name, position === 0 ? undefined : { start: position }, etag, signal);
      if (answer === undefined) throw this.#missing(name);
      ({ etag, size } = answer);
      try {
        for await (const chunk of answer.body) {
          yield chunk;
          position += chunk.length;
          tries = 0;
        }
        if (position < size) throw new Error(`${position} of ${size} bytes came`);
      } catch (error) {
        signal?.throwIfAborted();
        await this.#holdOn(error, tries, name);
      }
    }
  }

  /** Writes a small object; undefined: the condition is not met, and nothing changed. */
  async put(name: string, bytes: Buffer, condition?: Condition): Promise<string | undefined> {
    const ifAbsent = condition === "absent" ? { IfNoneMatch: "*" } : {};
    // Ceph knows an ETag here only without its quotation marks.
    const ifSame = isObject(condition) ? { IfMatch: condition.etag.replaceAll('"', "") } : {};
    const input = { ...this.#key(name), Body: bytes, ContentMD5: md5(bytes), ...ifAbsent, ...ifSame };
    return this.#run(`writing ${this.at(name)}`, async () => {
      try {
        const { ETag } = await this.#client.send(new this.#sdk.PutObjectCommand(input));
        return ETag ?? "";
      } catch (error) {
        if (condition !== undefined && REFUSED_CONDITIONS.has(statusOf(error) ?? 0)) return undefined;
        throw error;
      }
    });
  }

  /** Removes an object, if it is there. true: the bucket keeps it as an old version. */
  async remove(name: string): Promise<boolean> {
    const { DeleteMarker } = await this.#run(`removing ${this.at(name)}`, () =>
      this.#client.send(new this.#sdk.DeleteObjectCommand(this.#key(name))),
    );
    return DeleteMarker === true;
  }

  async beginUpload(name: string): Promise<Upload> {
    const { UploadId } = await this.#run(`writing ${this.at(name)}`, () =>
      this.#client.send(new this.#sdk.CreateMultipartUploadCommand(this.#key(name))),
    );
    return { name, id: UploadId ?? "" };
  }

  async uploadPart({ name, id }: Upload, number: number, bytes: Buffer): Promise<UploadedPart> {
    const input = { ...this.#key(name), UploadId: id, PartNumber: number, Body: bytes, ContentMD5: md5(bytes) };
    const { ETag } = await this.#run(`writing ${this.at(name)}`, () =>
      this.#client.send(new this.#sdk.UploadPartCommand(input)),
    );
    return { PartNumber: number, ETag: ETag ?? "" };
  }

  /** The number and bytes of the parts that the server has. */
  async partsOf({ name, id }: Upload): Promise<{ readonly count: number; readonly bytes: number }> {
    let [count, bytes] = [0, 0];
    for (let PartNumberMarker: string | undefined; ; ) {
      const input = { ...this.#key(name), UploadId: id, PartNumberMarker };
      const page = await this.#run(`checking ${this.at(name)}`, () =>
        this.#client.send(new this.#sdk.ListPartsCommand(input)),
      );
      for (const { Size = 0 } of page.Parts ?? []) {
        count += 1;
        bytes += Size;
      }
      if (page.IsTruncated !== true) return { count, bytes };
      PartNumberMarker = page.NextPartNumberMarker;
    }
  }

  async completeUpload({ name, id }: Upload, parts: readonly UploadedPart[]): Promise<void> {
    const input = { ...this.#key(name), UploadId: id, MultipartUpload: { Parts: [...parts] } };
    await this.#run(`writing ${this.at(name)}`, () =>
      this.#client.send(new this.#sdk.CompleteMultipartUploadCommand(input)),
    );
  }

  async abortUpload({ name, id }: Upload): Promise<void> {
    await this.#run(`removing the unfinished upload of ${this.at(name)}`, async () => {
      try {
        await this.#client.send(new this.#sdk.AbortMultipartUploadCommand({ ...this.#key(name), UploadId: id }));
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    });
  }

  /** Unfinished uploads directly below the prefix. NotRemovableError: no right to list them. */
  async uploads(): Promise<readonly Upload[]> {
    const { bucket: Bucket, prefix: Prefix, address } = this.place;
    const found: Upload[] = [];
    for (let marker: Pick<Sdk.ListMultipartUploadsCommandInput, "KeyMarker" | "UploadIdMarker"> = {}; ; ) {
      const page = await this.#run(`removing the unfinished uploads of ${address}`, () =>
        this.#client.send(new this.#sdk.ListMultipartUploadsCommand({ Bucket, Prefix, ...marker })),
      );
      for (const { Key = "", UploadId = "" } of page.Uploads ?? []) {
        const name = Key.slice(Prefix.length);
        if (!name.includes("/")) found.push({ name, id: UploadId });
      }
      if (page.IsTruncated !== true) return found;
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  close(): void {
    this.#client.destroy();
    this.#wire.destroy();
  }

  #key(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${name}` };
  }

  async #open(name: string, range: Range | undefined, etag: string | undefined, signal?: AbortSignal) {
    const asked = range === undefined ? {} : { Range: headerOf(range) };
    const input = { ...this.#key(name), ...asked, ...(etag === undefined ? {} : { IfMatch: etag }) };
    const doing = `reading ${this.at(name)}`;
    const answer = await this.#run(doing, async () => {
      try {
        const options = signal === undefined ? {} : { abortSignal: signal };
        return await this.#client.send(new this.#sdk.GetObjectCommand(input), options);
      } catch (error) {
        signal?.throwIfAborted();
        if (statusOf(error) === 404 && codeOf(error) !== "NoSuchBucket") return undefined;
        // A range of an empty object.
        if (statusOf(error) === 416) return null;
        if (statusOf(error) !== 412) throw error;
        throw new ArchiveError(
          `${this.at(name)} changed while it was read. Run the same command again. If no other run writes to it, check who may write to the bucket.`,
          { exitCode: EXIT.differences },
        );
      }
    });
    if (answer === undefined) return undefined;
    if (answer === null) return { body: [], length: 0, size: 0, etag: "", modified: 0 };
    const { Body, ContentLength: length = 0, ContentRange = "", ETag = "", LastModified } = answer;
    return {
      body: Body as Readable,
      length,
      size: Number(/\/(\d+)$/.exec(ContentRange)?.[1] ?? length),
      etag: ETag,
      modified: LastModified?.getTime() ?? 0,
    };
  }

  /** Waits before another try of a read whose bytes did not all come. */
  async #holdOn(error: unknown, tries: number, name: string): Promise<void> {
    if (error instanceof FerryError) throw error;
    if (tries >= HOLD_ON.tries) throw storageError(error, `reading ${this.at(name)}`, this.#wire.host);
    await delay(HOLD_ON.delay * 2 ** tries);
  }

  #missing(name: string): ArchiveError {
    return new ArchiveError(`${this.at(name)} does not exist. Check the address.`, { exitCode: EXIT.notFound });
  }

  async #run<T>(doing: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof FerryError || (error instanceof Error && error.name === "AbortError")) throw error;
      throw storageError(error, doing, this.#wire.host);
    }
  }
}

/** Statuses of a write whose condition is not met; 409: another write is going on. */
const REFUSED_CONDITIONS: ReadonlySet<number> = new Set([409, 412]);

function md5(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("base64");
}

function headerOf(range: Range): string {
  if ("last" in range) return `bytes=-${range.last}`;
  return `bytes=${range.start}-${range.end === undefined ? "" : range.end - 1}`;
}
