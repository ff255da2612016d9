import type { Body, Standing, Written } from "../../contracts.js";
import type { Key } from "../../model/key.js";
import type { Database } from "../sqlite.js";

/** What the last writes left, in the table `left_body`, and how things were before each run, in `earlier`. */
export class EarlierRows {
  readonly #database: Database;
  readonly #target: number;
  readonly #run: () => string | undefined;

  constructor(database: Database, target: number, run: () => string | undefined) {
    this.#database = database;
    this.#target = target;
    this.#run = run;
  }

  /** Inside a transaction. `before`: the digest of what stood there. */
  left({ key, body, left, facts }: Written, before: string | null): void {
    if (body !== undefined && facts["deleted"] !== true) {
      const sql = "INSERT OR REPLACE INTO left_body (target, key, body) VALUES (:target, :key, :body)";
      this.#database.run(sql, { target: this.#target, key, body: JSON.stringify(body) });
    } else if (facts["deleted"] === true || left !== before) {
      // A body that is not that of the digest would be the base of a wrong merge.
      this.#database.run("DELETE FROM left_body WHERE target = :target AND key = :key", { target: this.#target, key });
    }
  }

  bodyOf(key: string): Body | undefined {
    const sql = "SELECT body FROM left_body WHERE target = :target AND key = :key";
    const row = this.#database.get<{ readonly body: string }>(sql, { target: this.#target, key });
    return row === undefined ? undefined : JSON.parse(row.body);
  }

  /** Inside a transaction. It was not there before. */
  made(item: Key, thing: string): void {
    this.#put(item, thing, { id: null, body: null, written: null });
  }

  /** Inside a transaction. Only the first state of a run counts. */
  keep(item: Key, thing: string, written: Written | undefined, found: Standing | undefined): void {
    const body = found?.body ?? this.bodyOf(thing);
    this.#put(item, thing, {
      id: found?.id ?? written?.id ?? null,
      body: body === undefined ? null : JSON.stringify(body),
      written: written === undefined ? null : JSON.stringify(written),
    });
  }

  #put(item: Key, thing: string, values: Row): void {
    const run = this.#run();
    if (run === undefined) return;
    this.#database.run(
      `INSERT OR IGNORE INTO earlier (target, run, thing, item, id, body, written)
       VALUES (:target, :run, :thing, :item, :id, :body, :written)`,
      { target: this.#target, run, thing, item, ...values },
    );
  }
}

interface Row {
  readonly id: string | null;
  readonly body: string | null;
  readonly written: string | null;
}
