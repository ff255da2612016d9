import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ItemKind, Key } from "../../../core/model/key.js";
import { diskError } from "../../archive/disk-error.js";
import { storageAt } from "../files/open-storage.js";
import type { RepositoryStorage } from "../files/repository-storage.js";
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
import { type Base, Bases, RowFiles } from "./row-files.js";
import type { RowChange } from "./rows.js";
import { ITEMS, MANIFEST, MEDIA, SnapshotReader } from "./snapshot-reader.js";

/** Manifests kept in memory; a walk over a year of snapshots must not keep them all. */
const KEPT = 8;

/**
 * Opens a repository for reading. Lost indexes of plain archives are rebuilt in memory and
 * reported. `keys`: for encrypted archives; names, times and sizes are readable without them.
 * Throws ArchiveError (exit 10) when there is no repository, and UsageError for a newer format.
 *
 * @param place a storage, or its address
 */
export async function openRepository(
  place: string | RepositoryStorage,
  { keys = new RepositoryKeys() }: { readonly keys?: RepositoryKeys | undefined } = {},
): Promise<OpenRepository> {
  const storage = typeof place === "string" ? await storageAt(place) : place;
  const pool = new ArchivePool(storage, keys);
  try {
    return await readWith(pool, storage);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

async function readWith(pool: ArchivePool, storage: RepositoryStorage): Promise<OpenRepository> {
  const found = await readRepositoryFolder(storage);
  const { indexes, rebuilt, remarks } = await addLostIndexes(found, pool);
  const all = [...indexes.values()].toSorted((one, other) => (one.snapshot < other.snapshot ? -1 : 1));
  const locations = await ArchiveLocations.of(storage, found.files, all);
  pool.know(locations);
  const exchanged = describeDisplaced(locations.displaced(), storage).map((one) => ({ ...one, isDamage: true }));
  return repositoryOf(storage, found.name, all, pool, { rebuilt, locations, remarks: [...remarks, ...exchanged] });
}

/** With what verify and repair need in addition. */
export interface OpenRepository extends Browsable {
  readonly storage: RepositoryStorage;
  /** The repair archives, oldest first. */
  repairs(): readonly SnapshotIndex[];
  /** Snapshots with a rebuilt index: the hash of their main archive proves nothing. */
  readonly rebuilt: ReadonlySet<SnapshotId>;
  /** `warnings` with their files. */
  readonly remarks: readonly Remark[];
  /** The files with the bytes of archives. */
  readonly locations: ArchiveLocations;
  readonly pool: ArchivePool;
  /** The rows that differ from those of an earlier, checked snapshot; null: all. */
  changedItems(snapshot: SnapshotId, before: SnapshotId | null): AsyncIterable<RowChange<ItemRow>>;
  changedMedia(snapshot: SnapshotId, before: SnapshotId | null): AsyncIterable<RowChange<MediaRow>>;
  /** Rows of these kinds; the others are neither parsed nor checked. */
  itemsOf(snapshot: SnapshotId, kinds: ReadonlySet<ItemKind>): AsyncIterable<ItemRow>;
  keysOf(snapshot: SnapshotId, kinds: ReadonlySet<ItemKind>): AsyncIterable<readonly Key[]>;
  /** Checks the bytes of all rows against the manifest. Throws ArchiveError (exit 6). */
  checkRows(snapshot: SnapshotId): Promise<void>;
  /**
   * Whole rows from which a snapshot after this one can differ: its own, or those of its base.
   * undefined: it has none, as in format 1.
   */
  baseAfter(snapshot: SnapshotId): Base | undefined;
  /** The bytes at a place, without looking into repair archives. */
  openAt(place: Place): Readable;
  /** A range of bytes that fits into memory. */
  readPart(place: Place, range: ByteRange): Promise<Buffer>;
  /**
   * The repository with the present content of its folder. It shares the open archives: closing one
   * closes both.
   */
  again(): Promise<OpenRepository>;
}

function repositoryOf(
  storage: RepositoryStorage,
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
  const reader = keptReaders(pool, (snapshot) => snapshotNamed(snapshots, snapshot, storage.address));
  const openAt = (place: Place): Readable =>
    Readable.from(checkedContent(pool.content(place.archive, place.path), place), { objectMode: false });
  const part = async (place: Place, range: ByteRange): Promise<AsyncGenerator<Buffer>> => {
    const { archive, path } = (await repaired.find(place.sha256)) ?? place;
    return checkedPart(pool.content(archive, path, range), place, range);
  };
  const partAtOnce = async (place: Place, range: ByteRange): Promise<Buffer | undefined> => {
    const { archive, path } = (await repaired.find(place.sha256)) ?? place;
    // `part` may find the content of a damaged archive by its local header.
    const bytes = await unlessDamaged(() => pool.use(archive, (opened) => opened.partAtOnce(path, range)));
    return bytes?.length === range.end - range.start ? bytes : undefined;
  };
  return {
    storage,
    address: storage.address,
    name,
    rebuilt,
    remarks,
    locations,
    warnings: remarks.map(({ text }) => text),
    pool,
    snapshots: () => snapshots,
    repairs: () => repairs,
    find: (at) => findSnapshot(snapshots, at, storage.address),
    manifest: (snapshot) => reader(snapshot).manifest(),
    items: (snapshot) => reader(snapshot).items(),
    media: (snapshot) => reader(snapshot).media(),
    itemBatches: (snapshot) => reader(snapshot).itemBatches(),
    mediaBatches: (snapshot) => reader(snapshot).mediaBatches(),
    changedItems: (snapshot, before) =>
      reader(snapshot).changedItems(before === null ? null : reader(before), reader(lastAsOf(snapshots, snapshot))),
    changedMedia: (snapshot, before) =>
      reader(snapshot).changedMedia(before === null ? null : reader(before), reader(lastAsOf(snapshots, snapshot))),
    itemsOf: (snapshot, kinds) => reader(snapshot).itemsOf(kinds),
    keysOf: (snapshot, kinds) => reader(snapshot).keysOf(kinds),
    checkRows: (snapshot) => reader(snapshot).checkRows(),
    baseAfter: (snapshot) => baseAfter(pool, snapshotNamed(snapshots, snapshot, storage.address)),
    item: (snapshot, key) => reader(snapshot).item(key),
    medium: (snapshot, sha256) => reader(snapshot).medium(sha256),
    open: async (place) => {
      const replacement = await repaired.find(place.sha256);
      return replacement === undefined ? openAt(place) : eitherOf(openAt, { ...place, ...replacement }, place);
    },
    openAt,
    again: () => readWith(pool, storage),
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

/** The last snapshot with the same base. */
function lastAsOf(snapshots: readonly SnapshotIndex[], snapshot: SnapshotId): SnapshotId {
  const base = snapshots.find((index) => index.snapshot === snapshot)?.base;
  return (
    snapshots.findLast((index) => base !== undefined && index.base?.archive === base.archive)?.snapshot ?? snapshot
  );
}

/** The main archive must be intact: a new snapshot should not depend on a copy. */
function baseAfter(pool: ArchivePool, { snapshot, archives, whole, base }: SnapshotIndex): Base | undefined {
  const archive = archives.at(-1)?.name ?? "";
  const rows = base ?? (whole === undefined ? undefined : { snapshot, archive, ...whole });
  if (rows === undefined) return undefined;
  const files = new RowFiles(pool, rows.archive, undefined, rows);
  return { ...rows, rows: (of) => files.blocks(of) };
}

/** Bytes. A content up to this size is read from a repair archive completely before it is used. */
const HELD = 8 * 1024 * 1024;

/** The first place, or the second one if the first is damaged, as repair archives can be too. */
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
  const bases = new Bases(pool);
  const readerOf = (of: SnapshotIndex): SnapshotReader =>
    new SnapshotReader(pool, of.archives.at(-1)?.name ?? "", { of, bases });
  return (snapshot) => {
    const reader = readers.get(snapshot) ?? readerOf(indexOf(snapshot));
    readers.delete(snapshot);
    readers.set(snapshot, reader);
    for (const oldest of readers.keys()) if (readers.size > KEPT) readers.delete(oldest);
    return reader;
  };
}

interface RepairedPlace {
  readonly archive: string;
  readonly path: string;
}

/** The sha256 in the name of a repair archive's entry; an entry without one is hashed. */
const NAMED = /(?:^|\/)([0-9a-f]{64})(?:\.[^/]*)?$/;

/** The contents of repair archives by sha256, the newest ones first; listed at the first use. */
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
        // The other archives may have the content; verify reports this one.
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

interface AllIndexes {
  readonly indexes: ReadonlyMap<SnapshotId, SnapshotIndex>;
  readonly rebuilt: ReadonlySet<SnapshotId>;
  readonly remarks: readonly Remark[];
}

/** Rebuilds the lost indexes of plain snapshots and reports the others. */
async function addLostIndexes(found: RepositoryFolder, pool: ArchivePool): Promise<AllIndexes> {
  const indexes = new Map(found.indexes);
  const rebuilt = new Set<SnapshotId>();
  const remarks = [...found.remarks];
  for (const [snapshot, files] of withoutIndex(found)) {
    const made = (await strayOf(found, files, pool)) ?? (await remake(found.storage, files, pool));
    if ("isDamage" in made) {
      remarks.push(made);
      continue;
    }
    indexes.set(snapshot, made);
    rebuilt.add(snapshot);
    const file = indexName(made.name, snapshot);
    remarks.push({
      file,
      text: `${file} is missing; guideferry rebuilt it in memory from the archives.`,
      isDamage: true,
    });
  }
  return { indexes, rebuilt, remarks: [...remarks, ...(await lostHead(found, indexes)), ...unlisted(found, indexes)] };
}

/** The loss of the youngest snapshot with its index is only known from the head files. */
async function lostHead(
  { storage, archives }: RepositoryFolder,
  indexes: ReadonlyMap<SnapshotId, SnapshotIndex>,
): Promise<readonly Remark[]> {
  const head = await readHead(storage);
  const isThere = [...archives.values()].some(({ snapshot }) => snapshot === head);
  const last = [...indexes.keys()].toSorted().at(-1);
  // An index without its archives is reported elsewhere.
  if (head === undefined || isThere || (last !== undefined && last >= head)) return [];
  const text =
    `The snapshot ${head}, the youngest one according to ${HEAD}, is missing together with its index${last === undefined ? "" : `; the youngest existing one is ${last}`}. ` +
    "Restore its files from a copy of the repository. Otherwise the next backup takes a snapshot of the site in its state at that time.";
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
  const place = ([, { part }]: Named): number =>
    part === "rows" ? Number.MAX_SAFE_INTEGER : (part ?? Number.POSITIVE_INFINITY);
  for (const [snapshot, files] of lost)
    lost.set(
      snapshot,
      files.toSorted((a, b) => place(a) - place(b)),
    );
  return lost;
}

/** Archives that the index of their snapshot does not list. */
function unlisted({ archives }: RepositoryFolder, indexes: ReadonlyMap<SnapshotId, SnapshotIndex>): readonly Remark[] {
  return [...archives].flatMap(([file, { snapshot }]) => {
    const index = indexes.get(snapshot);
    if (index === undefined || index.archives.some(({ name }) => name === file)) return [];
    return [
      { file, text: `${file} belongs to no snapshot: the index of its snapshot does not list it.`, isDamage: false },
    ];
  });
}

/**
 * A remark on a file that is not an archive of this repository, though its name is that of one;
 * undefined: it may be one, for example because the snapshot has parts too.
 */
async function strayOf(
  { storage, indexes }: RepositoryFolder,
  files: readonly Named[],
  pool: ArchivePool,
): Promise<Remark | undefined> {
  const [[file, name] = [], ...others] = files;
  if (file === undefined || name === undefined || name.part !== null || others.length > 0) return undefined;
  const why = await whyStray(storage, file, name, pool, indexes.values());
  if (why === undefined) return undefined;
  const text = `${file} has the name of an archive of this repository, but is not one: ${why}. guideferry ignores it. Move it to another folder.`;
  return { file, text, isDamage: false };
}

async function remake(
  storage: RepositoryStorage,
  files: readonly Named[],
  pool: ArchivePool,
): Promise<SnapshotIndex | Remark> {
  const [file, name] = files.at(-1) ?? [];
  if (file === undefined || name === undefined || name.part !== null) return leftParts(files);
  if (name.encrypted) {
    const text = `The index of ${file} is missing, and the archive is encrypted, so the index cannot be rebuilt. The snapshot is not shown.`;
    return { file, text, isDamage: true };
  }
  if (name.kind === "repair") return repairIndex(storage, file, name);
  try {
    const reader = new SnapshotReader(pool, file, { of: name });
    const [manifest, names] = [await reader.manifest(), files.map(([part]) => part)];
    return await rebuildIndex({ storage, names, manifest, items: reader.items(), media: reader.media() });
  } catch (error) {
    if (!isDamage(error)) throw error;
    const text = `The index of ${file} is missing and cannot be rebuilt: ${withoutAdvice(error)}`;
    return { file, text, isDamage: true };
  }
}

function leftParts(files: readonly Named[]): Remark {
  const names = files.map(([file]) => file);
  const text = `${names.join(", ")}: the main archive and the index of the snapshot are missing. A killed run leaves such files; the next backup removes them.`;
  return { file: names[0] ?? "", text, isDamage: false };
}

/** Bytes checked at both ends of a file. */
const LOOKED_AT = 64 * 1024;
const SIGNATURES = ["PK\x01\x02", "PK\x03\x04", "PK\x05\x06"].map((text) => Buffer.from(text, "latin1"));

/** A damaged name can hide one of these entries, but not all. */
const OWN_ENTRIES = [MANIFEST, ITEMS, MEDIA];

/**
 * Why a main archive without an index can't belong to this repository; undefined: it may, and then
 * its index is lost. A file may belong to it and be damaged if a snapshot refers to it, or if it is
 * encrypted, empty, all zeros, or has unreadable parts of a zip. Throws errors other than damage.
 */
async function whyStray(
  storage: RepositoryStorage,
  file: string,
  name: ArchiveName,
  pool: ArchivePool,
  indexes: Iterable<SnapshotIndex>,
): Promise<string | undefined> {
  if (name.encrypted || isNamed(file, name, indexes)) return undefined;
  if (!(await hasTraceOfZip(storage, file))) return "it is not a zip file";
  // A repair archive has no manifest; its contents are only checked by their sha256.
  if (name.kind === "repair") return undefined;
  try {
    const isOther = await pool.use(file, ({ entries }) =>
      OWN_ENTRIES.every((path) => entries.find(path) === undefined),
    );
    if (isOther) return "it is a zip file without the entries of a snapshot";
    const manifest = await new SnapshotReader(pool, file).manifest();
    if (manifest.name === name.name && manifest.snapshot === name.snapshot) return undefined;
    return `it holds the snapshot ${manifest.snapshot} of ${manifest.name}`;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** Does an index refer to the archive or its snapshot? */
function isNamed(file: string, { snapshot }: ArchiveName, indexes: Iterable<SnapshotIndex>): boolean {
  for (const { previous, needs } of indexes) {
    if (previous === snapshot) return true;
    if (needs.some(({ archive }) => archive === file || parseArchiveName(archive)?.snapshot === snapshot)) return true;
  }
  return false;
}

/** A disk can leave an empty file, or a file of zeros, of a zip. */
async function hasTraceOfZip(storage: RepositoryStorage, file: string): Promise<boolean> {
  const ends = await bothEnds(storage, file);
  return ends.every((byte) => byte === 0) || SIGNATURES.some((signature) => ends.includes(signature));
}

async function bothEnds(storage: RepositoryStorage, file: string): Promise<Buffer> {
  const source = await storage.open(file);
  // Removed by another run since: nothing shows that it does not belong to the repository.
  if (source === undefined) return Buffer.alloc(0);
  try {
    const [begin, end] = [Buffer.alloc(LOOKED_AT), Buffer.alloc(LOOKED_AT)];
    const first = await source.read(begin, 0, LOOKED_AT, 0);
    const last = await source.read(end, 0, LOOKED_AT, Math.max(0, source.bytes - LOOKED_AT));
    return Buffer.concat([begin.subarray(0, first.bytesRead), end.subarray(0, last.bytesRead)]);
  } catch (error) {
    throw diskError(error, `reading ${storage.at(file)}`);
  } finally {
    await source.close();
  }
}
