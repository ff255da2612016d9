import type { Issue } from "../../core/model/issue.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { Database } from "../sqlite.js";

interface Place {
  readonly item: string;
  readonly operation: string;
  readonly position: number;
}

interface IssueRow extends Place {
  readonly body: string;
}

const PAGE = 500;

/** Issues and memos of one target. */
export class NoteRows {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /**
   * `operation`: the id of the one that left them; empty for those of the checks before any write.
   */
  replaceIssues(item: Key, operation: string, issues: readonly Issue[]): void {
    const scope = { target: this.#target, item, operation };
    this.#database.run("DELETE FROM issue WHERE target = :target AND item = :item AND operation = :operation", scope);
    for (const [position, issue] of issues.entries()) {
      this.#database.run(
        "INSERT INTO issue (target, item, operation, position, level, body) VALUES (:target, :item, :operation, :position, :level, :body)",
        { ...scope, position, level: issue.level, body: JSON.stringify(issue) },
      );
    }
  }

  /** Are these the ones that stand there? */
  hasIssues(item: Key, operation: string, issues: readonly Issue[]): boolean {
    const sql =
      "SELECT body FROM issue WHERE target = :target AND item = :item AND operation = :operation ORDER BY position";
    const rows = this.#database.all<{ readonly body: string }>(sql, { target: this.#target, item, operation });
    return rows.length === issues.length && rows.every(({ body }, at) => body === JSON.stringify(issues[at]));
  }

  /** By item, operation and in their order, in pages. */
  *issues(item?: Key): IterableIterator<Issue> {
    let after: Place = { item: item ?? "", operation: "", position: -1 };
    for (;;) {
      const page: readonly IssueRow[] = this.#database.all<IssueRow>(
        `SELECT item, operation, position, body FROM issue
         WHERE target = :target AND (item, operation, position) > (:item, :operation, :position)
         AND (:only IS NULL OR item = :only) ORDER BY item, operation, position LIMIT ${PAGE}`,
        { target: this.#target, ...after, only: item ?? null },
      );
      for (const row of page) yield JSON.parse(row.body);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = { item: last.item, operation: last.operation, position: last.position };
    }
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

/** How many issues of one code the loss ledger has on items of one kind. */
export interface LossCount {
  readonly kind: Kind;
  readonly code: string;
  readonly level: Issue["level"];
  readonly count: number;
}

/**
 * The most frequent first; what keeps a whole item away is none of them. Reads the whole loss
 * ledger of the target: 100,000 issues take about a tenth of a second.
 */
export function countLosses(database: Database, target: number): readonly LossCount[] {
  return database
    .all<LossCount>(
      `SELECT substr(item, 1, instr(item, '/') - 1) AS kind, json_extract(body, '$.code') AS code, level, count(*) AS count
       FROM issue WHERE target = :target AND json_type(body, '$.takenInBy') IS NULL
       GROUP BY 1, 2, 3 ORDER BY count DESC, kind, code`,
      { target },
    )
    .map((row) => ({ ...row }));
}
