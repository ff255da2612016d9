import type { Body, Ledger, Loaded, Operation, OperationState, Receipt, Standing, Written } from "../../contracts.js";
import type { Issue } from "../../model/issue.js";
import type { Key, Kind } from "../../model/key.js";
import type { Database } from "../sqlite.js";
import { EarlierRows } from "./earlier-rows.js";
import { madeBy } from "./made-by.js";
import { NoteRows } from "./note-rows.js";
import { OperationRows } from "./operation-rows.js";
import { WrittenRows } from "./written-rows.js";

/** The ledger of one target in a workspace's `state.sqlite`; every method has finished its work when it returns a promise. */
export class WorkspaceLedger implements Ledger {
  readonly #database: Database;
  readonly #operations: OperationRows;
  readonly #written: WrittenRows;
  readonly #notes: NoteRows;
  readonly #earlier: EarlierRows;

  /** `target`: the number of its row; `run`: the run that writes, undefined where none was started. */
  constructor(database: Database, target: number, run: () => string | undefined) {
    this.#database = database;
    this.#operations = new OperationRows(database, target);
    this.#written = new WrittenRows(database, target);
    this.#notes = new NoteRows(database, target);
    this.#earlier = new EarlierRows(database, target, run);
  }

  async begin(operation: Operation, mark: Readonly<Record<string, unknown>> | null): Promise<void> {
    const made = mark === null ? undefined : madeBy(operation.call);
    this.#database.transaction(() => {
      this.#operations.begin(operation, mark);
      if (made !== undefined && this.#written.get(made) === undefined) this.#earlier.made(operation.item, made);
    });
  }

  /**
   * The operation, its issues and all that it left are noted in one transaction. What has `facts.deleted` of `true` is forgotten. Throws
   * WorkspaceError, and notes nothing, when two keys would stand for one thing at the target.
   */
  async done(operation: Operation, receipt: Receipt): Promise<void> {
    this.#database.transaction(() => {
      for (const written of receipt.written) {
        this.#earlier.left(written, this.#written.get(written.key)?.left ?? null);
        this.#written.put(operation.item, written);
      }
      this.#operations.done(operation, receipt.missing);
      this.#notes.replaceIssues(operation.item, operation.id, receipt.issues);
    });
  }

  /**
   * For a write that surely did nothing: refused, never sent, or looked for in vain. It forgets the mark, so that the next try does
   * not search for its work. Where the answer was lost, call nothing: the operation stays `begun`, and `find` decides.
   */
  async failed(operation: Operation, reason: string): Promise<void> {
    this.#operations.failed(operation, reason);
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

  async idOf(key: Key): Promise<string | undefined> {
    return this.#written.idOf(key);
  }

  async keyOf(kind: Kind, id: string): Promise<Key | undefined> {
    return this.#written.keyOf(kind, id);
  }

  async written(key: Key): Promise<Written | undefined> {
    return this.#written.get(key);
  }

  async left(key: Key): Promise<Body | undefined> {
    return this.#earlier.bodyOf(key);
  }

  async keep(item: Key, thing: string, found?: Standing): Promise<void> {
    this.#database.transaction(() => this.#earlier.keep(item, thing, this.#written.get(thing as Key), found));
  }

  async uploadOf(kind: Kind, sha256: string): Promise<Written | undefined> {
    return this.#written.uploadOf(kind, sha256);
  }

  async repairable(): Promise<readonly Key[]> {
    return this.#operations.repairable();
  }

  async failures(): Promise<readonly OperationState[]> {
    return this.#operations.open("failed");
  }

  async report(item: Key, issues: readonly Issue[]): Promise<void> {
    this.#database.transaction(() => this.#notes.replaceIssues(item, "", issues));
  }

  async *issues(item?: Key): AsyncIterable<Issue> {
    yield* this.#notes.issues(item);
  }

  async remember(name: string, value: string): Promise<void> {
    this.#notes.remember(name, value);
  }

  async recall(name: string): Promise<string | undefined> {
    return this.#notes.recall(name);
  }

  /** Steps are left out: they have no address of their own. */
  async sample(count: number): Promise<readonly { readonly key: Key; readonly id: string }[]> {
    return this.#written.sample(count);
  }

  async counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }> {
    return this.#operations.count();
  }
}
