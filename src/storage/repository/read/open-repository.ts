import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ItemRow, MediaRow, Place, SnapshotId, SnapshotIndex } from "../format.js";
import { ArchiveLocations, describeDisplaced } from "./archive-locations.js";
import { ArchivePool } from "./archive-pool.js";
import type { Browsable } from "./browsable.js";
import type { ByteRange } from "./byte-range.js";
import type { RowChange } from "./changed-rows.js";
import { checkedContent } from "./checked-content.js";
import { checkedPart } from "./checked-part.js";
import { isDamage } from "./damage.js";
import { findSnapshot, snapshotNamed } from "./find-snapshot.js";
import { addLostIndexes } from "./lost-indexes.js";
import { RepairContents } from "./repair-contents.js";
import { type Remark, readRepositoryFolder } from "./repository-folder.js";
import { RepositoryKeys } from "./repository-keys.js";
import { SnapshotReader } from "./snapshot-reader.js";

/** Manifests that are kept: who walks through a year of nights shall not hold them all. */
const KEPT = 8;

/**
 * Opens a repository for reading. Indexes that are lost are made again in memory from plain archives, which is told as an oddity.
 * `keys`: for encrypted archives; without them names, times and sizes are known all the same. Throws ArchiveError (exit 10) when the folder
 * is no repository, and UsageError when it is of a newer format.
 */
export async function openRepository(
  folder: string,
  { keys = new RepositoryKeys() }: { readonly keys?: RepositoryKeys | undefined } = {},
): Promise<OpenRepository> {
  const pool = new ArchivePool(folder, keys);
  try {
    return await readWith(pool, folder);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function readWith(pool: ArchivePool, folder: string): Promise<OpenRepository> {
  const found = await readRepositoryFolder(folder);
  const { indexes, rebuilt, remarks } = await addLostIndexes(found, pool);
  const all = [...indexes.values()].toSorted((one, other) => (one.snapshot < other.snapshot ? -1 : 1));
  const locations = await ArchiveLocations.of(folder, all);
  pool.know(locations);
  const exchanged = describeDisplaced(locations.displaced(), folder).map((one) => ({ ...one, isDamage: true }));
  return repositoryOf(folder, found.name, all, pool, { rebuilt, locations, remarks: [...remarks, ...exchanged] });
}

/** With what verify and repair need beside. */
export interface OpenRepository extends Browsable {
  /** Those of `repair` runs, oldest first. */
  repairs(): readonly SnapshotIndex[];
  /** Snapshots whose index was lost: the hash of their main archive is only what its file has now. */
  readonly rebuilt: ReadonlySet<SnapshotId>;
  /** `oddities` with what they are about. */
  readonly remarks: readonly Remark[];
  /** Which file holds the bytes of each archive. */
  readonly locations: ArchiveLocations;
  /** The archives, open side by side as they are used. */
  readonly pool: ArchivePool;
  /** Rows that are other in a snapshot than in the one before, whose rows were found good; null: every row. See readChangedRows. */
  changedItems(snapshot: SnapshotId, before: SnapshotId | null): AsyncIterable<RowChange<ItemRow>>;
  changedMedia(snapshot: SnapshotId, before: SnapshotId | null): AsyncIterable<RowChange<MediaRow>>;
  /** The bytes at a place and nowhere else: repair archives are not asked. */
  openAt(place: Place): Readable;
  /** The bytes of a part that fits into memory. Throws as `openPart` does, and its stream. */
  readPart(place: Place, range: ByteRange): Promise<Buffer>;
  /** The repository as its folder is now, over the same open archives: what reads from one of the two goes on, and closing one closes both. Throws as openRepository does. */
  again(): Promise<OpenRepository>;
}

function repositoryOf(
  folder: string,
  name: string,
  indexes: readonly SnapshotIndex[],
  pool: ArchivePool,
  { rebuilt, remarks, locations }: Pick<OpenRepository, "rebuilt" | "remarks" | "locations">,
): OpenRepository {
  const snapshots = indexes.filter(({ kind }) => kind !== "repair");
  const repairs = indexes.filter(({ kind }) => kind === "repair");
  const repaired = new RepairContents(
    pool,
    repairs.flatMap(({ archives }) => archives.map((archive) => archive.name)),
  );
  const reader = keptReaders(pool, (snapshot) => snapshotNamed(snapshots, snapshot, folder));
  const openAt = (place: Place): Readable =>
    Readable.from(checkedContent(pool.content(place.archive, place.path), place), { objectMode: false });
  const part = async (place: Place, range: ByteRange): Promise<AsyncGenerator<Buffer>> => {
    const { archive, path } = (await repaired.find(place.sha256)) ?? place;
    return checkedPart(pool.content(archive, path, range), place, range);
  };
  return {
    folder,
    name,
    rebuilt,
    remarks,
    locations,
    oddities: remarks.map(({ text }) => text),
    pool,
    snapshots: () => snapshots,
    repairs: () => repairs,
    find: (at) => findSnapshot(snapshots, at, folder),
    manifest: (snapshot) => reader(snapshot).manifest(),
    items: (snapshot) => reader(snapshot).items(),
    media: (snapshot) => reader(snapshot).media(),
    itemBatches: (snapshot) => reader(snapshot).itemBatches(),
    mediaBatches: (snapshot) => reader(snapshot).mediaBatches(),
    changedItems: (snapshot, before) => reader(snapshot).changedItems(before === null ? null : reader(before)),
    changedMedia: (snapshot, before) => reader(snapshot).changedMedia(before === null ? null : reader(before)),
    item: (snapshot, key) => reader(snapshot).item(key),
    medium: (snapshot, sha256) => reader(snapshot).medium(sha256),
    open: async (place) => {
      const mended = await repaired.find(place.sha256);
      return mended === undefined ? openAt(place) : eitherOf(openAt, { ...place, ...mended }, place);
    },
    openAt,
    again: () => readWith(pool, folder),
    openPart: async (place, range) => Readable.from(await part(place, range), { objectMode: false }),
    readPart: async (place, range) => {
      const pieces: Buffer[] = [];
      for await (const piece of await part(place, range)) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    close: () => pool.close(),
  };
}

function readerOf(pool: ArchivePool, index: SnapshotIndex): SnapshotReader {
  return new SnapshotReader(pool, index.archives.at(-1)?.name ?? "", index);
}

/** Up to this size a content is read from a repair archive before it is given, so that its own archive can still be asked. */
const HELD = 8 * 1024 * 1024;

/** The first place, or the second one where the first has other bytes: repair archives can be damaged as well. */
function eitherOf(openAt: (place: Place) => Readable, first: Place, second: Place): Readable {
  if (first.size > HELD) return openAt(first);
  return Readable.from(
    (async function* () {
      try {
        yield await buffer(openAt(first));
        return;
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
      yield* openAt(second);
    })(),
    { objectMode: false },
  );
}

function keptReaders(
  pool: ArchivePool,
  indexOf: (snapshot: SnapshotId) => SnapshotIndex,
): (snapshot: SnapshotId) => SnapshotReader {
  const readers = new Map<SnapshotId, SnapshotReader>();
  return (snapshot) => {
    const reader = readers.get(snapshot) ?? readerOf(pool, indexOf(snapshot));
    readers.delete(snapshot);
    readers.set(snapshot, reader);
    for (const oldest of readers.keys()) if (readers.size > KEPT) readers.delete(oldest);
    return reader;
  };
}
