import type { Issue } from "../../core/model/issue.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { NoteKind } from "../../core/writing.js";
import type { Database } from "../sqlite.js";

/** The origin of issues: the checks before any write, an operation, or a note. */
interface IssueSource {
  readonly kind: "checks" | "operation" | NoteKind;
  /** The id of the operation, or the subject of the note; empty for the checks. */
  readonly of: string;
}

export const CHECKS: IssueSource = { kind: "checks", of: "" };

interface IssueRow {
  readonly source: string;
  readonly about: string;
  readonly position: number;
  readonly body: string;
}

const SCOPE = "target = :target AND item = :item AND source = :source AND about = :about";
const NOTES = `target = :target AND item = :item AND source NOT IN ('checks', 'operation')
  AND (:kind IS NULL OR source = :kind)`;

export class NoteRows {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. */
  replaceIssues(item: Key, { kind, of }: IssueSource, issues: readonly Issue[]): void {
    const scope = { target: this.#target, item, source: kind, about: of };
    this.#database.run(`DELETE FROM issue WHERE ${SCOPE}`, scope);
    for (const [position, issue] of issues.entries()) {
      this.#database.run(
        `INSERT INTO issue (target, item, source, about, position, level, body)
         VALUES (:target, :item, :source, :about, :position, :level, :body)`,
        { ...scope, position, level: issue.level, body: JSON.stringify(issue) },
      );
    }
  }

  hasIssues(item: Key, { kind, of }: IssueSource, issues: readonly Issue[]): boolean {
    const scope = { target: this.#target, item, source: kind, about: of };
    const sql = `SELECT body FROM issue WHERE ${SCOPE} ORDER BY position`;
    const rows = this.#database.all<{ readonly body: string }>(sql, scope);
    return rows.length === issues.length && rows.every(({ body }, at) => body === JSON.stringify(issues[at]));
  }

  /** Inside a transaction. Removes the issues of an operation. */
  forgetOperation(id: string): void {
    this.#database.run(
      `DELETE FROM issue WHERE target = :target AND source = 'operation' AND about = :id
       AND item = (SELECT item FROM operation WHERE target = :target AND id = :id)`,
      { target: this.#target, id },
    );
  }

  hasNotes(item: Key, kind: NoteKind | null): boolean {
    const sql = `SELECT 1 AS found FROM issue WHERE ${NOTES} LIMIT 1`;
    return this.#database.get(sql, { target: this.#target, item, kind }) !== undefined;
  }

  /** Inside a transaction. `kind`: null for all kinds. */
  forgetNotes(item: Key, kind: NoteKind | null): void {
    this.#database.run(`DELETE FROM issue WHERE ${NOTES}`, { target: this.#target, item, kind });
  }

  /** By item, in pages; the issues of its checks come first. */
  *issues(item?: Key): IterableIterator<Issue> {
    const start = { source: "", about: "", position: -1 };
    // A query for both cases would read all rows that follow those of the item.
    const rows =
      item === undefined
        ? this.#database.pages<IssueRow>(
            `SELECT item, source, about, position, body FROM issue
             WHERE target = :target AND (item, source, about, position) > (:item, :source, :about, :position)
             ORDER BY item, source, about, position`,
            { target: this.#target },
            { item: "", ...start },
          )
        : this.#database.pages<IssueRow>(
            `SELECT source, about, position, body FROM issue
             WHERE target = :target AND item = :item AND (source, about, position) > (:source, :about, :position)
             ORDER BY source, about, position`,
            { target: this.#target, item },
            start,
          );
    for (const { body } of rows) yield JSON.parse(body);
  }

  remember(name: string, value: string): void {
    const sql = "INSERT OR REPLACE INTO memo (target, name, value) VALUES (:target, :name, :value)";
    this.#database.run(sql, { target: this.#target, name, value });
  }

  recall(name: string): string | undefined {
    const sql = "SELECT value FROM memo WHERE target = :target AND name = :name";
    return this.#database.get<{ readonly value: string }>(sql, { target: this.#target, name })?.value;
  }
}

/** The number of issues in the loss ledger with one code, for items of one kind. */
export interface LossCount {
  readonly kind: Kind;
  readonly code: string;
  readonly level: Issue["level"];
  readonly count: number;
  /** Of one of them. */
  readonly message: string;
}

/**
 * The most frequent first, without issues that leave out a whole item. Reads the whole loss ledger
 * of the target: about 0.1 s for 100,000 issues.
 */
export function countLosses(database: Database, target: number): readonly LossCount[] {
  return database
    .all<LossCount>(
      `SELECT substr(item, 1, instr(item, '/') - 1) AS kind, json_extract(body, '$.code') AS code, level, count(*) AS count,
       min(json_extract(body, '$.message')) AS message FROM issue WHERE target = :target AND json_type(body, '$.takenInBy') IS NULL
       GROUP BY 1, 2, 3 ORDER BY count DESC, kind, code`,
      { target },
    )
    .map((row) => ({ ...row }));
}
