import { WorkspaceError } from "../../core/errors.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";
import { type ItemEntry, readEntry } from "./item-store.js";
import { layoutOf } from "./layout.js";
import { openStateToRead } from "./state.js";

/**
 * Where bytes lie: an archive of a backup repository by its file name, and the path of the entry in
 * it.
 */
interface ArchivedPlace {
  readonly archive: string;
  readonly path: string;
  readonly size: number;
}

/** The file of an item that an archive holds. */
export interface ArchivedItem extends ArchivedPlace {
  /** The sha256 of the file; the item's entry has another one when the item changed since. */
  readonly digest: string;
  /**
   * Media items: the sha256 of their bytes; null for others, and for one whose bytes were never
   * had.
   */
  readonly content: string | null;
}

/** An item that was in a snapshot once and is deleted at the site. */
interface Tombstone {
  readonly key: Key;
  readonly kind: ItemKind;
  readonly revision: string;
  readonly title: string;
  /** The snapshot that no longer had it first. */
  readonly deleted: string;
}

/** The repository as text, and whom its last snapshot of this workspace was encrypted for. */
type ArchivedNote = "repository" | "recipients";

/** What those who only look may ask. */
export interface ArchivedReader {
  /** undefined: no archive holds it. */
  item(key: Key): ArchivedItem | undefined;
  medium(sha256: string): ArchivedPlace | undefined;
  /** Whether archives hold the bytes of any media. */
  hasMedia(): boolean;
}

/**
 * Where the bytes of a workspace lie in the archives of its backup repository. What a snapshot that
 * is being written adds waits, without being seen, until `settle`: whether the snapshot came to be
 * is known by the repository alone.
 */
export interface ArchivedStore extends ArchivedReader {
  /** The snapshot up to which this is known; undefined: nothing is. */
  snapshot(): string | undefined;
  /** The snapshot whose places wait. */
  waiting(): string | undefined;
  /**
   * Were the ends of all media looked at that this workspace had before ends were looked at on
   * arrival?
   */
  endsChecked(): boolean;
  noteEndsChecked(): void;
  /** Free notes about the repository, gone with `clear`; undefined: there is none of this name. */
  note(name: ArchivedNote): string | undefined;
  putNote(name: ArchivedNote, value: string): void;
  /** By key, a page at a time: those that are known, or those that wait. */
  tombstones(which: "known" | "waiting"): IterableIterator<Tombstone>;
  /** What waits; its archive may be empty. */
  waitingItem(key: Key): ArchivedItem | undefined;
  waitingMedium(sha256: string): ArchivedPlace | undefined;
  /** Forgets what waits, and lets the places of this snapshot wait from now on. */
  begin(snapshot: string): void;
  /**
   * Each call belongs to the snapshot that waits; `archive` may be empty until `place`. One
   * transaction for all of `work`.
   */
  adding(work: (add: Adding) => void): void;
  /** Names the archives of what waits, and whether the snapshot itself stays. */
  place(archiveOf: (path: string) => string): void;
  /**
   * What waits came to be: its places are the known ones, those of the snapshot that waited or of
   * `as`. An item that came back has no tombstone any more.
   */
  settle(as?: string): void;
  /** It did not. */
  drop(): void;
  /** Forgets every place in an archive that is not among these; returns how many there were. */
  keepOnly(archives: ReadonlySet<string>): number;
  /** Forgets what is known of these items, tombstones too. */
  forget(keys: readonly Key[]): void;
  /** Forgets everything. */
  clear(): void;
}

/** What may wait. */
export interface Adding {
  item(key: Key, item: ArchivedItem): void;
  medium(sha256: string, place: ArchivedPlace): void;
  tombstone(tombstone: Tombstone): void;
}

/** Values of the column `waits`. */
const KNOWN = 0;
const WAITING = 1;
const TABLES = ["archived_item", "archived_media", "archived_gone"] as const;
const ITEM = "digest, archive, path, size, content";

export function createArchivedReader(database: Database): ArchivedReader {
  return {
    item: (key) => readItem(database, key, KNOWN),
    medium: (sha256) => readMedium(database, sha256, KNOWN),
    hasMedia: () => database.get("SELECT 1 FROM archived_media WHERE waits = 0 LIMIT 1") !== undefined,
  };
}

function readItem(database: Database, key: Key, waits: number): ArchivedItem | undefined {
  const sql = `SELECT ${ITEM} FROM archived_item WHERE key = :key AND waits = :waits`;
  return plain(database.get<ArchivedItem>(sql, { key, waits }));
}

function readMedium(database: Database, sha256: string, waits: number): ArchivedPlace | undefined {
  const sql = "SELECT archive, path, size FROM archived_media WHERE sha256 = :sha256 AND waits = :waits";
  return plain(database.get<ArchivedPlace>(sql, { sha256, waits }));
}

export function createArchivedStore(database: Database): ArchivedStore {
  return {
    ...createArchivedReader(database),
    snapshot: () => noteOf(database, "snapshot"),
    waiting: () => noteOf(database, "waiting"),
    endsChecked: () => noteOf(database, "ends-checked") !== undefined,
    noteEndsChecked: () => putNote(database, "ends-checked", "yes"),
    note: (name) => noteOf(database, name),
    putNote: (name, value) => putNote(database, name, value),
    tombstones: (which) => readTombstones(database, which === "known" ? KNOWN : WAITING),
    waitingItem: (key) => readItem(database, key, WAITING),
    waitingMedium: (sha256) => readMedium(database, sha256, WAITING),
    begin: (snapshot) =>
      database.transaction(() => {
        forgetWaiting(database);
        putNote(database, "waiting", snapshot);
      }),
    adding: (work) => database.transaction(() => work(addingTo(database))),
    place: (archiveOf) => database.transaction(() => placeAll(database, archiveOf)),
    settle: (as) => database.transaction(() => settle(database, as)),
    drop: () => database.transaction(() => forgetWaiting(database)),
    keepOnly: (archives) => database.transaction(() => keepOnly(database, archives)),
    forget: (keys) =>
      database.transaction(() => {
        for (const table of ["archived_item", "archived_gone"])
          for (const key of keys) database.run(`DELETE FROM ${table} WHERE waits = 0 AND key = :key`, { key });
      }),
    clear: () =>
      database.transaction(() => {
        for (const table of [...TABLES, "archived_note"]) database.run(`DELETE FROM ${table}`);
      }),
  };
}

function addingTo(database: Database): Adding {
  return {
    item: (key, item) => {
      database.run(
        `INSERT OR REPLACE INTO archived_item (key, waits, digest, archive, path, size, content)
         VALUES (:key, 1, :digest, :archive, :path, :size, :content)`,
        { key, digest: item.digest, content: item.content, ...placeOf(item) },
      );
    },
    medium: (sha256, place) => {
      database.run(
        "INSERT OR REPLACE INTO archived_media (sha256, waits, archive, path, size) VALUES (:sha256, 1, :archive, :path, :size)",
        { sha256, ...placeOf(place) },
      );
    },
    tombstone: ({ key, kind, revision, title, deleted }) => {
      database.run(
        "INSERT OR REPLACE INTO archived_gone (key, waits, kind, revision, title, deleted) VALUES (:key, 1, :kind, :revision, :title, :deleted)",
        { key, kind, revision, title, deleted },
      );
    },
  };
}

function placeOf({ archive, path, size }: ArchivedPlace) {
  return { archive, path, size };
}

/** In pages, by path: what was placed before keeps its place. */
function placeAll(database: Database, archiveOf: (path: string) => string): void {
  for (const table of ["archived_item", "archived_media"] as const) {
    const sql = `SELECT path FROM ${table} WHERE waits = 1 AND archive = '' AND path > :path ORDER BY path`;
    const rows = database.pages<{ readonly path: string }>(sql, {}, { path: "" });
    for (const { path } of rows) {
      const archive = archiveOf(path);
      database.run(`UPDATE ${table} SET archive = :archive WHERE waits = 1 AND path = :path`, { path, archive });
    }
  }
}

function settle(database: Database, as: string | undefined): void {
  const waiting = noteOf(database, "waiting");
  if (waiting === undefined) return;
  for (const [table, id] of [
    ["archived_item", "key"],
    ["archived_media", "sha256"],
    ["archived_gone", "key"],
  ]) {
    database.run(`DELETE FROM ${table} WHERE waits = 0 AND ${id} IN (SELECT ${id} FROM ${table} WHERE waits = 1)`);
  }
  database.run("DELETE FROM archived_gone WHERE key IN (SELECT key FROM archived_item WHERE waits = 1)");
  database.run("DELETE FROM archived_item WHERE key IN (SELECT key FROM archived_gone WHERE waits = 1)");
  for (const table of TABLES) database.run(`UPDATE ${table} SET waits = 0 WHERE waits = 1`);
  putNote(database, "snapshot", as ?? waiting);
  database.run("DELETE FROM archived_note WHERE name = 'waiting'");
}

function forgetWaiting(database: Database): void {
  for (const table of TABLES) database.run(`DELETE FROM ${table} WHERE waits = 1`);
  database.run("DELETE FROM archived_note WHERE name = 'waiting'");
}

function keepOnly(database: Database, archives: ReadonlySet<string>): number {
  let forgotten = 0;
  for (const table of ["archived_item", "archived_media"] as const) {
    const known = database.all<{ readonly archive: string }>(`SELECT DISTINCT archive FROM ${table} WHERE waits = 0`);
    for (const { archive } of known) {
      if (archives.has(archive)) continue;
      forgotten += database.run(`DELETE FROM ${table} WHERE waits = 0 AND archive = :archive`, { archive });
    }
  }
  return forgotten;
}

function readTombstones(database: Database, waits: number): IterableIterator<Tombstone> {
  return database.pages<Tombstone>(
    "SELECT key, kind, revision, title, deleted FROM archived_gone WHERE waits = :waits AND key > :key ORDER BY key",
    { waits },
    { key: "" },
  );
}

function noteOf(database: Database, name: string): string | undefined {
  return database.get<{ readonly value: string }>("SELECT value FROM archived_note WHERE name = :name", { name })
    ?.value;
}

function putNote(database: Database, name: string, value: string): void {
  database.run("INSERT OR REPLACE INTO archived_note (name, value) VALUES (:name, :value)", { name, value });
}

function plain<T extends object>(row: T | undefined): T | undefined {
  return row === undefined ? undefined : { ...row };
}

/** What the workspace of a backup knows of the snapshot that it wrote last. */
interface ArchivedRows {
  /** That snapshot. */
  readonly snapshot: string;
  /**
   * By key. `entry`: what the workspace says of the item now, where its file is still the archived
   * one.
   */
  items(): IterableIterator<{ readonly key: Key; readonly item: ArchivedItem; readonly entry: ItemEntry | undefined }>;
  media(): IterableIterator<ArchivedPlace & { readonly sha256: string }>;
  tombstones(): IterableIterator<Tombstone>;
  close(): void;
}

/**
 * Opens a workspace to read, also while a run works on it. undefined: there is none, it can't be
 * read, or it knows of no snapshot. Rows end where the database is damaged: it is asked for what
 * others lost, and whatever is wrong with it, its own runs report.
 */
export function openArchivedRows(directory: string): ArchivedRows | undefined {
  const database = ifReadable(() => openStateToRead(layoutOf(directory).state));
  if (database === undefined) return undefined;
  const snapshot = ifReadable(() => noteOf(database, "snapshot"));
  if (snapshot === undefined) {
    database.close();
    return undefined;
  }
  return {
    snapshot,
    items: () => untilUnreadable(readItems(database)),
    media: () => untilUnreadable(readContents(database)),
    tombstones: () => untilUnreadable(readTombstones(database, KNOWN)),
    close: () => database.close(),
  };
}

function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

function* untilUnreadable<T>(rows: Iterable<T>): Generator<T> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

function* readItems(database: Database): ReturnType<ArchivedRows["items"]> {
  const rows = database.pages<ArchivedItem & { readonly key: Key }>(
    "SELECT key, digest, archive, path, size, content FROM archived_item WHERE waits = 0 AND key > :key ORDER BY key",
    {},
    { key: "" },
  );
  for (const { key, ...item } of rows) {
    const entry = readEntry(database, key);
    yield { key, item, entry: entry?.digest === item.digest ? entry : undefined };
  }
}

function readContents(database: Database): ReturnType<ArchivedRows["media"]> {
  return database.pages<ArchivedPlace & { readonly sha256: string }>(
    "SELECT sha256, archive, path, size FROM archived_media WHERE waits = 0 AND sha256 > :sha256 ORDER BY sha256",
    {},
    { sha256: "" },
  );
}
