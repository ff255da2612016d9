import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../../archive/disk-error.js";
import {
  type ArchiveFile,
  type ItemRow,
  type Manifest,
  type MediaRow,
  REPOSITORY_FORMAT,
  type SnapshotIndex,
} from "../format.js";
import { type ArchiveName, timeOf } from "../names.js";

/** Fits into the cache of a processor core. */
const HASHED_AT_ONCE = 256 * 1024;

/** The size and sha256 of a file. Throws ArchiveError when the disk fails. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<Pick<ArchiveFile, "bytes" | "sha256">> {
  return onDisk(`reading ${path}`, hashNow(path, signal));
}

/** The same; throws system errors. */
export async function hashNow(path: string, signal?: AbortSignal): Promise<Pick<ArchiveFile, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  // One Buffer for all reads: allocating one for each takes longer than reading and hashing.
  const memory = Buffer.allocUnsafe(HASHED_AT_ONCE);
  const file = await open(path);
  try {
    for (let bytes = 0; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(memory, 0, memory.length, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
      hash.update(memory.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

interface Remains {
  readonly folder: string;
  /** The files of all existing plain archives of the snapshot, the main one last. */
  readonly names: readonly string[];
  readonly manifest: Manifest;
  readonly items: AsyncIterable<ItemRow>;
  readonly media: AsyncIterable<MediaRow>;
}

/**
 * The index of a snapshot, rebuilt from its archives. The hashes of parts come from the manifest;
 * that of the main archive is of the present file, so it proves nothing.
 */
export async function rebuildIndex({ folder, names, manifest, items, media }: Remains): Promise<SnapshotIndex> {
  const own = new Set(names);
  const needs = new Map<string, { contents: number; bytes: number }>();
  for await (const row of items) if (row.state === "present") add(needs, own, row);
  for await (const row of media) add(needs, own, row);
  const archives: ArchiveFile[] = [];
  for (const name of names) archives.push(await archiveFile(folder, name, manifest));
  const { format, madeBy, name, snapshot, kind, sinceFull, previous, started, finished, complete, counts } = manifest;
  const { manyDeleted, deletionsAccepted } = manifest;
  const needed = [...needs].map(([archive, sum]) => ({ archive, ...sum }));
  const facts = { format, madeBy, name, snapshot, kind, sinceFull, previous, started, finished, complete, counts };
  const deletions = {
    ...(manyDeleted === undefined ? {} : { manyDeleted }),
    ...(deletionsAccepted === undefined ? {} : { deletionsAccepted }),
  };
  return {
    ...facts,
    ...deletions,
    encrypted: false,
    archives,
    needs: needed.toSorted((a, b) => (a.archive < b.archive ? -1 : 1)),
  };
}

/** The index of a repair archive, which has no manifest. */
export async function repairIndex(
  folder: string,
  file: string,
  { name, snapshot }: ArchiveName,
): Promise<SnapshotIndex> {
  const time = timeOf(snapshot).toISOString();
  return {
    format: REPOSITORY_FORMAT,
    madeBy: "",
    name,
    snapshot,
    kind: "repair",
    previous: null,
    started: time,
    finished: time,
    complete: true,
    encrypted: false,
    archives: [{ name: file, ...(await hashFile(join(folder, file))), plain: null }],
    needs: [],
    counts: { present: 0, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 },
  };
}

async function archiveFile(folder: string, name: string, manifest: Manifest): Promise<ArchiveFile> {
  const path = join(folder, name);
  const known = manifest.archives.find((archive) => archive.name === name);
  const { size } = await onDisk(`reading ${path}`, stat(path));
  const facts =
    typeof known?.sha256 === "string" ? { bytes: known.bytes ?? size, sha256: known.sha256 } : await hashFile(path);
  return { name, ...facts, plain: null };
}

function add(needs: Map<string, { contents: number; bytes: number }>, own: ReadonlySet<string>, row: MediaRow): void {
  if (own.has(row.archive)) return;
  const sum = needs.get(row.archive) ?? { contents: 0, bytes: 0 };
  needs.set(row.archive, { contents: sum.contents + 1, bytes: sum.bytes + row.size });
}
