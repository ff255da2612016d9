import { Encrypter, type Recipient } from "age-encryption";
import { UsageError } from "../../../core/errors.js";
import { wrapForPassphrase } from "../read/repository-keys.js";

/** The encryption of a snapshot's archives: format age, for recipients or with a passphrase. */
export interface Encryption {
  /** Public keys; empty: a passphrase. */
  readonly recipients: readonly string[];
  /** The header of a new file, and the key in it. */
  readonly begin: () => Promise<{ readonly header: Buffer; readonly fileKey: Uint8Array }>;
}

const MAC_LINE = Buffer.from("\n--- ");

/** Throws UsageError for an invalid recipient, or one of a type that `age` can't read. */
export function encryptTo(recipients: readonly string[]): Encryption {
  for (const recipient of recipients) checkRecipient(recipient);
  return {
    recipients: [...new Set(recipients)].sort(),
    begin: () => beginFor(recipients),
  };
}

/** Takes 1 s and 256 MB for each file (scrypt), so that guessing the passphrase is slow. */
export function encryptWithPassphrase(passphrase: string): Encryption {
  return {
    recipients: [],
    begin: () => beginFor([{ wrapFileKey: async (fileKey) => [await wrapForPassphrase(passphrase, fileKey)] }]),
  };
}

/**
 * The library writes payloads slower than the disk, so it only writes the header. An additional
 * recipient without a line in the header gets the key for the payload.
 */
async function beginFor(recipients: readonly (string | Recipient)[]): ReturnType<Encryption["begin"]> {
  const encrypter = new Encrypter();
  let fileKey: Uint8Array = new Uint8Array();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  encrypter.addRecipient({
    wrapFileKey: (key) => {
      fileKey = Uint8Array.from(key);
      return [];
    },
  });
  return { header: headerOf(await encrypter.encrypt(new Uint8Array())), fileKey };
}

function checkRecipient(recipient: string): void {
  try {
    if (!/^age1[a-z0-9]{50,}$/.test(recipient) || /^age1(?:pq|tag|tagpq)1/.test(recipient)) throw new Error("its form");
    new Encrypter().addRecipient(recipient);
  } catch (cause) {
    throw new UsageError(
      `${JSON.stringify(recipient)} is not a recipient. Give age1… as \`age-keygen\` prints it ("Public key"). Never give a secret key here.`,
      { cause },
    );
  }
}

/** The text up to the line of its checksum (age-encryption.org/v1, "Header"). */
function headerOf(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file);
  return bytes.subarray(0, bytes.indexOf(0x0a, bytes.indexOf(MAC_LINE) + 1) + 1);
}
