import { createHash } from "node:crypto";
import type { Decrypter } from "age-encryption";
import { PassphraseIdentity } from "./passphrase-identity.js";

/** What opens encrypted archives. Neither is ever shown. */
export interface KeyTexts {
  /** `AGE-SECRET-KEY-1…` */
  readonly identities: readonly string[];
  readonly passphrase: string | null;
}

/** The keys of a run, and the file keys that they gave: a passphrase takes a second and 270 MB for each file (scrypt). */
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
