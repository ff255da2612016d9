import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { Body, PreImage, Written } from "../../core/writing.js";
import type { Database } from "../sqlite.js";
import { WorkspaceLedger } from "./ledger.js";
import { NoteRows } from "./note-rows.js";
import { OperationRows } from "./operation-rows.js";
import { type EarlierRow, toPreImage } from "./pre-images.js";
import { LastWrittenBodies, WrittenRows } from "./written-rows.js";

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

/** A thing that a run made or changed. */
interface ChangedThing {
  readonly item: Key;
  readonly thing: string;
  readonly isUndone: boolean;
}

/** Each page of items costs a look at all rows of the run. */
const ITEMS = 2000;
/** Bodies that are in memory together. */
const BODIES = 200;
const COLUMNS = "thing, item, id, body, written, theirs, sent";

/**
 * The past of one target: how things were before each run, and the ledger as an undo uses it, which
 * keeps nothing of its own changes.
 */
export class UndoLedger {
  readonly ledger: WorkspaceLedger;
  readonly #database: Database;
  readonly #target: number;
  readonly #written: WrittenRows;
  readonly #left: LastWrittenBodies;
  readonly #forgetting: Forgetting;

  constructor(database: Database, target: number) {
    this.ledger = new WorkspaceLedger(database, target, () => undefined);
    this.#database = database;
    this.#target = target;
    this.#written = new WrittenRows(database, target);
    this.#left = new LastWrittenBodies(database, target);
    this.#forgetting = new Forgetting(database, target);
  }

  /** The newest first. */
  runs(): readonly UndoableRun[] {
    return listUndoableRuns(this.#database, this.#target);
  }

  /**
   * The items of a run with things that were not undone, the ones that it came to first or last
   * before the others. Anything may be noted meanwhile.
   */
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

  /** All that a run made or changed, undone or not, by item; anything may be noted meanwhile. */
  *things(run: string): Generator<ChangedThing> {
    const rows = this.#database.pages<{ readonly item: Key; readonly thing: string; readonly undone: number }>(
      `SELECT item, thing, undone FROM earlier WHERE target = :target AND run = :run AND (item, thing) > (:item, :thing)
       ORDER BY item, thing`,
      { target: this.#target, run },
      { item: "", thing: "" },
    );
    for (const { item, thing, undone } of rows) yield { item, thing, isUndone: undone === 1 };
  }

  /** What of an item a run changed and was not undone, in the order in which it came to it. */
  earlier(run: string, item: Key): readonly PreImage[] {
    return this.#database
      .all<EarlierRow>(
        `SELECT ${COLUMNS} FROM earlier WHERE target = :target AND run = :run AND item = :item AND undone = 0 ORDER BY rowid`,
        { target: this.#target, run, item },
      )
      .map(toPreImage);
  }

  /**
   * A later run that changed the thing too and was not undone. `whole`: the thing or anything else
   * of its item, or a translation of it.
   */
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

  /**
   * Everything that stands at the target as far as a write told, by key; anything may be noted
   * meanwhile.
   */
  *standing(): IterableIterator<{ readonly key: Key; readonly item: Key; readonly body: Body }> {
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
   * A thing is as it was before the run; durable, all or nothing. `written`: what the ledger says
   * of it and of others from now on.
   */
  undone(run: string, { item, thing }: PreImage, written: readonly Written[], afterwards: AfterUndo): void {
    this.#database.transaction(() => {
      this.#put(item, written);
      this.#forgetting.operations(item, thing, afterwards);
      this.#mark(run, "thing", thing);
    });
  }

  /** It never happened, `guide/1/tag/wool`; durable. */
  forgetOperation(id: string): void {
    this.#database.transaction(() => this.#forgetting.operation(id, "forget"));
  }

  /**
   * Noted before a deleted thing is made anew, so that what has another id then is known for it;
   * durable.
   */
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

  /**
   * A whole item that the run made is gone: nothing of it is known any more, but what was known
   * before; durable.
   */
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

/**
 * What becomes of an operation of a thing that was undone. `forget`: it never happened. `again`:
 * the next load does it again. `stays`: it was not undone.
 */
type AfterUndo = "forget" | "again" | "stays";

type Values = Readonly<Record<string, string | number>>;

/**
 * Takes out of a ledger what an undo has made untrue. Everything to be called inside a transaction.
 */
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

  /** The operations that belong to a thing; with the item itself its notes go too. */
  operations(item: Key, thing: string, afterwards: AfterUndo): void {
    if (afterwards === "stays") return;
    const belongs = belongsTo(item, thing);
    for (const { id } of this.#operations.ofItem(item)) if (belongs(id)) this.operation(id, afterwards);
    if (afterwards === "forget" && thing === item) this.#notes.forgetNotes(item, null);
  }

  /** One operation alone, `guide/1/tag/wool`. */
  operation(id: string, afterwards: Exclude<AfterUndo, "stays">): void {
    if (afterwards === "again") {
      this.#operations.undo(id);
      return;
    }
    this.#notes.forgetOperation(id);
    this.#operations.forget(id);
  }

  /** An item with all that hangs on it. */
  item(item: Key, afterwards: Exclude<AfterUndo, "stays">): void {
    const values = this.#with({ item });
    this.#database.run(
      "DELETE FROM left_body WHERE target = :target AND key IN (SELECT key FROM written WHERE target = :target AND item = :item)",
      values,
    );
    this.#database.run("DELETE FROM written WHERE target = :target AND item = :item", values);
    for (const { id } of this.#operations.ofItem(item)) this.operation(id, afterwards);
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

  #with<V extends Values>(values: V): V & { readonly target: number } {
    return { ...values, target: this.#target };
  }
}

/**
 * Which operations of an item are about a thing: a step has one of its own, tags and viewers have
 * theirs, all the others are the item's.
 */
function belongsTo(item: Key, thing: string): (operation: string) => boolean {
  const parts = [`${item}/step/`, `${item}/tag/`, `${item}/viewer/`, `${item}/comment/`];
  if (thing === item) return (id) => !parts.some((part) => id.startsWith(part));
  if (/^(?:step|comment)\//.test(thing)) return (id) => id === `${item}/${thing}`;
  const part = PARTS[thing.slice(0, thing.indexOf("/"))];
  return (id) => part !== undefined && id.startsWith(`${item}/${part}/`);
}

const PARTS: Readonly<Record<string, string>> = { tags: "tag", viewers: "viewer" };

/**
 * How many items of a kind an undo took away, put back or brought back, and how many still stand in
 * whole or in part as the run left them.
 */
type UndoneCounts = Readonly<Partial<Record<"deleted" | "updated" | "created" | "waiting", number>>>;

/**
 * What of a run is undone by now, by the kind of the item; all that is known of an undo that was
 * killed.
 */
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
