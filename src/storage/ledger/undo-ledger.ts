import type { Body, Earlier, Written } from "../../core/contracts.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { Database } from "../workspace/sqlite.js";
import { type EarlierRow, toEarlier } from "./earlier-rows.js";
import { type Afterwards, Forgetting } from "./forgetting.js";
import { WorkspaceLedger } from "./ledger.js";
import { LeftBodies } from "./left-bodies.js";
import { WrittenRows } from "./written-rows.js";

/** A run of which something can be undone. */
export interface UndoableRun {
  readonly id: string;
  /** `load`; null: its line in the run log is lost. */
  readonly command: string | null;
  /** UNIX seconds. */
  readonly started: number | null;
  /** Things that it made or changed, and how many of them were not undone yet. */
  readonly things: number;
  readonly open: number;
}

const PAGE = 200;
/** Each page of items costs a look at all rows of the run. */
const ITEMS = 2000;
const COLUMNS = "thing, item, id, body, written, theirs, sent";

/** The past of one target: how things were before each run, and the ledger as an undo uses it, which keeps nothing of its own changes. */
export class UndoLedger {
  readonly ledger: WorkspaceLedger;
  readonly #database: Database;
  readonly #target: number;
  readonly #written: WrittenRows;
  readonly #left: LeftBodies;
  readonly #forgetting: Forgetting;

  constructor(database: Database, target: number) {
    this.ledger = new WorkspaceLedger(database, target, () => undefined);
    this.#database = database;
    this.#target = target;
    this.#written = new WrittenRows(database, target);
    this.#left = new LeftBodies(database, target);
    this.#forgetting = new Forgetting(database, target);
  }

  /** The newest first. */
  runs(): readonly UndoableRun[] {
    return listUndoableRuns(this.#database, this.#target);
  }

  /** The items of a run with things that were not undone, the ones that it came to first or last before the others. Anything may be noted meanwhile. */
  *items(run: string, order: "first" | "last"): IterableIterator<Key> {
    const ascending = order === "first";
    const sql = `SELECT item, ${ascending ? "min" : "max"}(rowid) AS place FROM earlier WHERE target = :target AND run = :run
      GROUP BY item HAVING min(undone) = 0 AND place ${ascending ? ">" : "<"} :after
      ORDER BY place ${ascending ? "ASC" : "DESC"} LIMIT ${ITEMS}`;
    let after = ascending ? -1 : Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = this.#database.all<{ readonly item: Key; readonly place: number }>(sql, {
        target: this.#target,
        run,
        after,
      });
      for (const { item } of page) yield item;
      const last = page.at(-1);
      if (last === undefined || page.length < ITEMS) return;
      after = last.place;
    }
  }

  /** All that a run made or changed, undone or not, by item; anything may be noted meanwhile. */
  *things(run: string): Generator<{ readonly item: Key; readonly thing: string; readonly isUndone: boolean }> {
    let after = { item: "", thing: "" };
    for (;;) {
      const page = this.#database.all<{ readonly item: Key; readonly thing: string; readonly undone: number }>(
        `SELECT item, thing, undone FROM earlier WHERE target = :target AND run = :run AND (item, thing) > (:item, :thing)
         ORDER BY item, thing LIMIT ${ITEMS}`,
        { target: this.#target, run, ...after },
      );
      for (const { item, thing, undone } of page) yield { item, thing, isUndone: undone === 1 };
      const last = page.at(-1);
      if (last === undefined || page.length < ITEMS) return;
      after = { item: last.item, thing: last.thing };
    }
  }

  /** What of an item a run changed and was not undone, in the order in which it came to it. */
  earlier(run: string, item: Key): readonly Earlier[] {
    return this.#database
      .all<EarlierRow>(
        `SELECT ${COLUMNS} FROM earlier WHERE target = :target AND run = :run AND item = :item AND undone = 0 ORDER BY rowid`,
        { target: this.#target, run, item },
      )
      .map(toEarlier);
  }

  /** A later run that changed the thing too and was not undone. `whole`: the thing or anything else of its item, or a translation of it. */
  changedLater(run: string, thing: string, whole: boolean): string | undefined {
    const translated = "item GLOB 'guide/*' AND item > :thing || '@' AND item < :thing || 'A'";
    const which = whole ? `(item = :thing OR (${translated}))` : "thing = :thing";
    const sql = `SELECT run FROM earlier WHERE target = :target AND ${which} AND undone = 0
      AND rowid > (SELECT max(rowid) FROM earlier WHERE target = :target AND run = :run) ORDER BY rowid DESC LIMIT 1`;
    return this.#database.get<{ readonly run: string }>(sql, { target: this.#target, run, thing })?.run;
  }

  /** The key of a thing that had this id before a run. */
  keyThen(run: string, kind: Kind, id: string): Key | undefined {
    const sql = `SELECT thing FROM earlier WHERE target = :target AND run = :run AND thing > :from AND thing < :to AND id = :id LIMIT 1`;
    const values = { target: this.#target, run, id, from: `${kind}/`, to: `${kind}0` };
    return this.#database.get<{ readonly thing: Key }>(sql, values)?.thing;
  }

  /** Everything that stands at the target as far as a write told, by key; anything may be noted meanwhile. */
  *standing(): IterableIterator<{ readonly key: Key; readonly item: Key; readonly body: Body }> {
    let after = "";
    for (;;) {
      const page = this.#database.all<{ readonly key: Key; readonly item: Key; readonly body: string }>(
        `SELECT written.key, written.item, body FROM written JOIN left_body USING (target, key)
         WHERE target = :target AND written.key > :after ORDER BY written.key LIMIT ${PAGE}`,
        { target: this.#target, after },
      );
      for (const { body, ...row } of page) yield { ...row, body: JSON.parse(body) };
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key;
    }
  }

  /** Notes how a thing stands after a write of the undo; durable. */
  note(item: Key, written: readonly Written[]): void {
    this.#database.transaction(() => this.#put(item, written));
  }

  /**
   * A thing is as it was before the run; durable, all or nothing. `written`: what the ledger says of it and of others from now on.
   */
  undone(run: string, { item, thing }: Earlier, written: readonly Written[], afterwards: Afterwards): void {
    this.#database.transaction(() => {
      this.#put(item, written);
      this.#forgetting.operations(item, thing, afterwards);
      this.#mark(run, "thing", thing);
    });
  }

  /** It never happened, `guide/1/tag/wool`; durable. */
  forgetOperation(item: Key, id: string): void {
    this.#database.transaction(() => this.#forgetting.operation(item, id, "forget"));
  }

  /** Noted before a deleted thing is made anew, so that what has another id then is known for it; durable. */
  makingAgain(run: string, thing: string): void {
    const sql = "UPDATE earlier SET sent = :sent WHERE target = :target AND run = :run AND thing = :thing";
    this.#database.run(sql, { target: this.#target, run, thing, sent: JSON.stringify({ again: true }) });
  }

  /** What was made anew has another id than every run before knew it by; durable. */
  renumber(thing: string, before: string, now: string): void {
    this.#database.run(
      `UPDATE earlier SET id = :now, written = CASE WHEN written IS NULL THEN NULL ELSE json_set(written, '$.id', :now) END
       WHERE target = :target AND thing = :thing AND id = :before AND undone = 0`,
      { target: this.#target, thing, before, now },
    );
  }

  /** A whole item that the run made is gone: nothing of it is known any more, but what was known before; durable. */
  gone(run: string, item: Key, before: readonly Written[]): void {
    this.#database.transaction(() => {
      this.#forgetting.item(item, before.length === 0 ? "forget" : "again");
      this.#put(item, before);
      this.#mark(run, "item", item);
    });
  }

  /** An upload is gone, whichever keys stood for it; durable. Returns them. */
  uploadGone(run: string, key: Key): readonly Key[] {
    return this.#database.transaction(() => {
      const written = this.#written.get(key);
      const same = written === undefined ? [] : this.#written.sharing(kindOf(key), written.id);
      for (const each of [...same, key]) this.#forgetting.item(each, "forget");
      this.#mark(run, "item", key);
      return same;
    });
  }

  /** Where nothing that it wrote is left at the target, a ledger knows nothing of it. */
  forgetAllIfEmpty(): boolean {
    return this.#database.transaction(() => this.#forgetting.allIfEmpty());
  }

  #put(item: Key, written: readonly Written[]): void {
    for (const each of written) {
      this.#left.put(each, this.#written.get(each.key)?.left ?? null);
      this.#written.put(item, each);
    }
  }

  #mark(run: string, by: "thing" | "item", value: string): void {
    const sql = `UPDATE earlier SET undone = 1 WHERE target = :target AND run = :run AND ${by} = :value`;
    this.#database.run(sql, { target: this.#target, run, value });
  }
}

/** The runs of a target of which something is kept, the newest first. */
export function listUndoableRuns(database: Database, target: number): readonly UndoableRun[] {
  return database
    .all<UndoableRun>(
      `SELECT earlier.run AS id, command, started, count(*) AS things, sum(undone = 0) AS open
       FROM earlier LEFT JOIN run ON run.id = earlier.run WHERE target = :target GROUP BY earlier.run ORDER BY max(earlier.rowid) DESC`,
      { target },
    )
    .map((row) => ({ ...row }));
}
