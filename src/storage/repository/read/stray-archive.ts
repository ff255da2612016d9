import { open } from "node:fs/promises";
import { join } from "node:path";
import { diskError } from "../../archive/disk-error.js";
import type { SnapshotIndex } from "../format.js";
import { type ArchiveName, parseArchiveName } from "../names.js";
import type { ArchivePool } from "./archive-pool.js";
import { isDamage } from "./damage.js";
import { ITEMS, MANIFEST, MEDIA, SnapshotReader } from "./snapshot-reader.js";

/** Looked at from either end of a file: the list of entries of a zip ends with its end record. */
const LOOKED_AT = 64 * 1024;
const SIGNATURES = ["PK\x01\x02", "PK\x03\x04", "PK\x05\x06"].map((text) => Buffer.from(text, "latin1"));

/** One of these, damaged in its name, leaves the others. */
const TOLD_BY = [MANIFEST, ITEMS, MEDIA];

/**
 * Why a main archive without an index can't be one of ours, a clause; undefined: it may be, and then its index is lost. What a snapshot names or
 * follows, what is encrypted, empty, all zeros, or has anything of a zip that can't be read, may be ours and be damaged. Throws what is no damage.
 */
export async function whyStray(
  folder: string,
  file: string,
  name: ArchiveName,
  pool: ArchivePool,
  indexes: Iterable<SnapshotIndex>,
): Promise<string | undefined> {
  if (name.encrypted || isNamed(file, name, indexes)) return undefined;
  if (!(await hasTraceOfZip(join(folder, file)))) return "it is no zip file at all";
  // A repair has no manifest, and its contents are believed by their sha256 alone.
  if (name.kind === "repair") return undefined;
  try {
    const isForeign = await pool.use(file, ({ entries }) => TOLD_BY.every((path) => entries.find(path) === undefined));
    if (isForeign) return "it is a zip file without anything of a snapshot";
    const manifest = await new SnapshotReader(pool, file).manifest();
    if (manifest.name === name.name && manifest.snapshot === name.snapshot) return undefined;
    return `it holds the snapshot ${manifest.snapshot} of ${manifest.name}`;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** Does anything that is known name the archive, or a snapshot of its time? */
function isNamed(file: string, { snapshot }: ArchiveName, indexes: Iterable<SnapshotIndex>): boolean {
  for (const { previous, needs } of indexes) {
    if (previous === snapshot) return true;
    if (needs.some(({ archive }) => archive === file || parseArchiveName(archive)?.snapshot === snapshot)) return true;
  }
  return false;
}

/** Empty files and such of zeros are what a disk leaves of a zip. */
async function hasTraceOfZip(path: string): Promise<boolean> {
  const ends = await bothEnds(path);
  return ends.every((byte) => byte === 0) || SIGNATURES.some((signature) => ends.includes(signature));
}

async function bothEnds(path: string): Promise<Buffer> {
  try {
    const handle = await open(path);
    try {
      const { size } = await handle.stat();
      const begin = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
      const end = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, Math.max(0, size - LOOKED_AT));
      return Buffer.concat([begin.buffer.subarray(0, begin.bytesRead), end.buffer.subarray(0, end.bytesRead)]);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw diskError(error, `reading ${path}`);
  }
}
