import { WorkspaceError } from "../../core/errors.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";
import { type ItemEntry, readEntry } from "./item-store.js";
import { layoutOf } from "./layout.js";
import { openStateToRead } from "./state.js";

/** The position of bytes in a backup repository: file name of the archive, path of the entry. */
interface ArchivedPlace {
  readonly archive: string;
  readonly path: string;
  readonly size: number;
}

/** The file of an item in an archive. */
export interface ArchivedItem extends ArchivedPlace {
  /** The sha256 of the file. It differs from the entry's digest if the item changed later. */
  readonly digest: string;
  /** Media items: the sha256 of their bytes; null for other items, and for missing bytes. */
  readonly content: string | null;
}

/** An item of an earlier snapshot that was deleted on the site. */
interface Tombstone {
  readonly key: Key;
  readonly kind: ItemKind;
  readonly revision: string;
  readonly title: string;
  /** The first snapshot without it. */
  readonly deleted: string;
}

/** The repository as text, and the recipients of its last snapshot of this workspace. */
type ArchivedNote = "repository" | "recipients";

export interface ArchivedReader {
  /** undefined: no archive holds it. */
  item(key: Key): ArchivedItem | undefined;
  medium(sha256: string): ArchivedPlace | undefined;
  hasMedia(): boolean;
}

/**
 * The positions of a workspace's bytes in the archives of its backup repository. Positions of a
 * snapshot that is being written are pending until `settle`: only the repository decides whether
 * the snapshot exists.
 */
export interface ArchivedStore extends ArchivedReader {
  /** The last known snapshot; undefined: none. */
  snapshot(): string | undefined;
  waiting(): string | undefined;
  /** Were the ends of the media checked that arrived before this check existed? */
  endsChecked(): boolean;
  noteEndsChecked(): void;
  /** Notes about the repository, which `clear` deletes. */
  note(name: ArchivedNote): string | undefined;
  putNote(name: ArchivedNote, value: string): void;
  /** By key, in pages: the known or the pending tombstones. */
  tombstones(which: "known" | "waiting"): IterableIterator<Tombstone>;
  /** The pending position; its archive may be empty. */
  waitingItem(key: Key): ArchivedItem | undefined;
  /** The item whose text gets this path in an archive. */
  waitingKey(path: string): Key | undefined;
  waitingMedium(sha256: string): ArchivedPlace | undefined;
  /** Deletes all pending positions and begins those of this snapshot. */
  begin(snapshot: string): void;
  /** Adds pending positions in one transaction; `archive` may be empty until `place`. */
  adding(work: (add: Adding) => void): void;
  place(archiveOf: (path: string) => string): void;
  /**
   * The pending snapshot exists: its positions become the known ones, under its name or that of
   * `as`. An item that exists again loses its tombstone.
   */
  settle(as?: string): void;
  /** The pending snapshot does not exist: deletes its positions. */
  drop(): void;
  /** Deletes all positions in other archives; returns their number. */
  keepOnly(archives: ReadonlySet<string>): number;
  /** Deletes the known positions and tombstones of these items. */
  forget(keys: readonly Key[]): void;
  clear(): void;
}

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
    waitingKey: (path) =>
      database.get<{ readonly key: Key }>("SELECT key FROM archived_item WHERE waits = 1 AND path = :path", { path })
        ?.key,
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

/** By path, in pages; positions with an archive are left as they are. */
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

/** The data of a backup's workspace about its last snapshot. */
interface ArchivedRows {
  readonly snapshot: string;
  /** By key. `entry`: the index entry, if the item has not changed since. */
  items(): IterableIterator<{ readonly key: Key; readonly item: ArchivedItem; readonly entry: ItemEntry | undefined }>;
  media(): IterableIterator<ArchivedPlace & { readonly sha256: string }>;
  tombstones(): IterableIterator<Tombstone>;
  close(): void;
}

/**
 * Opens a workspace to read, also during a run. undefined: it does not exist, can't be read, or has
 * no snapshot. Rows end at the first damage in the database, without an error: this is a second
 * source for lost data, and the workspace's own runs report the damage.
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
