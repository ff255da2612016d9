import { createHash } from "node:crypto";
import type { FileFacts, RepositoryStorage } from "../files/repository-storage.js";
import {
  type ArchiveFile,
  type ItemRow,
  type Manifest,
  type MediaRow,
  needsWith,
  REPOSITORY_FORMAT,
  type SnapshotIndex,
} from "../format.js";
import { type ArchiveName, timeOf } from "../names.js";

/** The size and sha256 of a file. `watch` gets each piece. Throws as `pieces`. */
export async function hashFile(
  storage: RepositoryStorage,
  name: string,
  signal?: AbortSignal,
  watch?: (piece: Buffer) => void,
): Promise<FileFacts> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of storage.pieces(name, signal)) {
    hash.update(piece);
    watch?.(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

interface Remains {
  readonly storage: RepositoryStorage;
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
export async function rebuildIndex({ storage, names, manifest, items, media }: Remains): Promise<SnapshotIndex> {
  const own = new Set(names);
  const needs = new Map<string, { contents: number; bytes: number }>();
  for await (const row of items) if (row.state === "present") add(needs, own, row);
  for await (const row of media) add(needs, own, row);
  const archives: ArchiveFile[] = [];
  for (const name of names) archives.push(await archiveFile(storage, name, manifest));
  const { format, madeBy, name, snapshot, kind, sinceFull, previous, started, finished, complete, counts } = manifest;
  const { manyDeleted, deletionsAccepted, whole, base } = manifest;
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
    needs: [...needsWith(needed, base)],
    ...(whole === undefined ? {} : { whole }),
    ...(base === undefined ? {} : { base }),
  };
}

/** The index of a repair archive, which has no manifest. */
export async function repairIndex(
  storage: RepositoryStorage,
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
    archives: [{ name: file, ...(await hashFile(storage, file)), plain: null }],
    needs: [],
    counts: { present: 0, new: 0, changed: 0, deleted: 0, media: 0, mediaBytes: 0, newMedia: 0 },
  };
}

async function archiveFile(storage: RepositoryStorage, name: string, manifest: Manifest): Promise<ArchiveFile> {
  const known = manifest.archives.find((archive) => archive.name === name);
  if (typeof known?.sha256 !== "string") return { name, ...(await hashFile(storage, name)), plain: null };
  const bytes = known.bytes ?? (await hashFile(storage, name)).bytes;
  return { name, bytes, sha256: known.sha256, plain: null };
}

function add(needs: Map<string, { contents: number; bytes: number }>, own: ReadonlySet<string>, row: MediaRow): void {
  if (own.has(row.archive)) return;
  const sum = needs.get(row.archive) ?? { contents: 0, bytes: 0 };
  needs.set(row.archive, { contents: sum.contents + 1, bytes: sum.bytes + row.size });
}
