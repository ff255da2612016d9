import type { SnapshotId, SnapshotIndex } from "../format.js";
import { HEAD, readHead } from "../head.js";
import { type ArchiveName, indexName } from "../names.js";
import type { ArchivePool } from "./archive-pool.js";
import { isDamage, withoutAdvice } from "./damage.js";
import { rebuildIndex, repairIndex } from "./rebuild-index.js";
import type { Remark, RepositoryFolder } from "./repository-folder.js";
import { SnapshotReader } from "./snapshot-reader.js";
import { whyStray } from "./stray-archive.js";

/** The indexes of a folder with those that were made again. */
export interface AllIndexes {
  readonly indexes: ReadonlyMap<SnapshotId, SnapshotIndex>;
  readonly rebuilt: ReadonlySet<SnapshotId>;
  readonly remarks: readonly Remark[];
}

/** Makes the index of every snapshot whose plain archives are there without one, and tells of what has none and gets none. */
export async function addLostIndexes(found: RepositoryFolder, pool: ArchivePool): Promise<AllIndexes> {
  const indexes = new Map(found.indexes);
  const rebuilt = new Set<SnapshotId>();
  const remarks = [...found.remarks];
  for (const [snapshot, files] of withoutIndex(found)) {
    const made = (await strayOf(found, files, pool)) ?? (await remake(found.folder, files, pool));
    if ("isDamage" in made) {
      remarks.push(made);
      continue;
    }
    indexes.set(snapshot, made);
    rebuilt.add(snapshot);
    const file = indexName(made.name, snapshot);
    remarks.push({ file, text: `${file} is lost; it was made again in memory from the archives.`, isDamage: true });
  }
  return { indexes, rebuilt, remarks: [...remarks, ...(await lostHead(found, indexes)), ...strangers(found, indexes)] };
}

/** Only the note of it tells that there was a younger snapshot. */
async function lostHead(
  { folder, archives }: RepositoryFolder,
  indexes: ReadonlyMap<SnapshotId, SnapshotIndex>,
): Promise<readonly Remark[]> {
  const head = await readHead(folder);
  const isThere = [...archives.values()].some(({ snapshot }) => snapshot === head);
  const last = [...indexes.keys()].toSorted().at(-1);
  // An index without its archives is told elsewhere.
  if (head === undefined || isThere || (last !== undefined && last >= head)) return [];
  const text =
    `The snapshot ${head}, the youngest by ${HEAD}, is lost with its index${last === undefined ? "" : `; the youngest that is there is ${last}`}. ` +
    "Bring its files back from a copy of the repository; the next backup takes a snapshot of the site as it is then.";
  return [{ file: HEAD, text, isDamage: true }];
}

type Named = readonly [file: string, name: ArchiveName];

/** The archives of each snapshot that has no index: parts in their order, the main one last. */
function withoutIndex({ archives, indexes }: RepositoryFolder): ReadonlyMap<SnapshotId, readonly Named[]> {
  const lost = new Map<SnapshotId, Named[]>();
  for (const named of archives) {
    const [, { snapshot }] = named;
    if (!indexes.has(snapshot)) lost.set(snapshot, [...(lost.get(snapshot) ?? []), named]);
  }
  const place = ([, { part }]: Named): number => part ?? Number.POSITIVE_INFINITY;
  for (const [snapshot, files] of lost)
    lost.set(
      snapshot,
      files.toSorted((a, b) => place(a) - place(b)),
    );
  return lost;
}

/** What archives there are that no index names, of snapshots that have one. */
function strangers({ archives }: RepositoryFolder, indexes: ReadonlyMap<SnapshotId, SnapshotIndex>): readonly Remark[] {
  return [...archives].flatMap(([file, { snapshot }]) => {
    const index = indexes.get(snapshot);
    if (index === undefined || index.archives.some(({ name }) => name === file)) return [];
    return [{ file, text: `${file} belongs to no snapshot: the index of its time does not name it.`, isDamage: false }];
  });
}

/** What is no archive of ours, though it is named as one; undefined: it may be ours. A snapshot's parts speak for its main archive. */
async function strayOf(
  { folder, indexes }: RepositoryFolder,
  files: readonly Named[],
  pool: ArchivePool,
): Promise<Remark | undefined> {
  const [[file, name] = [], ...others] = files;
  if (file === undefined || name === undefined || name.part !== null || others.length > 0) return undefined;
  const why = await whyStray(folder, file, name, pool, indexes.values());
  if (why === undefined) return undefined;
  const text = `${file} is named as an archive of this repository and is none: ${why}. It is passed over; move it elsewhere.`;
  return { file, text, isDamage: false };
}

/** The index, or why there is none. */
async function remake(folder: string, files: readonly Named[], pool: ArchivePool): Promise<SnapshotIndex | Remark> {
  const [file, name] = files.at(-1) ?? [];
  if (file === undefined || name === undefined || name.part !== null) return leftParts(files);
  if (name.encrypted) {
    const text = `The index of ${file} is lost, and the archive is encrypted: its snapshot is not shown.`;
    return { file, text, isDamage: true };
  }
  if (name.kind === "repair") return repairIndex(folder, file, name);
  try {
    const reader = new SnapshotReader(pool, file, name);
    const [manifest, names] = [await reader.manifest(), files.map(([part]) => part)];
    return await rebuildIndex({ folder, names, manifest, items: reader.items(), media: reader.media() });
  } catch (error) {
    if (!isDamage(error)) throw error;
    const text = `The index of ${file} is lost, and can't be made again: ${withoutAdvice(error)}`;
    return { file, text, isDamage: true };
  }
}

function leftParts(files: readonly Named[]): Remark {
  const names = files.map(([file]) => file);
  const text = `${names.join(", ")}: neither the main archive nor the index of its snapshot is there. A run that was killed leaves such; the next backup tidies up.`;
  return { file: names[0] ?? "", text, isDamage: false };
}
