import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Operation, OperationOutcome, OperationState } from "../../core/writing.js";
import type { Database, Value } from "../sqlite.js";

interface OperationRow extends Omit<OperationState, "missing" | "mark"> {
  readonly mark: string | null;
}

interface MissingRow {
  readonly operation: string;
  readonly key: Key;
}

const PUT = `INSERT INTO operation (target, id, item, kind, label, hash, state, outcome, mark, error, finished)
  VALUES (:target, :id, :item, :kind, :label, :hash, :state, :outcome, :mark, :error, :finished)
  ON CONFLICT (target, id) DO UPDATE SET label = :label, hash = :hash, state = :state, outcome = :outcome, mark = :mark,`;

/** The operations of one target, in the tables `operation` and `missing`. */
export class OperationRows {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Keeps the error of an earlier failure and the missing keys until the operation is done. */
  begin(operation: Operation, mark: JsonObject | null): void {
    const kept = mark === null ? null : JSON.stringify(mark);
    const values = { state: "begun", outcome: null, mark: kept, error: null, finished: null };
    this.#put("error = coalesce(:error, error), finished = :finished", operation, values);
  }

  /** Inside a transaction. */
  done(operation: Operation, outcome: OperationOutcome, missing: readonly Key[]): void {
    const values = { state: "done", outcome, mark: null, error: null, finished: Date.now() };
    this.#put("error = :error, finished = :finished", operation, values);
    this.#forgetMissing(operation.id);
    for (const key of missing) {
      this.#database.run("INSERT OR IGNORE INTO missing (target, operation, key) VALUES (:target, :operation, :key)", {
        target: this.#target,
        operation: operation.id,
        key,
      });
    }
  }

  failed(operation: Operation, reason: string): void {
    const values = { state: "failed", outcome: null, mark: null, error: reason, finished: Date.now() };
    this.#put("error = :error, finished = :finished", operation, values);
  }

  /** Inside a transaction. */
  close(id: string): void {
    this.#database.run(
      `UPDATE operation SET state = 'done', outcome = 'closed', mark = NULL, error = NULL, finished = :now
       WHERE target = :target AND id = :id`,
      { target: this.#target, id, now: Date.now() },
    );
    this.#forgetMissing(id);
  }

  /** Inside a transaction. After an undo: the next load performs it again. */
  undo(id: string): void {
    this.#database.run(
      "UPDATE operation SET state = 'done', outcome = 'undone', mark = NULL, error = NULL WHERE target = :target AND id = :id",
      { target: this.#target, id },
    );
    this.#forgetMissing(id);
  }

  /** Inside a transaction. Removes every trace of the operation. */
  forget(id: string): void {
    this.#database.run("DELETE FROM operation WHERE target = :target AND id = :id", { target: this.#target, id });
    this.#forgetMissing(id);
  }

  ofItem(item: Key): readonly OperationState[] {
    return this.#states("o.item = :item", { item });
  }

  outcome(id: string): OperationOutcome | null {
    const sql = "SELECT outcome FROM operation WHERE target = :target AND id = :id";
    const row = this.#database.get<{ readonly outcome: OperationOutcome | null }>(sql, { target: this.#target, id });
    return row?.outcome ?? null;
  }

  /** In the order in which they were first started. */
  open(state: "begun" | "failed"): readonly OperationState[] {
    // The first condition is that of the partial index; without it SQLite does not use the index.
    return this.#states("o.state <> 'done' AND o.state = :state", { state });
  }

  /** In the order in which their operations were first started. Few operations miss keys. */
  repairable(): readonly Key[] {
    return this.#database
      .all<{ readonly item: Key }>(
        `SELECT o.item FROM missing AS m CROSS JOIN operation AS o ON o.target = m.target AND o.id = m.operation
         WHERE m.target = :target AND o.state = 'done' AND (
           EXISTS (SELECT 1 FROM written AS w WHERE w.target = m.target AND w.key = m.key) OR
           EXISTS (SELECT 1 FROM mapped AS e WHERE e.target = m.target AND e.key = m.key))
         GROUP BY o.item ORDER BY min(o.rowid)`,
        { target: this.#target },
      )
      .map(({ item }) => item);
  }

  /** Is a create of this kind in progress, or was it when a run was killed? */
  isBegun(kind: Kind): boolean {
    const sql =
      "SELECT 1 AS found FROM operation WHERE target = :target AND kind = :kind AND state <> 'done' AND state = 'begun' LIMIT 1";
    return this.#database.get(sql, { target: this.#target, kind }) !== undefined;
  }

  /** In the order of items. */
  waiting(): IterableIterator<{ readonly item: Key; readonly key: Key }> {
    const sql = `SELECT DISTINCT o.item, m.key FROM missing AS m JOIN operation AS o ON o.target = m.target AND o.id = m.operation
      WHERE m.target = :target AND o.state = 'done' AND (o.item, m.key) > (:item, :key) ORDER BY o.item, m.key`;
    return this.#database.pages(sql, { target: this.#target }, { item: "", key: "" });
  }

  count(): { readonly begun: number; readonly done: number; readonly failed: number } {
    const rows = this.#database.all<{ readonly state: OperationState["state"]; readonly count: number }>(
      "SELECT state, count(*) AS count FROM operation WHERE target = :target GROUP BY state",
      { target: this.#target },
    );
    return { begun: 0, done: 0, failed: 0, ...Object.fromEntries(rows.map((row) => [row.state, row.count])) };
  }

  #forgetMissing(operation: string): void {
    const sql = "DELETE FROM missing WHERE target = :target AND operation = :operation";
    this.#database.run(sql, { target: this.#target, operation });
  }

  /** `where`: a condition on the operation `o`. Few operations miss keys. */
  #states(where: string, given: Readonly<Record<string, Value>>): readonly OperationState[] {
    const values = { ...given, target: this.#target };
    const rows = this.#database.all<OperationRow>(
      `SELECT id, item, label, state, outcome, hash, mark, error FROM operation AS o WHERE o.target = :target AND ${where} ORDER BY o.rowid`,
      values,
    );
    if (rows.length === 0) return [];
    const missing = new Map<string, Key[]>();
    const keys = this.#database.all<MissingRow>(
      `SELECT m.operation, m.key FROM operation AS o CROSS JOIN missing AS m ON m.target = o.target AND m.operation = o.id
       WHERE o.target = :target AND ${where} ORDER BY m.key`,
      values,
    );
    for (const { operation, key } of keys) missing.set(operation, [...(missing.get(operation) ?? []), key]);
    return rows.map((row) => ({
      ...row,
      missing: missing.get(row.id) ?? [],
      mark: row.mark === null ? null : JSON.parse(row.mark),
    }));
  }

  /** SQLite writes the index of a column that is set, also when its value stays. */
  #put(ends: string, operation: Operation, changes: Readonly<Record<string, Value>>): void {
    const { id, item, label, hash } = operation;
    const values = { target: this.#target, id, item, kind: kindOf(item), label, hash, ...changes };
    if (this.#database.run(`${PUT} ${ends} WHERE item = :item`, values) > 0) return;
    this.#database.run(`${PUT} item = :item, kind = :kind, ${ends}`, values);
  }
}
