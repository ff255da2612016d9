import { createDecipheriv, type ScryptOptions, scrypt } from "node:crypto";
import type { Identity, Stanza } from "age-encryption";

const LABEL = Buffer.from("age-encryption.org/v1/scrypt");
/** 1 GiB for a key; a header that asks for more is hostile. */
const HIGHEST_WORK_FACTOR = 20;

/**
 * Opens files that were encrypted with a passphrase (age v1, "The scrypt recipient type"). Deriving the key takes a second and 270 MB for each file: it is done
 * beside the thread that everything else runs on, which the library's own identity would hold up, and one at a time, for the memory's sake.
 */
export class PassphraseIdentity implements Identity {
  readonly #passphrase: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(passphrase: string) {
    this.#passphrase = passphrase;
  }

  /** null: it is for others, or under another passphrase. Throws Error for a stanza that is none. */
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
