import { type Key, type Kind, kindOf } from "../../model/key.js";
import type { Database } from "../sqlite.js";

/** What another workspace moved to the same target (`--map FILE`), in the table `elsewhere`. */
export class ElsewhereRows {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. */
  put(key: Key, id: string): void {
    this.#database.run("INSERT OR REPLACE INTO elsewhere (target, key, kind, id) VALUES (:target, :key, :kind, :id)", {
      target: this.#target,
      key,
      kind: kindOf(key),
      id,
    });
  }

  idOf(key: Key): string | undefined {
    const sql = "SELECT id FROM elsewhere WHERE target = :target AND key = :key";
    return this.#database.get<{ readonly id: string }>(sql, { target: this.#target, key })?.id;
  }

  keyOf(kind: Kind, id: string): Key | undefined {
    const sql = "SELECT key FROM elsewhere WHERE target = :target AND kind = :kind AND id = :id ORDER BY key LIMIT 1";
    return this.#database.get<{ readonly key: Key }>(sql, { target: this.#target, kind, id })?.key;
  }
}
