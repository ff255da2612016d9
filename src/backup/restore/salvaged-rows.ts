import { join } from "node:path";
import type { Key } from "../../core/model/key.js";
import { scratchFolder } from "../../core/util/files.js";
import { type ItemRow, itemRowSchema, type MediaRow, mediaRowSchema } from "../../storage/repository/format.js";
import { Database } from "../../storage/sqlite.js";

/**
 * The source of a row: the row as written, an item in the archives, the snapshots before and after,
 * or the workspace of the backups.
 */
export type Origin = "own" | "remade" | "beside" | "workspace";
const ORIGINS = ["own", "remade", "beside", "workspace"] as const;

const PAGE = 500;

/**
 * The salvaged rows of a snapshot in a temporary file, so that memory does not grow with their
 * number. A row replaces one with the same key.
 */
export class SalvagedRows {
  readonly #database: Database;
  readonly #remove: () => Promise<void>;

  private constructor(database: Database, remove: () => Promise<void>) {
    this.#database = database;
    this.#remove = remove;
  }

  /** Throws WorkspaceError when the temporary file can't be written. */
  static async make(): Promise<SalvagedRows> {
    const { path, remove } = await scratchFolder("salvage");
    const database = new Database(join(path, "rows.sqlite"));
    // The file is temporary: one transaction that is never committed saves a write for each row.
    database.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-4096");
    database.execute(
      `CREATE TABLE item (place TEXT PRIMARY KEY, row TEXT, origin TEXT, state TEXT) WITHOUT ROWID;
       CREATE TABLE medium (place TEXT PRIMARY KEY, row TEXT) WITHOUT ROWID;
       CREATE TABLE named (name TEXT PRIMARY KEY) WITHOUT ROWID;
       BEGIN`,
    );
    return new SalvagedRows(database, remove);
  }

  putItem(row: ItemRow, origin: Origin): void {
    this.#database.run(
      "INSERT OR REPLACE INTO item (place, row, origin, state) VALUES (:place, :row, :origin, :state)",
      { place: placeOf(row.key), row: JSON.stringify(row), origin, state: row.state },
    );
  }

  putMedium(row: MediaRow): void {
    this.#database.run("INSERT OR REPLACE INTO medium (place, row) VALUES (:place, :row)", {
      place: row.sha256,
      row: JSON.stringify(row),
    });
  }

  /** The snapshot is known not to have this row. */
  removeItem(key: Key): void {
    this.#database.run("DELETE FROM item WHERE place = :place", { place: placeOf(key) });
  }

  removeMedium(sha256: string): void {
    this.#database.run("DELETE FROM medium WHERE place = :place", { place: sha256 });
  }

  /** Notes an entry of an archive whose row is certain. */
  noteNamed(archive: string, path: string): void {
    this.#database.run("INSERT OR IGNORE INTO named (name) VALUES (:name)", { name: `${archive}/${path}` });
  }

  isNamed(archive: string, path: string): boolean {
    const name = `${archive}/${path}`;
    return this.#database.get("SELECT 1 FROM named WHERE name = :name", { name }) !== undefined;
  }

  item(key: Key): ItemRow | undefined {
    const found = this.#database.get<Stored>("SELECT place, row FROM item WHERE place = :place", {
      place: placeOf(key),
    });
    return found === undefined ? undefined : itemRowSchema.parse(JSON.parse(found.row));
  }

  medium(sha256: string): MediaRow | undefined {
    const found = this.#database.get<Stored>("SELECT place, row FROM medium WHERE place = :sha256", { sha256 });
    return found === undefined ? undefined : mediaRowSchema.parse(JSON.parse(found.row));
  }

  async *items(): AsyncGenerator<ItemRow> {
    for (const row of this.#pages(`SELECT place, row FROM item WHERE place > :after ORDER BY place LIMIT ${PAGE}`))
      yield itemRowSchema.parse(JSON.parse(row));
  }

  async *media(): AsyncGenerator<MediaRow> {
    for (const row of this.#pages(`SELECT place, row FROM medium WHERE place > :after ORDER BY place LIMIT ${PAGE}`))
      yield mediaRowSchema.parse(JSON.parse(row));
  }

  /** Item rows by source, and how many of them are of present items. */
  counts(): Readonly<Record<Origin, number>> & {
    readonly present: number;
    readonly all: number;
    readonly media: number;
  } {
    const of = (sql: string): number => this.#database.get<{ readonly count: number }>(sql)?.count ?? 0;
    const rows = this.#database.all<{ readonly origin: Origin; readonly count: number }>(
      "SELECT origin, count(*) AS count FROM item GROUP BY origin",
    );
    const [own = 0, remade = 0, beside = 0, workspace = 0] = ORIGINS.map(
      (origin) => rows.find((row) => row.origin === origin)?.count ?? 0,
    );
    return {
      ...{ own, remade, beside, workspace },
      present: of("SELECT count(*) AS count FROM item WHERE state = 'present'"),
      all: of("SELECT count(*) AS count FROM item"),
      media: of("SELECT count(*) AS count FROM medium"),
    };
  }

  async close(): Promise<void> {
    this.#database.close();
    await this.#remove();
  }

  *#pages(sql: string): Generator<string> {
    for (let after = ""; ; ) {
      const page = this.#database.all<Stored>(sql, { after });
      for (const { row } of page) yield row;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.place;
    }
  }
}

interface Stored {
  readonly place: string;
  readonly row: string;
}

/** Sorts by the UTF-16 code units of the key, the order of rows; SQLite compares UTF-8 bytes. */
function placeOf(key: string): string {
  return Buffer.from(key, "utf16le").swap16().toString("hex");
}
