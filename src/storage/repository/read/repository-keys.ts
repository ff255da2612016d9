import { createCipheriv, createDecipheriv, createHash, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Decrypter, Identity, Stanza } from "age-encryption";
import { UsageError } from "../../../core/errors.js";
import { diskError } from "../../archive/disk-error.js";

/** What opens encrypted archives. Neither is ever shown. */
interface KeyTexts {
  /** `AGE-SECRET-KEY-1…` */
  readonly identities: readonly string[];
  readonly passphrase: string | null;
}

/**
 * The keys of a run, and the file keys that they gave: a passphrase takes a second and 270 MB for
 * each file (scrypt).
 */
export class RepositoryKeys {
  readonly #texts: KeyTexts;
  #decrypter: Promise<Decrypter> | undefined;
  readonly #fileKeys = new Map<string, Promise<Uint8Array>>();
  /** Nothing was given. */
  readonly isEmpty: boolean;

  constructor(texts: KeyTexts = { identities: [], passphrase: null }) {
    this.#texts = texts;
    this.isEmpty = texts.identities.length === 0 && texts.passphrase === null;
  }

  /** Throws Error for an identity that is none. */
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
    // A failure is told to who waits and not kept: there may be memory for it the next time.
    key.catch(() => this.#fileKeys.delete(name));
    return key;
  }

  /** The recipients (`age1…`) whose identities are here and that the header is for. */
  async recipientsIn(header: Uint8Array): Promise<readonly string[]> {
    const age = await import("age-encryption");
    const found = new Set<string>();
    for (const identity of this.#texts.identities) {
      const decrypter = new age.Decrypter();
      decrypter.addIdentity(identity);
      const opens = await decrypter.decryptHeader(header).then(
        () => true,
        // None of the header's recipients is this one's.
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

/** The library is loaded when something is encrypted; the others start faster without. */
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
 * Keys from identity files as `age-keygen` writes them (a key a line, `#` begins a comment), a
 * passphrase, and the text of such a file. Throws UsageError for a file that has none or something else, without quoting it, and
 * ArchiveError when a file can't be read.
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
      `A key of ${[...files, ...(keyText === null ? [] : ["GUIDEFERRY_IDENTITY_KEY"])].join(", ")} is damaged: its checksum is wrong. Give the file as age-keygen made it.`,
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
    throw new UsageError(`${origin} has no key: a line AGE-SECRET-KEY-1… as age-keygen writes it.`);
  return meant.map(({ line }) => line);
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return bytes.length > LONGEST ? "too long for a file of keys" : bytes.toString("utf8");
  } catch (error) {
    throw diskError(error, `reading the keys in ${file}`);
  }
}

function whatItIs(line: string): string {
  if (line.startsWith("age-encryption.org/")) {
    return "the file itself is encrypted. Decrypt it first (age -d), or give it by a pipe that does.";
  }
  if (line.startsWith("age1")) return "this is a recipient, which only encrypts; its key begins with AGE-SECRET-KEY-1.";
  return "no key of age was found here; a key begins with AGE-SECRET-KEY-1, a comment with #.";
}

const LABEL = Buffer.from("age-encryption.org/v1/scrypt");
/** 1 GiB for a key; a header that asks for more is hostile. */
const HIGHEST_WORK_FACTOR = 20;
/** The work factor of new files: the default of the `age` program. */
const OWN_WORK_FACTOR = 18;

/**
 * Wraps the key of a file for whoever knows the passphrase (age v1, "The scrypt recipient type").
 * Derives the key on a thread of Node, in half the time of the library's own recipient.
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
 * Opens files that were encrypted with a passphrase (age v1, "The scrypt recipient type"). Deriving
 * the key takes a second and 270 MB for each file: it is done beside the thread that everything
 * else runs on, which the library's own identity would hold up, and one at a time, for the memory's
 * sake.
 */
export class PassphraseIdentity implements Identity {
  readonly #passphrase: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  /**
   * null: it is for others, or under another passphrase. Throws Error for a stanza that is none.
   */
  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array | null> {
    const stanza = stanzas.find(({ args }) => args[0] === "scrypt");
    if (stanza === undefined) return null;
    if (stanzas.length !== 1) throw new Error("a passphrase is not the only recipient in the header");
    const { salt, workFactor } = parametersOf(stanza);
    const key = this.#last.then(() => derive(this.#passphrase, salt, workFactor));
    // Whether one was derived says nothing about the next.
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
  // What the algorithm takes itself (RFC 7914, 2), and a little for what surrounds it.
  const options: ScryptOptions = { N, r: 8, p: 1, maxmem: 128 * N * 8 + 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, Buffer.concat([LABEL, salt]), 32, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** ChaCha20-Poly1305 with a nonce of zeros; null: the tag says that it is another key. */
function unwrap(body: Uint8Array, key: Buffer): Uint8Array | null {
  const decipher = createDecipheriv("chacha20-poly1305", key, Buffer.alloc(12), { authTagLength: 16 });
  decipher.setAuthTag(body.subarray(-16));
  const fileKey = decipher.update(body.subarray(0, -16));
  try {
    decipher.final();
  } catch {
    // It has one way to fail only.
    return null;
  }
  return new Uint8Array(fileKey);
}
