import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { Body, PreImage, Written } from "../../core/writing.js";
import type { Database } from "../sqlite.js";
import { WorkspaceLedger } from "./ledger.js";
import { NoteRows } from "./note-rows.js";
import { OperationRows } from "./operation-rows.js";
import { type EarlierRow, toPreImage } from "./pre-images.js";
import { LastWrittenBodies, WrittenRows } from "./written-rows.js";

export interface UndoableRun {
  readonly id: string;
  /** `load`; null: the run log has no row of the run. */
  readonly command: string | null;
  /** UNIX seconds. */
  readonly started: number | null;
  /** Things that the run created or changed, and those of them that are not undone yet. */
  readonly things: number;
  readonly open: number;
}

interface ChangedThing {
  readonly item: Key;
  readonly thing: string;
  readonly isUndone: boolean;
}

/** Items of one page of rows. Each page reads all rows of the run. */
const ITEMS = 2000;
/** Bodies of one page of rows. */
const BODIES = 200;
const COLUMNS = "thing, item, id, body, written, theirs, sent";

/** By the index of things: a plain rowid makes SQLite read all rows of later runs. */
const CHANGES = "SELECT run, +rowid AS place FROM earlier WHERE target = :target AND undone = 0";
const CHANGES_OF_THING = `${CHANGES} AND thing = :thing`;
/** Two searches, since one for both would read all rows of the target. */
const CHANGES_OF_ITEM = `${CHANGES} AND item = :thing UNION ALL
  ${CHANGES} AND item GLOB 'guide/*' AND item > :thing || '@' AND item < :thing || 'A'`;

/**
 * The pre-images of each run on one target, and the ledger for an undo, which keeps no pre-images
 * of its own changes.
 */
export class UndoLedger {
  readonly ledger: WorkspaceLedger;
  readonly #database: Database;
  readonly #target: number;
  readonly #written: WrittenRows;
  readonly #left: LastWrittenBodies;
  readonly #forgetting: Forgetting;
  readonly #ends = new Map<string, number>();

  constructor(database: Database, target: number) {
    this.ledger = new WorkspaceLedger(database, target, () => undefined);
    this.#database = database;
    this.#target = target;
    this.#written = new WrittenRows(database, target);
    this.#left = new LastWrittenBodies(database, target);
    this.#forgetting = new Forgetting(database, target);
  }

  runs(): readonly UndoableRun[] {
    return listUndoableRuns(this.#database, this.#target);
  }

  /** The items of a run that are not completely undone, in the order of their changes. */
  *items(run: string, order: "first" | "last"): IterableIterator<Key> {
    const ascending = order === "first";
    const sql = `SELECT item, ${ascending ? "min" : "max"}(rowid) AS place FROM earlier WHERE target = :target AND run = :run
      GROUP BY item HAVING min(undone) = 0 AND place ${ascending ? ">" : "<"} :place
      ORDER BY place ${ascending ? "ASC" : "DESC"}`;
    const rows = this.#database.pages<{ readonly item: Key; readonly place: number }>(
      sql,
      { target: this.#target, run },
      { place: ascending ? -1 : Number.MAX_SAFE_INTEGER },
      ITEMS,
    );
    for (const { item } of rows) yield item;
  }

  /** All things that a run created or changed, undone or not, by item. */
  *things(run: string): Generator<ChangedThing> {
    const rows = this.#database.pages<{ readonly item: Key; readonly thing: string; readonly undone: number }>(
      `SELECT item, thing, undone FROM earlier WHERE target = :target AND run = :run AND (item, thing) > (:item, :thing)
       ORDER BY item, thing`,
      { target: this.#target, run },
      { item: "", thing: "" },
    );
    for (const { item, thing, undone } of rows) yield { item, thing, isUndone: undone === 1 };
  }

  /** The pre-images of an item that are not undone, in the order of the changes. */
  earlier(run: string, item: Key): readonly PreImage[] {
    return this.#database
      .all<EarlierRow>(
        `SELECT ${COLUMNS} FROM earlier WHERE target = :target AND run = :run AND item = :item AND undone = 0 ORDER BY rowid`,
        { target: this.#target, run, item },
      )
      .map(toPreImage);
  }

  /**
   * A later run that also changed the thing and is not undone. `whole`: that changed anything of
   * the item, or a translation of it.
   */
  changedLater(run: string, thing: string, whole: boolean): string | undefined {
    const sql = `SELECT run FROM (${whole ? CHANGES_OF_ITEM : CHANGES_OF_THING}) WHERE place > :end ORDER BY place DESC LIMIT 1`;
    const values = { target: this.#target, thing, end: this.#endOf(run) };
    return this.#database.get<{ readonly run: string }>(sql, values)?.run;
  }

  /** The last row of a run. Reads all of its rows, and a run that has ended gets no more. */
  #endOf(run: string): number {
    const known = this.#ends.get(run);
    if (known !== undefined) return known;
    const sql = "SELECT max(rowid) AS last FROM earlier WHERE target = :target AND run = :run";
    const row = this.#database.get<{ readonly last: number | null }>(sql, { target: this.#target, run });
    const end = row?.last ?? Number.MAX_SAFE_INTEGER;
    this.#ends.set(run, end);
    return end;
  }

  /** Every thing on the target with its last-written body, by key. */
  *lastWritten(): IterableIterator<{ readonly key: Key; readonly item: Key; readonly body: Body }> {
    const rows = this.#database.pages<{ readonly key: Key; readonly item: Key; readonly body: string }>(
      `SELECT written.key, written.item, body FROM written JOIN left_body USING (target, key)
       WHERE target = :target AND written.key > :key ORDER BY written.key`,
      { target: this.#target },
      { key: "" },
      BODIES,
    );
    for (const { body, ...row } of rows) yield { ...row, body: JSON.parse(body) };
  }

  /**
   * Records that a thing is as before the run; durable, all or nothing. `written`: the new records
   * of the thing and of others.
   */
  undone(run: string, { item, thing }: PreImage, written: readonly Written[], afterwards: AfterUndo): void {
    this.#database.transaction(() => {
      this.#put(item, written);
      this.#forgetting.operations(item, thing, afterwards);
      this.#mark(run, "thing", thing);
    });
  }

  /** Removes every trace of an operation, `guide/1/tag/wool`; durable. */
  forgetOperation(id: string): void {
    this.#database.transaction(() => this.#forgetting.operation(id, "forget"));
  }

  /** Recorded before a deleted thing is recreated, so that its new id is recognised; durable. */
  async makingAgain(run: string, thing: string): Promise<void> {
    const sql = "UPDATE earlier SET sent = :sent WHERE target = :target AND run = :run AND thing = :thing";
    const values = { target: this.#target, run, thing, sent: JSON.stringify({ again: true }) };
    await this.#database.durably(() => this.#database.run(sql, values));
  }

  /** Replaces the id of a recreated thing in the pre-images of earlier runs; durable. */
  renumber(thing: string, before: string, now: string): void {
    this.#database.run(
      `UPDATE earlier SET id = :now, written = CASE WHEN written IS NULL THEN NULL ELSE json_set(written, '$.id', :now) END
       WHERE target = :target AND thing = :thing AND id = :before AND undone = 0`,
      { target: this.#target, thing, before, now },
    );
  }

  /**
   * Records that an item which the run created is deleted, and restores the records `before` it;
   * durable.
   */
  deleted(run: string, item: Key, before: readonly Written[]): void {
    this.#database.transaction(() => {
      this.#forgetting.item(item, before.length === 0 ? "forget" : "again");
      this.#put(item, before);
      this.#mark(run, "item", item);
    });
  }

  /** Records that an upload is deleted, for all its keys; durable. Returns them. */
  uploadDeleted(run: string, key: Key): readonly Key[] {
    return this.#database.transaction(() => {
      const written = this.#written.get(key);
      const same = written === undefined ? [] : this.#written.sharing(kindOf(key), written.id);
      for (const each of [...same, key]) this.#forgetting.item(each, "forget");
      this.#mark(run, "item", key);
      return same;
    });
  }

  /** Clears the ledger of a target without written things. */
  forgetAllIfEmpty(): boolean {
    return this.#database.transaction(() => this.#forgetting.allIfEmpty());
  }

  #put(item: Key, written: readonly Written[]): void {
    for (const each of written) {
      this.#left.put(each);
      this.#written.put(item, each);
    }
  }

  #mark(run: string, by: "thing" | "item", value: string): void {
    const sql = `UPDATE earlier SET undone = 1 WHERE target = :target AND run = :run AND ${by} = :value`;
    this.#database.run(sql, { target: this.#target, run, value });
  }
}

/** The runs of a target with pre-images, the newest first. */
export function listUndoableRuns(database: Database, target: number): readonly UndoableRun[] {
  return database
    .all<UndoableRun>(
      `SELECT earlier.run AS id, command, started, count(*) AS things, sum(undone = 0) AS open
       FROM earlier LEFT JOIN run ON run.id = earlier.run WHERE target = :target GROUP BY earlier.run ORDER BY max(earlier.rowid) DESC`,
      { target },
    )
    .map((row) => ({ ...row }));
}

/**
 * The operation of an undone thing. `forget`: remove every trace. `again`: the next load performs
 * it again. `stays`: it is not undone.
 */
type AfterUndo = "forget" | "again" | "stays";

type Values = Readonly<Record<string, string | number>>;

/** Removes from a ledger what an undo makes untrue. Call every method inside a transaction. */
class Forgetting {
  readonly #database: Database;
  readonly #target: number;
  readonly #operations: OperationRows;
  readonly #notes: NoteRows;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
    this.#operations = new OperationRows(database, target);
    this.#notes = new NoteRows(database, target);
  }

  /** The operations of a thing; for the item itself also its notes. */
  operations(item: Key, thing: string, afterwards: AfterUndo): void {
    if (afterwards === "stays") return;
    const belongs = belongsTo(item, thing);
    for (const { id } of this.#operations.ofItem(item)) if (belongs(id)) this.operation(id, afterwards);
    if (afterwards === "forget" && thing === item) this.#notes.forgetNotes(item, null);
  }

  operation(id: string, afterwards: Exclude<AfterUndo, "stays">): void {
    if (afterwards === "again") {
      this.#operations.undo(id);
      return;
    }
    this.#notes.forgetOperation(id);
    this.#operations.forget(id);
  }

  item(item: Key, afterwards: Exclude<AfterUndo, "stays">): void {
    const values = this.#with({ item });
    this.#database.run(
      "DELETE FROM left_body WHERE target = :target AND key IN (SELECT key FROM written WHERE target = :target AND item = :item)",
      values,
    );
    this.#database.run("DELETE FROM written WHERE target = :target AND item = :item", values);
    for (const { id } of this.#operations.ofItem(item)) this.operation(id, afterwards);
    this.#database.run("DELETE FROM issue WHERE target = :target AND item = :item", values);
    // "0" follows "/": exactly the memos of the item's parts.
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

  #with<V extends Values>(values: V): V & { readonly target: number } {
    return { ...values, target: this.#target };
  }
}

/** Steps, comments, tags and viewers have operations of their own; the others are the item's. */
function belongsTo(item: Key, thing: string): (operation: string) => boolean {
  const parts = [`${item}/step/`, `${item}/tag/`, `${item}/viewer/`, `${item}/comment/`];
  if (thing === item) return (id) => !parts.some((part) => id.startsWith(part));
  if (/^(?:step|comment)\//.test(thing)) return (id) => id === `${item}/${thing}`;
  const part = PARTS[thing.slice(0, thing.indexOf("/"))];
  return (id) => part !== undefined && id.startsWith(`${item}/${part}/`);
}

const PARTS: Readonly<Record<string, string>> = { tags: "tag", viewers: "viewer" };

/**
 * The number of items of a kind that an undo deleted, restored or recreated. `waiting`: items that
 * are not completely undone.
 */
type UndoneCounts = Readonly<Partial<Record<"deleted" | "updated" | "created" | "waiting", number>>>;

/** The undone items of a run by kind; after a killed undo, the only information about it. */
export function undoneSoFar(
  database: Database,
  target: number,
  run: string,
): Readonly<Partial<Record<Kind, UndoneCounts>>> {
  const rows = database.all<{ readonly kind: Kind; readonly outcome: keyof UndoneCounts; readonly count: number }>(
    `SELECT kind, outcome, count(*) AS count FROM (
       SELECT substr(item, 1, instr(item, '/') - 1) AS kind, CASE
         WHEN min(undone) = 0 THEN 'waiting'
         WHEN max(thing = item AND id IS NULL AND written IS NULL) THEN 'deleted'
         WHEN max(thing = item AND sent IS NOT NULL AND json_extract(sent, '$.deleted') IS 1) THEN 'created'
         ELSE 'updated' END AS outcome
       FROM earlier WHERE target = :target AND run = :run GROUP BY item) GROUP BY kind, outcome`,
    { target, run },
  );
  const counts: Partial<Record<Kind, UndoneCounts>> = {};
  for (const { kind, outcome, count } of rows) counts[kind] = { ...counts[kind], [outcome]: count };
  return counts;
}
