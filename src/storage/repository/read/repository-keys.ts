import { createCipheriv, createDecipheriv, createHash, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Decrypter, Identity, Stanza } from "age-encryption";
import { UsageError } from "../../../core/errors.js";
import { diskError } from "../../archive/disk-error.js";

/** The keys for encrypted archives; they are never shown. */
interface KeyTexts {
  /** `AGE-SECRET-KEY-1…` */
  readonly identities: readonly string[];
  readonly passphrase: string | null;
}

/** The keys of a run with a cache of file keys: a passphrase takes 1 s and 270 MB for each file. */
export class RepositoryKeys {
  readonly #texts: KeyTexts;
  #decrypter: Promise<Decrypter> | undefined;
  readonly #fileKeys = new Map<string, Promise<Uint8Array>>();
  readonly isEmpty: boolean;

  constructor(texts: KeyTexts = { identities: [], passphrase: null }) {
    this.#texts = texts;
    this.isEmpty = texts.identities.length === 0 && texts.passphrase === null;
  }

  async check(): Promise<void> {
    if (!this.isEmpty) await this.#decrypt();
  }

  /** The key of a file by its header. Throws Error when none fits or the header is damaged. */
  fileKey(header: Uint8Array): Promise<Uint8Array> {
    const name = createHash("sha256").update(header).digest("hex");
    const known = this.#fileKeys.get(name);
    if (known !== undefined) return known;
    const key = this.#decrypt().then((decrypter) => decrypter.decryptHeader(header));
    this.#fileKeys.set(name, key);
    // A failure is not kept, because a lack of memory may be temporary.
    key.catch(() => this.#fileKeys.delete(name));
    return key;
  }

  /** The recipients (`age1…`) of the header whose identities are known. */
  async recipientsIn(header: Uint8Array): Promise<readonly string[]> {
    const age = await import("age-encryption");
    const found = new Set<string>();
    for (const identity of this.#texts.identities) {
      const decrypter = new age.Decrypter();
      decrypter.addIdentity(identity);
      const opens = await decrypter.decryptHeader(header).then(
        () => true,
        // The header is not for this identity.
        () => false,
      );
      if (opens) found.add(await age.identityToRecipient(identity));
    }
    return [...found];
  }

  #decrypt(): Promise<Decrypter> {
    this.#decrypter ??= decrypterOf(this.#texts);
    return this.#decrypter;
  }
}

/** The library is only loaded for encrypted archives, because loading it takes time. */
async function decrypterOf({ identities, passphrase }: KeyTexts): Promise<Decrypter> {
  const age = await import("age-encryption");
  const decrypter = new age.Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  if (passphrase !== null) decrypter.addIdentity(new PassphraseIdentity(passphrase));
  return decrypter;
}

const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;
const LONGEST = 1024 * 1024;

/**
 * Keys from identity files of `age-keygen` (one key a line, `#` begins a comment), a passphrase,
 * and the text of such a file. Throws UsageError for an invalid text, without quoting it, and
 * ArchiveError for an unreadable file.
 */
export async function readKeys(
  files: readonly string[],
  passphrase: string | null,
  keyText: string | null = null,
): Promise<RepositoryKeys> {
  const identities = keyText === null ? [] : [...identitiesIn(keyText, "GUIDEFERRY_IDENTITY_KEY")];
  for (const file of files) identities.push(...(await readIdentities(file)));
  const keys = new RepositoryKeys({ identities, passphrase: passphrase === "" ? null : passphrase });
  try {
    await keys.check();
    return keys;
  } catch (cause) {
    throw new UsageError(
      `A key in ${[...files, ...(keyText === null ? [] : ["GUIDEFERRY_IDENTITY_KEY"])].join(", ")} is damaged: its checksum is wrong. Give the key as age-keygen wrote it.`,
      {
        cause,
      },
    );
  }
}

async function readIdentities(file: string): Promise<readonly string[]> {
  return identitiesIn(await readText(file), file);
}

function identitiesIn(text: string, origin: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line, at) => ({ line: line.trim(), number: at + 1 }));
  const meant = lines.filter(({ line }) => line !== "" && !line.startsWith("#"));
  const wrong = meant.find(({ line }) => !IDENTITY.test(line));
  if (wrong !== undefined) throw new UsageError(`${origin}, line ${wrong.number}: ${whatItIs(wrong.line)}`);
  if (meant.length === 0)
    throw new UsageError(`${origin} has no key. It needs a line AGE-SECRET-KEY-1… as age-keygen writes it.`);
  return meant.map(({ line }) => line);
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return bytes.length > LONGEST ? "too long for a key file" : bytes.toString("utf8");
  } catch (error) {
    throw diskError(error, `reading the keys in ${file}`);
  }
}

function whatItIs(line: string): string {
  if (line.startsWith("age-encryption.org/")) {
    return "the key file itself is encrypted. Decrypt it first (age -d), or give it through a pipe that decrypts it.";
  }
  if (line.startsWith("age1"))
    return "this is a recipient, which can only encrypt. Give its key, which begins with AGE-SECRET-KEY-1.";
  return "this is not a key of age. A key begins with AGE-SECRET-KEY-1, a comment with #.";
}

const LABEL = Buffer.from("age-encryption.org/v1/scrypt");
/** 1 GiB for a key; a header with a higher factor is hostile. */
const HIGHEST_WORK_FACTOR = 20;
/** The work factor of new files: the default of the `age` program. */
const OWN_WORK_FACTOR = 18;

/**
 * Wraps the key of a file with a passphrase (age v1, "The scrypt recipient type"). The derivation
 * runs on a thread of Node, in half the time of the library's recipient.
 */
export async function wrapForPassphrase(passphrase: string, fileKey: Uint8Array): Promise<Stanza> {
  const salt = randomBytes(16);
  const key = await derive(passphrase, salt, OWN_WORK_FACTOR);
  const cipher = createCipheriv("chacha20-poly1305", key, Buffer.alloc(12), { authTagLength: 16 });
  const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
  const args = ["scrypt", salt.toString("base64").replace(/=+$/, ""), String(OWN_WORK_FACTOR)];
  return { args, body: new Uint8Array(body) };
}

/**
 * Opens files encrypted with a passphrase (age v1, "The scrypt recipient type"). The derivation
 * takes 1 s and 270 MB for each file. It runs on another thread, unlike the library's identity, and
 * one at a time to limit the memory.
 */
export class PassphraseIdentity implements Identity {
  readonly #passphrase: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  /** null: no scrypt stanza, or another passphrase. Throws Error for an invalid stanza. */
  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array | null> {
    const stanza = stanzas.find(({ args }) => args[0] === "scrypt");
    if (stanza === undefined) return null;
    if (stanzas.length !== 1) throw new Error("a passphrase is not the only recipient in the header");
    const { salt, workFactor } = parametersOf(stanza);
    const key = this.#last.then(() => derive(this.#passphrase, salt, workFactor));
    // A failure does not stop the next derivation.
    this.#last = key.catch(() => undefined);
    return unwrap(stanza.body, await key);
  }
}

function parametersOf({ args: [, salt = "", factor = ""], ...stanza }: Stanza): {
  readonly salt: Buffer;
  readonly workFactor: number;
} {
  const bytes = Buffer.from(salt, "base64");
  const isWhole = bytes.length === 16 && bytes.toString("base64").replace(/=+$/, "") === salt;
  if (!isWhole || stanza.body.length !== 32 || !/^[1-9]\d*$/.test(factor)) throw new Error("invalid scrypt stanza");
  const workFactor = Number(factor);
  if (workFactor > HIGHEST_WORK_FACTOR) throw new Error("scrypt work factor is too high");
  return { salt: bytes, workFactor };
}

function derive(passphrase: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const N = 2 ** workFactor;
  // The memory of the algorithm (RFC 7914, 2), and a reserve.
  const options: ScryptOptions = { N, r: 8, p: 1, maxmem: 128 * N * 8 + 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, Buffer.concat([LABEL, salt]), 32, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** ChaCha20-Poly1305 with a nonce of zeros; null: the tag does not match the key. */
function unwrap(body: Uint8Array, key: Buffer): Uint8Array | null {
  const decipher = createDecipheriv("chacha20-poly1305", key, Buffer.alloc(12), { authTagLength: 16 });
  decipher.setAuthTag(body.subarray(-16));
  const fileKey = decipher.update(body.subarray(0, -16));
  try {
    decipher.final();
  } catch {
    // The only possible error is a wrong tag.
    return null;
  }
  return new Uint8Array(fileKey);
}
