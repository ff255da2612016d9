import type { Key } from "../../core/model/key.js";
import type { Database } from "../workspace/sqlite.js";

/** What becomes of an operation of a thing that was undone. `forget`: it never happened. `again`: the next load does it again. `stays`: it was not undone. */
export type Afterwards = "forget" | "again" | "stays";

type Values = Readonly<Record<string, string | number>>;

/** Hash of an operation that was undone: never equal to one that is planned, so that the next load does it again. */
const UNDONE = "undone";

/** Takes out of a ledger what an undo has made untrue. Everything to be called inside a transaction. */
export class Forgetting {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** The operations that belong to a thing. */
  operations(item: Key, thing: string, afterwards: Afterwards): void {
    if (afterwards === "stays") return;
    const found = this.#database.all<{ readonly id: string }>(
      "SELECT id FROM operation WHERE target = :target AND item = :item",
      this.#with({ item }),
    );
    const belongs = belongsTo(item, thing);
    for (const { id } of found) if (belongs(id)) this.#operation(item, id, afterwards);
  }

  /** One operation alone, `guide/1/tag/wool`. */
  operation(item: Key, id: string, afterwards: Afterwards): void {
    this.#operation(item, id, afterwards);
  }

  /** An item with all that hangs on it. */
  item(item: Key, afterwards: Afterwards): void {
    const values = this.#with({ item });
    this.#database.run(
      "DELETE FROM left_body WHERE target = :target AND key IN (SELECT key FROM written WHERE target = :target AND item = :item)",
      values,
    );
    this.#database.run("DELETE FROM written WHERE target = :target AND item = :item", values);
    const found = this.#database.all<{ readonly id: string }>(
      "SELECT id FROM operation WHERE target = :target AND item = :item",
      values,
    );
    for (const { id } of found) this.#operation(item, id, afterwards);
    this.#database.run("DELETE FROM issue WHERE target = :target AND item = :item", values);
    // "0" follows "/": the memos of all that hangs on the item, and of nothing else.
    const range = this.#with({ from: `${item}/`, to: `${item}0` });
    this.#database.run("DELETE FROM memo WHERE target = :target AND name > :from AND name < :to", range);
  }

  allIfEmpty(): boolean {
    const sql = "SELECT count(*) AS count FROM written WHERE target = :target";
    if ((this.#database.get<{ readonly count: number }>(sql, this.#with({}))?.count ?? 0) > 0) return false;
    for (const table of ["operation", "missing", "issue", "left_body"])
      this.#database.run(`DELETE FROM ${table} WHERE target = :target`, this.#with({}));
    return true;
  }

  #operation(item: Key, id: string, afterwards: Afterwards): void {
    const values = this.#with({ id });
    this.#database.run("DELETE FROM missing WHERE target = :target AND operation = :id", values);
    if (afterwards === "forget") {
      this.#database.run("DELETE FROM operation WHERE target = :target AND id = :id", values);
      this.#database.run(
        "DELETE FROM issue WHERE target = :target AND item = :item AND operation = :id",
        this.#with({ item, id }),
      );
      return;
    }
    this.#database.run(
      `UPDATE operation SET state = 'done', mark = NULL, error = NULL, hash = '${UNDONE} ' || hash
       WHERE target = :target AND id = :id AND hash NOT LIKE '${UNDONE} %'`,
      values,
    );
  }

  #with<V extends Values>(values: V): V & { readonly target: number } {
    return { ...values, target: this.#target };
  }
}

/** Which operations of an item are about a thing: a step has one of its own, tags and viewers have theirs, all the others are the item's. */
function belongsTo(item: Key, thing: string): (operation: string) => boolean {
  const parts = [`${item}/step/`, `${item}/tag/`, `${item}/viewer/`, `${item}/comment/`];
  if (thing === item) return (id) => !parts.some((part) => id.startsWith(part));
  if (/^(?:step|comment)\//.test(thing)) return (id) => id === `${item}/${thing}`;
  const part = PARTS[thing.slice(0, thing.indexOf("/"))];
  return (id) => part !== undefined && id.startsWith(`${item}/${part}/`);
}

const PARTS: Readonly<Record<string, string>> = { tags: "tag", viewers: "viewer" };
