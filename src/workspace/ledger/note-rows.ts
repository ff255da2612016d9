import type { Issue } from "../../model/issue.js";
import type { Key } from "../../model/key.js";
import type { Database } from "../sqlite.js";

interface IssueRow {
  readonly item: Key;
  readonly position: number;
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

  replaceIssues(item: Key, issues: readonly Issue[]): void {
    const target = this.#target;
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM issue WHERE target = :target AND item = :item", { target, item });
      for (const [position, issue] of issues.entries()) {
        this.#database.run(
          "INSERT INTO issue (target, item, position, level, body) VALUES (:target, :item, :position, :level, :body)",
          { target, item, position, level: issue.level, body: JSON.stringify(issue) },
        );
      }
    });
  }

  /** By item and in their order, in pages. */
  *issues(item?: Key): IterableIterator<Issue> {
    let after: Pick<IssueRow, "item" | "position"> | undefined;
    for (;;) {
      const page: readonly IssueRow[] = this.#database.all<IssueRow>(
        `SELECT item, position, body FROM issue WHERE target = :target AND (item, position) > (:item, :position)
         AND (:only IS NULL OR item = :only) ORDER BY item, position LIMIT ${PAGE}`,
        { target: this.#target, item: after?.item ?? item ?? "", position: after?.position ?? -1, only: item ?? null },
      );
      for (const row of page) yield JSON.parse(row.body);
      after = page.at(-1);
      if (after === undefined || page.length < PAGE) return;
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
