import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import { UsageError } from "../../../core/errors.js";
import type { Finding } from "../../archive/findings.js";
import { LocalFolder } from "../files/local-folder.js";
import type { RepositoryStorage } from "../files/repository-storage.js";
import type { Manifest, Place, SnapshotIndex } from "../format.js";
import type { Browsable } from "../repository.js";
import { ArchivePool } from "./archive-pool.js";
import { checkedContent, checkedPart } from "./contents.js";
import { findSnapshot } from "./find-snapshot.js";
import { ArchiveGuard } from "./opened-archive.js";
import { RepositoryKeys } from "./repository-keys.js";
import { MANIFEST, SnapshotReader } from "./snapshot-reader.js";

/** One archive as a repository of one snapshot. */
export interface SingleArchive extends Browsable {
  /** The warnings of the guard. */
  readonly findings: readonly Finding[];
}

/**
 * Opens one archive of any origin after it passed the guard; an encrypted one is decrypted as it is
 * read. Other archives in its rows are opened in the same folder and also have to pass the guard.
 * Throws ArchiveError when it is refused, with all findings, or damaged, and UsageError for a
 * missing key and for a zip file without a snapshot.
 */
export async function openSingleArchive(
  file: string,
  { keys = new RepositoryKeys() }: { readonly keys?: RepositoryKeys | undefined } = {},
): Promise<SingleArchive> {
  const guard = new ArchiveGuard();
  const storage = new LocalFolder(dirname(file));
  const pool = new ArchivePool(storage, keys, guard);
  try {
    await expectSnapshot(pool, file);
    const reader = new SnapshotReader(pool, basename(file));
    const manifest = await reader.manifest();
    const index = await indexOf(storage, file, manifest);
    const own = manifest.archives.find(({ sha256 }) => sha256 === null)?.name;
    const placed = (place: Place): Place => (place.archive === own ? { ...place, archive: basename(file) } : place);
    return {
      address: file,
      name: manifest.name,
      warnings: [],
      findings: guard.findings(basename(file)),
      snapshots: () => [index],
      find: (at) => findSnapshot([index], at, file),
      manifest: () => reader.manifest(),
      items: () => reader.items(),
      media: () => reader.media(),
      itemBatches: () => reader.itemBatches(),
      mediaBatches: () => reader.mediaBatches(),
      item: (_snapshot, key) => reader.item(key),
      medium: (_snapshot, sha256) => reader.medium(sha256),
      open: async (place) => {
        const { archive, path } = placed(place);
        return Readable.from(checkedContent(pool.content(archive, path), placed(place)), { objectMode: false });
      },
      openPart: async (place, range) => {
        const { archive, path } = placed(place);
        return Readable.from(checkedPart(pool.content(archive, path, range), place, range), { objectMode: false });
      },
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Throws UsageError for another kind of archive, and for a part without a manifest. */
async function expectSnapshot(pool: ArchivePool, file: string): Promise<void> {
  const hasManifest = await pool.use(basename(file), ({ entries }) => entries.find(MANIFEST) !== undefined);
  if (hasManifest) return;
  throw new UsageError(
    `${file} is a zip file without a snapshot: it has no ${MANIFEST}. Give the main archive of a backup (not a part), or an archive of \`guideferry export\`.`,
  );
}

/** The hash of the file is not needed, because each content has its own. */
async function indexOf(storage: RepositoryStorage, file: string, manifest: Manifest): Promise<SnapshotIndex> {
  const found = (await storage.list()).find(({ name }) => name === basename(file));
  const { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts } = manifest;
  const encrypted = /\.age$/i.test(file);
  const facts = { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts, encrypted };
  const archive = { name: basename(file), bytes: found?.bytes ?? 0, sha256: "0".repeat(64), plain: null };
  return { ...facts, archives: [archive], needs: [] };
}
