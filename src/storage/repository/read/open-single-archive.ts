import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import { UsageError } from "../../../core/errors.js";
import { onDisk } from "../../archive/disk-error.js";
import type { Finding } from "../../archive/findings.js";
import type { Manifest, Place, SnapshotIndex } from "../format.js";
import type { Browsable } from "../repository.js";
import { ArchivePool } from "./archive-pool.js";
import { checkedContent, checkedPart } from "./contents.js";
import { findSnapshot } from "./find-snapshot.js";
import { ForeignGuard } from "./opened-archive.js";
import { RepositoryKeys } from "./repository-keys.js";
import { MANIFEST, SnapshotReader } from "./snapshot-reader.js";

/** One archive as a repository of one snapshot. */
export interface SingleArchive extends Browsable {
  /** What the guard saw and let pass. */
  readonly findings: readonly Finding[];
}

/**
 * Opens one full archive, wherever it comes from, after it passed the archive guard; an encrypted
 * one is decrypted as the guard reads it. What its rows name in other archives is looked for beside
 * it, and these pass the guard too. Throws ArchiveError when it is refused, with all findings, or
 * is damaged, and UsageError for the lack of a key and for a zip file that holds no snapshot.
 */
export async function openSingleArchive(
  file: string,
  { keys = new RepositoryKeys() }: { readonly keys?: RepositoryKeys | undefined } = {},
): Promise<SingleArchive> {
  const guard = new ForeignGuard();
  const pool = new ArchivePool(dirname(file), keys, guard);
  try {
    await refuseForeign(pool, file);
    const reader = new SnapshotReader(pool, basename(file));
    const manifest = await reader.manifest();
    const index = await indexOf(file, manifest);
    const own = manifest.archives.find(({ sha256 }) => sha256 === null)?.name;
    const placed = (place: Place): Place => (place.archive === own ? { ...place, archive: basename(file) } : place);
    return {
      folder: file,
      name: manifest.name,
      oddities: [],
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

/**
 * Throws UsageError for an archive of something else, and for a part, whose snapshot its main
 * archive tells.
 */
async function refuseForeign(pool: ArchivePool, file: string): Promise<void> {
  const isOurs = await pool.use(basename(file), ({ entries }) => entries.find(MANIFEST) !== undefined);
  if (isOurs) return;
  throw new UsageError(
    `${file} is a zip file without a snapshot: it has no ${MANIFEST}. Expected the main archive of a backup (no part of it), or an archive of \`guideferry export\`.`,
  );
}

/** Its hash is not asked: each content is checked by its own. */
async function indexOf(file: string, manifest: Manifest): Promise<SnapshotIndex> {
  const { size } = await onDisk(`reading ${file}`, stat(file));
  const { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts } = manifest;
  const encrypted = /\.age$/i.test(file);
  const facts = { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts, encrypted };
  const archive = { name: basename(file), bytes: size, sha256: "0".repeat(64), plain: null };
  return { ...facts, archives: [archive], needs: [] };
}
