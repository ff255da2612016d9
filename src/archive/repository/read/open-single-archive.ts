import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import { ArchiveError, EXIT } from "../../../errors.js";
import { onDisk } from "../../disk-error.js";
import type { Finding } from "../../finding-list.js";
import { inspectArchive } from "../../inspect.js";
import type { ArchiveLimits } from "../../limits.js";
import { refusal } from "../../refusal.js";
import type { Manifest, Place, SnapshotIndex } from "../format.js";
import type { Repository } from "../repository.js";
import { ArchivePool } from "./archive-pool.js";
import { checkedContent } from "./checked-content.js";
import { findSnapshot } from "./find-snapshot.js";
import { RepositoryKeys } from "./repository-keys.js";
import { SnapshotReader } from "./snapshot-reader.js";

/** One archive as a repository of one snapshot. */
export interface SingleArchive extends Repository {
  /** What the guard saw and let pass. */
  readonly findings: readonly Finding[];
}

const TIB = 1024 ** 4;

/** An archive of `export` holds a whole site: only what no honest one does is refused. */
const LIMITS: Partial<ArchiveLimits> = {
  archiveBytes: 8 * TIB,
  entryBytes: TIB,
  totalBytes: 8 * TIB,
  entries: 1_000_000,
};

/**
 * Opens one full archive, wherever it comes from, after it passed the archive guard; an encrypted one is known by its own seals. What its rows name in
 * other archives is looked for beside it. Throws ArchiveError when it is refused, with all findings, or holds no snapshot, and UsageError for
 * the lack of a key.
 */
export async function openSingleArchive(
  file: string,
  { keys = new RepositoryKeys() }: { readonly keys?: RepositoryKeys | undefined } = {},
): Promise<SingleArchive> {
  const encrypted = file.endsWith(".age");
  const findings = encrypted ? [] : await guarded(file);
  const pool = new ArchivePool(dirname(file), keys);
  try {
    const reader = new SnapshotReader(pool, basename(file));
    const manifest = await reader.manifest();
    const index = await indexOf(file, manifest, encrypted);
    const own = manifest.archives.find(({ sha256 }) => sha256 === null)?.name;
    const placed = (place: Place): Place => (place.archive === own ? { ...place, archive: basename(file) } : place);
    return {
      folder: file,
      name: manifest.name,
      oddities: [],
      findings,
      snapshots: () => [index],
      find: (at) => findSnapshot([index], at, file),
      manifest: () => reader.manifest(),
      items: () => reader.items(),
      media: () => reader.media(),
      item: (_snapshot, key) => reader.item(key),
      medium: (_snapshot, sha256) => reader.medium(sha256),
      open: async (place) => {
        const { archive, path } = placed(place);
        return Readable.from(checkedContent(pool.content(archive, path), placed(place)), { objectMode: false });
      },
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function guarded(file: string): Promise<readonly Finding[]> {
  const inspection = await inspectArchive(file, { limits: LIMITS });
  if (!inspection.isRefused) return inspection.findings;
  const { message, findings } = refusal(file, inspection);
  throw new ArchiveError(message, { findings, exitCode: EXIT.differences });
}

/** Its hash is not asked: each content is checked by its own. */
async function indexOf(file: string, manifest: Manifest, encrypted: boolean): Promise<SnapshotIndex> {
  const { size } = await onDisk(`reading ${file}`, stat(file));
  const { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts } = manifest;
  const facts = { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts, encrypted };
  const archive = { name: basename(file), bytes: size, sha256: "0".repeat(64), plain: null };
  return { ...facts, archives: [archive], needs: [] };
}
