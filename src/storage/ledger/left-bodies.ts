import type { Body, Written } from "../../core/contracts.js";
import type { Database } from "../workspace/sqlite.js";

/** What the last writes left, in the table `left_body`. */
export class LeftBodies {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. `before`: the digest of what stood there. */
  put({ key, body, left, facts }: Written, before: string | null): void {
    if (body !== undefined && facts["deleted"] !== true) {
      const sql = "INSERT OR REPLACE INTO left_body (target, key, body) VALUES (:target, :key, :body)";
      this.#database.run(sql, { target: this.#target, key, body: JSON.stringify(body) });
    } else if (facts["deleted"] === true || left !== before) {
      // A body that is not that of the digest would be the base of a wrong merge.
      this.#database.run("DELETE FROM left_body WHERE target = :target AND key = :key", { target: this.#target, key });
    }
  }

  of(key: string): Body | undefined {
    const sql = "SELECT body FROM left_body WHERE target = :target AND key = :key";
    const row = this.#database.get<{ readonly body: string }>(sql, { target: this.#target, key });
    return row === undefined ? undefined : JSON.parse(row.body);
  }
}
