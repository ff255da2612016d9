import { join } from "node:path";
import { diskError } from "../../archive/disk-error.js";
import type { SnapshotIndex } from "../format.js";
import { readHeader } from "./age-source.js";
import { fileSource } from "./byte-source.js";
import type { RepositoryKeys } from "./repository-keys.js";

/** Who can read an encrypted snapshot, as far as the keys that were given tell. */
export type Readers =
  /** Whoever knows the passphrase that was given. */
  | { readonly by: "passphrase" }
  /** All its recipients: `age1…`. */
  | { readonly by: "recipients"; readonly recipients: readonly string[] }
  /** A passphrase that is another one, or recipients (`count`) of whom not all (`known`) are among the identities given. */
  | { readonly by: "others"; readonly count: number; readonly known: number };

/**
 * Looks into the header of a snapshot's main archive: it does not name its recipients, but counts them, and an identity tells whether it is one's
 * (age-encryption.org/v1, "X25519 recipient stanza"). Throws ArchiveError (exit 6) when it is damaged or missing.
 */
export async function readersOf(folder: string, { archives }: SnapshotIndex, keys: RepositoryKeys): Promise<Readers> {
  const name = archives.at(-1)?.name ?? "";
  const header = await headerOf(join(folder, name), name);
  const stanzas: readonly string[] = header.toString("latin1").match(/^-> \S+/gm) ?? [];
  if (stanzas.includes("-> scrypt")) {
    const fits = await keys.fileKey(header).then(
      () => true,
      // Without the passphrase, or with another one.
      () => false,
    );
    return fits ? { by: "passphrase" } : { by: "others", count: 1, known: 0 };
  }
  const recipients = await keys.recipientsIn(header);
  const isAll = recipients.length > 0 && recipients.length === stanzas.length;
  return isAll ? { by: "recipients", recipients } : { by: "others", count: stanzas.length, known: recipients.length };
}

async function headerOf(path: string, name: string): Promise<Buffer> {
  try {
    const source = fileSource(path);
    try {
      return await readHeader(source, name);
    } finally {
      await source.close();
    }
  } catch (error) {
    throw diskError(error, `reading ${path}`);
  }
}
