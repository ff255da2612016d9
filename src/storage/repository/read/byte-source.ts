import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { EXIT, UsageError } from "../../../core/errors.js";
import type { ByteSource, RepositoryStorage } from "../files/repository-storage.js";
import type { SnapshotIndex } from "../format.js";
import { damage } from "./damage.js";
import type { RepositoryKeys } from "./repository-keys.js";

// age-encryption.org/v1: a header of text, a nonce, and separately sealed chunks of 64 KiB.

const HEADER_LONGEST = 64 * 1024;
const VERSION = "age-encryption.org/v1\n";
const NONCE = 16;
const TAG = 16;
const CHUNK = 64 * 1024;
const SEALED = CHUNK + TAG;
/** Chunks in memory, since neighbouring pieces of a content are in the same chunk. */
const HELD = 4;

interface Payload {
  readonly source: ByteSource;
  readonly key: Buffer;
  /** The position of the first chunk, and the bytes from there to the end. */
  readonly at: number;
  readonly sealed: number;
  readonly file: string;
}

/**
 * Reads an encrypted file at any position and decrypts only the requested chunks. The last chunk is
 * opened first, which proves that the file is not cut. Throws UsageError when no key fits,
 * ArchiveError (exit 6) for a damaged file. Closing it closes the source.
 */
export async function ageSource(source: ByteSource, file: string, keys: RepositoryKeys): Promise<ByteSource> {
  const payload = await payloadOf(source, file, keys);
  await openChunk(payload, lastChunk(payload));
  return sourceOf(payload, (number) => openChunk(payload, number));
}

/**
 * The same for a cut or damaged file: chunks that can't be opened are zeros, so the reader has to
 * check the bytes. Throws as `ageSource` when the header is damaged.
 */
export async function ageRemains(source: ByteSource, file: string, keys: RepositoryKeys): Promise<ByteSource> {
  const payload = await payloadOf(source, file, keys);
  return sourceOf(payload, async (number) => {
    const opened = await Promise.allSettled([openChunk(payload, number), openChunk(payload, number, false)]);
    return opened.find((one) => one.status === "fulfilled")?.value ?? Buffer.alloc(CHUNK);
  });
}

/** Is the first line that of an age file? */
export async function beginsAsAge(source: ByteSource): Promise<boolean> {
  return (await readAt(source, 0, VERSION.length)).equals(Buffer.from(VERSION));
}

async function payloadOf(source: ByteSource, file: string, keys: RepositoryKeys): Promise<Payload> {
  const header = await readHeader(source, file);
  const fileKey = await unlock(header, file, keys);
  const nonce = await readAt(source, header.length, NONCE);
  const at = header.length + NONCE;
  const sealed = source.bytes - at;
  const key = Buffer.from(hkdfSync("sha256", fileKey, nonce, "payload", 32));
  if (nonce.length < NONCE || sealed < TAG) throw damage(`${file} is cut off after its header.`);
  return { source, key, at, sealed, file };
}

function sourceOf(payload: Payload, open: (number: number) => Promise<Buffer>): ByteSource {
  const bytes = payload.sealed - TAG * (lastChunk(payload) + 1);
  return { bytes, read: reader(payload, open), close: () => payload.source.close() };
}

function reader(payload: Payload, open: (number: number) => Promise<Buffer>): ByteSource["read"] {
  const held = new Map<number, Promise<Buffer>>();
  const chunk = (number: number): Promise<Buffer> => {
    const opened = held.get(number) ?? open(number);
    held.delete(number);
    held.set(number, opened);
    for (const oldest of held.keys()) if (held.size > HELD) held.delete(oldest);
    return opened;
  };
  return async (buffer, offset, length, position) => {
    const number = Math.floor(position / CHUNK);
    if (length === 0 || position < 0 || number > lastChunk(payload)) return { bytesRead: 0 };
    const bytes = await chunk(number);
    const from = position - number * CHUNK;
    if (from >= bytes.length) return { bytesRead: 0 };
    return { bytesRead: bytes.copy(buffer, offset, from, Math.min(from + length, bytes.length)) };
  };
}

function lastChunk({ sealed }: Payload): number {
  return Math.ceil(sealed / SEALED) - 1;
}

async function openChunk(payload: Payload, number: number, last = number === lastChunk(payload)): Promise<Buffer> {
  const { source, key, at, sealed, file } = payload;
  const from = number * SEALED;
  const bytes = await readAt(source, at + from, Math.min(SEALED, sealed - from));
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = last ? 1 : 0;
  const decipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: TAG });
  try {
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG)), decipher.final()]);
  } catch (cause) {
    const where =
      number === lastChunk(payload) ? "its end is damaged or cut off" : `it is damaged near byte ${at + from}`;
    throw damage(`${file}: ${where}.`, cause);
  }
}

/** The header, up to the line of its checksum. Throws ArchiveError (exit 6) without one. */
async function readHeader(source: ByteSource, file: string): Promise<Buffer> {
  const bytes = await readAt(source, 0, HEADER_LONGEST);
  if (!bytes.subarray(0, VERSION.length).equals(Buffer.from(VERSION))) {
    throw damage(`${file} is damaged: it does not begin with the header of an age file.`);
  }
  const mac = bytes.indexOf("\n--- ");
  const end = mac < 0 ? -1 : bytes.indexOf("\n", mac + 1);
  if (end < 0) throw damage(`${file} is damaged: its age header is incomplete.`);
  return bytes.subarray(0, end + 1);
}

async function unlock(header: Buffer, file: string, keys: RepositoryKeys): Promise<Uint8Array> {
  try {
    return await keys.fileKey(header);
  } catch (cause) {
    if (!isKeyMissing(cause)) throw damage(`${file} is damaged: its age header cannot be read.`, cause);
    const isPassphrase = header.includes("\n-> scrypt ");
    const wanted = isPassphrase ? "the passphrase in GUIDEFERRY_PASSPHRASE" : "its key by --identity FILE";
    const tried = keys.isEmpty ? "and no key was given" : "and none of the given keys opens it";
    throw new UsageError(`${file} is encrypted, ${tried}. Give ${wanted}.`, { cause, exitCode: EXIT.usage });
  }
}

/** Usually true for a damaged header too; only the hash of the file shows the difference. */
function isKeyMissing(cause: unknown): boolean {
  return cause instanceof Error && /no identity matched/.test(cause.message);
}

async function readAt(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, length));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await source.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

interface FileKeys {
  /** The header of a new file, and the key in it. */
  readonly begin: () => Promise<{ readonly header: Buffer; readonly fileKey: Uint8Array }>;
}

/**
 * A new age file around bytes that come in pieces. It is here and not beside the encryption, whose
 * library takes 0.1 s to load: plain archives do without that.
 */
export class Sealer {
  readonly #key: Buffer;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #chunk = 0;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** `head` are the first bytes of the file. */
  static async begin({ begin }: FileKeys): Promise<{ readonly sealer: Sealer; readonly head: Buffer }> {
    const { header, fileKey } = await begin();
    const nonce = randomBytes(NONCE);
    const key = Buffer.from(hkdfSync("sha256", fileKey, nonce, "payload", 32));
    return { sealer: new Sealer(key), head: Buffer.concat([header, nonce]) };
  }

  /** The full chunks so far. The last chunk waits for `end`, because it is sealed differently. */
  add(bytes: Buffer): Buffer {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes <= CHUNK) return Buffer.alloc(0);
    const all = Buffer.concat(this.#held);
    const sealed: Buffer[] = [];
    let from = 0;
    for (; all.length - from > CHUNK; from += CHUNK)
      sealed.push(...this.#seal(all.subarray(from, from + CHUNK), false));
    this.#held = [all.subarray(from)];
    this.#heldBytes = all.length - from;
    return Buffer.concat(sealed);
  }

  end(): Buffer {
    return Buffer.concat(this.#seal(Buffer.concat(this.#held), true));
  }

  /**
   * The nonce is an 11-byte big-endian counter and a byte that is 1 for the last chunk
   * (age-encryption.org/v1, "Payload").
   */
  #seal(chunk: Buffer, last: boolean): readonly Buffer[] {
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(this.#chunk, 5, 6);
    nonce[11] = last ? 1 : 0;
    this.#chunk += 1;
    const cipher = createCipheriv("chacha20-poly1305", this.#key, nonce, { authTagLength: TAG });
    return [cipher.update(chunk), cipher.final(), cipher.getAuthTag()];
  }
}

/** The readers of an encrypted snapshot, according to the given keys. */
export type Readers =
  /** The given passphrase opens it. */
  | { readonly by: "passphrase" }
  /** All its recipients: `age1…`. */
  | { readonly by: "recipients"; readonly recipients: readonly string[] }
  /** Another passphrase, or `count` recipients, of which only `known` have a given identity. */
  | { readonly by: "others"; readonly count: number; readonly known: number };

/**
 * Reads the header of a snapshot's main archive. It does not name the recipients, but each identity
 * shows whether it is one of them (age-encryption.org/v1, "X25519 recipient stanza"). Throws
 * ArchiveError (exit 6) when the file is damaged or missing.
 */
export async function readersOf(
  storage: RepositoryStorage,
  { archives }: SnapshotIndex,
  keys: RepositoryKeys,
): Promise<Readers> {
  const name = archives.at(-1)?.name ?? "";
  const header = await headerOf(storage, name);
  const stanzas: readonly string[] = header.toString("latin1").match(/^-> \S+/gm) ?? [];
  if (stanzas.includes("-> scrypt")) {
    const fits = await keys.fileKey(header).then(
      () => true,
      // No passphrase, or another one.
      () => false,
    );
    return fits ? { by: "passphrase" } : { by: "others", count: 1, known: 0 };
  }
  const recipients = await keys.recipientsIn(header);
  const isAll = recipients.length > 0 && recipients.length === stanzas.length;
  return isAll ? { by: "recipients", recipients } : { by: "others", count: stanzas.length, known: recipients.length };
}

async function headerOf(storage: RepositoryStorage, name: string): Promise<Buffer> {
  const source = await storage.open(name);
  if (source === undefined) throw damage(`${name} is missing in ${storage.address}.`);
  try {
    return await readHeader(source, name);
  } finally {
    await source.close();
  }
}
