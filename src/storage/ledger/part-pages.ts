import type { Operation, Receipt } from "../../core/contracts.js";
import { itemTitle } from "../../core/model/guide.js";
import type { Database } from "../workspace/sqlite.js";

/**
 * Titles of the ITEM pages that guides written here name as parts and tools, in the table `part_page`: the site made an empty page for each
 * that was missing (api-facts 4.1).
 */
export class PartPages {
  readonly #database: Database;
  readonly #target: number;

  constructor(database: Database, target: number) {
    this.#database = database;
    this.#target = target;
  }

  /** Inside a transaction. Takes the names of a guide that was written; one that is only linked to was not. */
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
