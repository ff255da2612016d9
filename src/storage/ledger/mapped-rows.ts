import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { Database } from "../workspace/sqlite.js";

const PAGE = 500;

/** What another workspace moved to the same target (`--map FILE`), in the table `mapped`. */
export class MappedRows {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. */
  put(key: Key, id: string): void {
    this.#database.run("INSERT OR REPLACE INTO mapped (target, key, kind, id) VALUES (:target, :key, :kind, :id)", {
      target: this.#target,
      key,
      kind: kindOf(key),
      id,
    });
  }

  idOf(key: Key): string | undefined {
    const sql = "SELECT id FROM mapped WHERE target = :target AND key = :key";
    return this.#database.get<{ readonly id: string }>(sql, { target: this.#target, key })?.id;
  }

  /** Anything may be written while it is read. */
  *keys(): IterableIterator<Key> {
    const sql = `SELECT key FROM mapped WHERE target = :target AND key > :after ORDER BY key LIMIT ${PAGE}`;
    for (let after = ""; ; ) {
      const page = this.#database.all<{ readonly key: Key }>(sql, { target: this.#target, after });
      for (const { key } of page) yield key;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key;
    }
  }

  keyOf(kind: Kind, id: string): Key | undefined {
    const sql = "SELECT key FROM mapped WHERE target = :target AND kind = :kind AND id = :id ORDER BY key LIMIT 1";
    return this.#database.get<{ readonly key: Key }>(sql, { target: this.#target, kind, id })?.key;
  }
}
