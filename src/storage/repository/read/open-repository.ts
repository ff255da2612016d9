import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ItemKind } from "../../../core/model/key.js";
import { diskError } from "../../archive/disk-error.js";
import type { ItemRow, MediaRow, Place, SnapshotId, SnapshotIndex } from "../format.js";
import { HEAD, readHead } from "../index-files.js";
import { type ArchiveName, indexName, parseArchiveName } from "../names.js";
import type { Browsable, ByteRange } from "../repository.js";
import { ArchiveLocations, describeDisplaced } from "./archive-locations.js";
import { ArchivePool } from "./archive-pool.js";
import { checkedContent, checkedPart } from "./contents.js";
import { isDamage, unlessDamaged, withoutAdvice } from "./damage.js";
import { findSnapshot, snapshotNamed } from "./find-snapshot.js";
import { rebuildIndex, repairIndex } from "./rebuild-index.js";
import { type Remark, type RepositoryFolder, readRepositoryFolder } from "./repository-folder.js";
import { RepositoryKeys } from "./repository-keys.js";
import type { RowChange } from "./rows.js";
import { ITEMS, MANIFEST, MEDIA, SnapshotReader } from "./snapshot-reader.js";

/** Manifests that are kept: who walks through a year of nights shall not hold them all. */
const KEPT = 8;

/**
 * Opens a repository for reading. Indexes that are lost are made again in memory from plain
 * archives, which is told as an oddity. `keys`: for encrypted archives; without them names, times
 * and sizes are known all the same. Throws ArchiveError (exit 10) when the folder is no repository,
 * and UsageError when it is of a newer format.
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
  /**
   * Snapshots whose index was lost: the hash of their main archive is only what its file has now.
   */
  readonly rebuilt: ReadonlySet<SnapshotId>;
  /** `oddities` with what they are about. */
  readonly remarks: readonly Remark[];
  /** Which file holds the bytes of each archive. */
  readonly locations: ArchiveLocations;
  /** The archives, open side by side as they are used. */
  readonly pool: ArchivePool;
  /**
   * Rows that are other in a snapshot than in the one before, whose rows were found good; null:
   * every row. See readChangedRows.
   */
  changedItems(snapshot: SnapshotId, before: SnapshotId | null): AsyncIterable<RowChange<ItemRow>>;
  changedMedia(snapshot: SnapshotId, before: SnapshotId | null): AsyncIterable<RowChange<MediaRow>>;
  /** Rows of one kind; the others are neither parsed nor checked. */
  itemsOf(snapshot: SnapshotId, kind: ItemKind): AsyncIterable<ItemRow>;
  /** The bytes at a place and nowhere else: repair archives are not asked. */
  openAt(place: Place): Readable;
  /** The bytes of a part that fits into memory. Throws as `openPart` does, and its stream. */
  readPart(place: Place, range: ByteRange): Promise<Buffer>;
  /**
   * The repository as its folder is now, over the same open archives: what reads from one of the
   * two goes on, and closing one closes both. Throws as openRepository does.
   */
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
  const partAtOnce = async (place: Place, range: ByteRange): Promise<Buffer | undefined> => {
    const { archive, path } = (await repaired.find(place.sha256)) ?? place;
    // What is damaged may be had by `part`, from what is left of the archive.
    const bytes = await unlessDamaged(() => pool.use(archive, (opened) => opened.partAtOnce(path, range)));
    return bytes?.length === range.end - range.start ? bytes : undefined;
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
    itemsOf: (snapshot, kind) => reader(snapshot).itemsOf(kind),
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
      const whole = await partAtOnce(place, range);
      if (whole !== undefined) return whole;
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

/**
 * Up to this size a content is read from a repair archive before it is given, so that its own
 * archive can still be asked.
 */
const HELD = 8 * 1024 * 1024;

/**
 * The first place, or the second one where the first has other bytes: repair archives can be
 * damaged as well.
 */
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

/** Where a repair archive has a content. */
interface RepairedPlace {
  readonly archive: string;
  readonly path: string;
}

/**
 * An entry of a repair archive is named by the sha256 of its content; any other is read once to
 * know it.
 */
const NAMED = /(?:^|\/)([0-9a-f]{64})(?:\.[^/]*)?$/;

/**
 * The contents of repair archives by sha256, the newest first asked; looked up once, when the first
 * is wanted.
 */
class RepairContents {
  readonly #pool: ArchivePool;
  readonly #archives: readonly string[];
  #places: Promise<ReadonlyMap<string, RepairedPlace>> | undefined;

  /** Oldest first. */
  constructor(pool: ArchivePool, archives: readonly string[]) {
    this.#pool = pool;
    this.#archives = archives;
  }

  async find(sha256: string): Promise<RepairedPlace | undefined> {
    if (this.#archives.length === 0) return undefined;
    this.#places ??= this.#read();
    return (await this.#places).get(sha256);
  }

  async #read(): Promise<ReadonlyMap<string, RepairedPlace>> {
    const places = new Map<string, RepairedPlace>();
    for (const archive of this.#archives) {
      try {
        await this.#pool.use(archive, async ({ entries, content }) => {
          for (const { path } of entries) {
            places.set(NAMED.exec(path)?.[1] ?? (await hashOf(content(path))), { archive, path });
          }
        });
      } catch (error) {
        // The other archives may still have what is wanted; verify tells of this one.
        if (!isDamage(error)) throw error;
      }
    }
    return places;
  }
}

async function hashOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

/** The indexes of a folder with those that were made again. */
interface AllIndexes {
  readonly indexes: ReadonlyMap<SnapshotId, SnapshotIndex>;
  readonly rebuilt: ReadonlySet<SnapshotId>;
  readonly remarks: readonly Remark[];
}

/**
 * Makes the index of every snapshot whose plain archives are there without one, and tells of what
 * has none and gets none.
 */
async function addLostIndexes(found: RepositoryFolder, pool: ArchivePool): Promise<AllIndexes> {
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

/**
 * What is no archive of ours, though it is named as one; undefined: it may be ours. A snapshot's
 * parts speak for its main archive.
 */
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

/** Looked at from either end of a file: the list of entries of a zip ends with its end record. */
const LOOKED_AT = 64 * 1024;
const SIGNATURES = ["PK\x01\x02", "PK\x03\x04", "PK\x05\x06"].map((text) => Buffer.from(text, "latin1"));

/** One of these, damaged in its name, leaves the others. */
const TOLD_BY = [MANIFEST, ITEMS, MEDIA];

/**
 * Why a main archive without an index can't be one of ours, a clause; undefined: it may be, and
 * then its index is lost. What a snapshot names or follows, what is encrypted, empty, all zeros, or
 * has anything of a zip that can't be read, may be ours and be damaged. Throws what is no damage.
 */
async function whyStray(
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
