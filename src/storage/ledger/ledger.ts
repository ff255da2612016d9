import type { Ledger } from "../../core/contracts.js";
import { type Call, factsOf, resultOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { itemTitle } from "../../core/model/item.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import type {
  Body,
  FindRemoteBody,
  Loaded,
  Note,
  NoteKind,
  Operation,
  OperationOutcome,
  OperationState,
  PreImage,
  Receipt,
  RemoteBody,
  Written,
} from "../../core/writing.js";
import type { Database } from "../sqlite.js";
import { CHECKS, NoteRows } from "./note-rows.js";
import { OperationRows } from "./operation-rows.js";
import { PreImageRows } from "./pre-images.js";
import { LastWrittenBodies, WrittenRows } from "./written-rows.js";

/**
 * The ledger of one target in a workspace's `state.sqlite`. It shows the work of a method when the
 * call returns; the promise is fulfilled when the work is committed and durable.
 */
export class WorkspaceLedger implements Ledger {
  readonly #database: Database;
  readonly #operations: OperationRows;
  readonly #written: WrittenRows;
  readonly #notes: NoteRows;
  readonly #left: LastWrittenBodies;
  readonly #earlier: PreImageRows;
  readonly #partPages: PartPages;
  readonly #mapped: MappedRows;

  /** `target`: the id of its row; `run`: the run that writes, undefined to keep no pre-images. */
  constructor(database: Database, target: number, run: () => string | undefined) {
    this.#database = database;
    this.#operations = new OperationRows(database, target);
    this.#written = new WrittenRows(database, target);
    this.#notes = new NoteRows(database, target);
    this.#left = new LastWrittenBodies(database, target);
    this.#earlier = new PreImageRows(database, target, run);
    this.#partPages = new PartPages(database, target);
    this.#mapped = new MappedRows(database, target);
  }

  async begin(operation: Operation, mark: JsonObject | null): Promise<void> {
    const made = mark === null ? undefined : madeBy(operation.call);
    const work = (): void => {
      this.#operations.begin(operation, mark);
      if (made !== undefined) this.#making(operation.item, made);
    };
    await this.#database.durably(made === undefined ? work : this.#earlier.keeping(work));
  }

  /**
   * Stores the operation, its issues and the written things in one transaction, and forgets things
   * with `facts.deleted` true. Throws WorkspaceError, and stores nothing, when two keys would have
   * the same thing on the target.
   */
  async done(operation: Operation, receipt: Receipt): Promise<void> {
    await this.#database.durably(() => {
      this.#put(operation.item, receipt.written);
      this.#partPages.take(operation, receipt);
      this.#operations.done(operation, outcomeOf(receipt), receipt.missing);
      this.#notes.replaceIssues(operation.item, { kind: "operation", of: operation.id }, receipt.issues);
    });
  }

  /**
   * For a write that certainly had no effect: it was refused, never sent, or not found. It removes
   * the mark, so that the next attempt does not search for its result. After a lost answer, call
   * nothing: the operation stays `begun`, and `find` decides.
   */
  async failed(operation: Operation, reason: string): Promise<void> {
    await this.#database.durably(() => this.#operations.failed(operation, reason));
  }

  async close(operations: Iterable<string>): Promise<void> {
    const ids = [...operations];
    await this.#database.durably(() => {
      for (const id of ids) {
        this.#operations.close(id);
        this.#notes.forgetOperation(id);
      }
    });
  }

  async noteRemote(item: Key, written: readonly Written[]): Promise<void> {
    await this.#database.durably(() => this.#put(item, written));
  }

  async orphans(): Promise<readonly OperationState[]> {
    return this.#operations.open("begun");
  }

  async loaded(item: Key): Promise<Loaded> {
    return {
      operations: new Map(this.#operations.ofItem(item).map((operation) => [operation.id, operation])),
      written: new Map(this.#written.ofItem(item).map((written) => [written.key, written])),
    };
  }

  async outcome(operation: string): Promise<OperationOutcome | null> {
    return this.#operations.outcome(operation);
  }

  async idOf(key: Key): Promise<string | undefined> {
    return this.#written.idOf(key) ?? this.#mapped.idOf(key);
  }

  async keyOf(kind: Kind, id: string): Promise<Key | undefined> {
    return this.#written.keyOf(kind, id) ?? this.#mapped.keyOf(kind, id);
  }

  async knows(kind: Kind): Promise<boolean> {
    return this.#written.holds(kind) || this.#operations.isBegun(kind);
  }

  async written(key: Key): Promise<Written | undefined> {
    return this.#written.get(key);
  }

  async left(key: Key): Promise<Body | undefined> {
    return this.#left.of(key);
  }

  async keep(item: Key, thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void> {
    if (!this.#earlier.keeps()) return;
    const noted = this.#earlier.noted(thing);
    if (noted === undefined) {
      await this.#keepFirst(item, thing, found, sent);
      return;
    }
    const written = this.#written.get(thing as Key) ?? null;
    // A body that this run wrote itself is not the pre-image.
    const isUntouched = noted.written === (written === null ? null : JSON.stringify(written));
    if (typeof found === "object" && isUntouched) await this.#database.durably(() => this.#earlier.found(thing, found));
    if (sent !== undefined) await this.#database.durably(() => this.#earlier.sending(thing, sent));
  }

  async namesPart(title: string): Promise<boolean> {
    return this.#partPages.has(title);
  }

  async takeMap(things: Iterable<{ readonly key: Key; readonly id: string }>): Promise<void> {
    const rows = [...things];
    await this.#database.durably(() => {
      for (const { key, id } of rows) this.#mapped.put(key, id);
    });
  }

  async *mapped(): AsyncIterable<Key> {
    yield* this.#mapped.keys();
  }

  async uploadOf(kind: Kind, sha256: string): Promise<Written | undefined> {
    return this.#written.uploadOf(kind, sha256);
  }

  async repairable(): Promise<readonly Key[]> {
    return this.#operations.repairable();
  }

  async *waiting(): AsyncIterable<{ readonly item: Key; readonly key: Key }> {
    yield* this.#operations.waiting();
  }

  async failures(): Promise<readonly OperationState[]> {
    return this.#operations.open("failed");
  }

  async report(item: Key, issues: readonly Issue[], note?: Note): Promise<void> {
    const source = note ?? CHECKS;
    if (this.#notes.hasIssues(item, source, issues)) return;
    await this.#database.durably(() => this.#notes.replaceIssues(item, source, issues));
  }

  async forgetNotes(item: Key, kind: NoteKind | null = null): Promise<void> {
    if (!this.#notes.hasNotes(item, kind)) return;
    await this.#database.durably(() => this.#notes.forgetNotes(item, kind));
  }

  async *issues(item?: Key): AsyncIterable<Issue> {
    yield* this.#notes.issues(item);
  }

  async remember(name: string, value: string): Promise<void> {
    await this.#database.durably(() => this.#notes.remember(name, value));
  }

  async recall(name: string): Promise<string | undefined> {
    return this.#notes.recall(name);
  }

  /** Without steps, which have no address of their own. */
  async sample(count: number): Promise<readonly { readonly key: Key; readonly id: string }[]> {
    return this.#written.sample(count);
  }

  async counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }> {
    return this.#operations.count();
  }

  /** Inside a transaction. */
  #put(item: Key, things: readonly Written[]): void {
    for (const written of things) {
      this.#left.put(written);
      this.#written.put(item, written);
    }
  }

  async #keepFirst(item: Key, thing: string, found?: RemoteBody | FindRemoteBody, sent?: Body): Promise<void> {
    // An undo deletes an item that this run created together with its parts.
    if (this.#earlier.noted(item)?.how === "made") return;
    const remote = typeof found === "function" ? await found() : found;
    const written = this.#written.get(thing as Key) ?? null;
    // Without a remote state or a last write, an undo can't restore anything.
    if (remote === undefined && written === null) return;
    const before = { id: remote?.id ?? written?.id ?? null, body: remote?.body ?? this.#left.of(thing) ?? null };
    const earlier = { thing, item, ...before, written, theirs: remote !== undefined, sent: sent ?? null };
    const work = (): void => {
      this.#keepOrder(item, thing);
      this.#earlier.kept(earlier);
    };
    await this.#database.durably(this.#earlier.keeping(work));
  }

  /**
   * Inside a transaction. A changed step changes the order of steps, which belongs to its guide.
   */
  #keepOrder(item: Key, thing: string): void {
    if (!thing.startsWith("step/") || this.#earlier.noted(item) !== undefined) return;
    const guide = this.#written.get(item);
    if (guide !== undefined) this.#earlier.kept(this.#asKnown(item, guide));
  }

  #asKnown(item: Key, written: Written): PreImage {
    const { key, id } = written;
    return { thing: key, item, id, body: this.#left.of(key) ?? null, written, theirs: false, sent: null };
  }

  /**
   * Inside a transaction. A page with a new title is created again; its old address remains on the
   * site.
   */
  #making(item: Key, made: string): void {
    const written = this.#written.get(made as Key);
    this.#keepOrder(item, made);
    if (written === undefined) this.#earlier.made(item, made);
    else this.#earlier.kept(this.#asKnown(item, written));
  }
}

function outcomeOf({ written: [first], open }: Receipt): OperationOutcome {
  // After a deletion, "adopted" no longer applies.
  if (first?.adopted === true && first.facts["deleted"] !== true) return "adopted";
  return open === true ? "skipped" : "written";
}

/** Things that another workspace loaded into the target (`--map FILE`), in the table `mapped`. */
class MappedRows {
  readonly #database: Database;
  readonly #target: number;
  /** Most targets have none, and each reference asks. undefined: not known yet. */
  #hasRows: boolean | undefined;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. */
  put(key: Key, id: string): void {
    this.#hasRows = true;
    this.#database.run("INSERT OR REPLACE INTO mapped (target, key, kind, id) VALUES (:target, :key, :kind, :id)", {
      target: this.#target,
      key,
      kind: kindOf(key),
      id,
    });
  }

  idOf(key: Key): string | undefined {
    const first = "SELECT 1 AS found FROM mapped WHERE target = :target LIMIT 1";
    this.#hasRows ??= this.#database.get(first, { target: this.#target }) !== undefined;
    if (!this.#hasRows) return undefined;
    const sql = "SELECT id FROM mapped WHERE target = :target AND key = :key";
    return this.#database.get<{ readonly id: string }>(sql, { target: this.#target, key })?.id;
  }

  *keys(): IterableIterator<Key> {
    const sql = "SELECT key FROM mapped WHERE target = :target AND key > :key ORDER BY key";
    const rows = this.#database.pages<{ readonly key: Key }>(sql, { target: this.#target }, { key: "" });
    for (const { key } of rows) yield key;
  }

  keyOf(kind: Kind, id: string): Key | undefined {
    const sql = "SELECT key FROM mapped WHERE target = :target AND kind = :kind AND id = :id ORDER BY key LIMIT 1";
    return this.#database.get<{ readonly key: Key }>(sql, { target: this.#target, kind, id })?.key;
  }
}

/**
 * Titles of the ITEM pages of the parts and tools of written guides, in the table `part_page`. The
 * site creates an empty page for each one that does not exist (api-facts 4.1).
 */
class PartPages {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. Stores the names of a written guide, not those of a linked one. */
  take({ call }: Operation, { written: [first] }: Receipt): void {
    if (call.verb !== "save-guide" || first === undefined || first.adopted) return;
    const titles = new Set([...call.fields.parts, ...call.fields.tools].map(({ name }) => itemTitle(name)));
    for (const title of titles) {
      this.#database.run("INSERT OR IGNORE INTO part_page (target, title) VALUES (:target, :title)", {
        target: this.#target,
        title,
      });
    }
  }

  has(title: string): boolean {
    const sql = "SELECT 1 AS found FROM part_page WHERE target = :target AND title = :title";
    return this.#database.get(sql, { target: this.#target, title: itemTitle(title) }) !== undefined;
  }
}

/** The key or name of the thing that a call creates; undefined: nothing that can be deleted. */
function madeBy(call: Call): string | undefined {
  return factsOf(call).undo?.(call) ?? resultOf(call);
}
