import type { Body } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { Database } from "../workspace/sqlite.js";

/** A thing of ours as the last write left it. */
export interface TextThere {
  readonly key: Key;
  /** The item that it belongs to: a step's guide; for everything else the key itself. */
  readonly item: Key;
  readonly body: Body;
}

/** A translation that refers to something without an id: what it says there is not kept, only that it does. */
export interface TranslationThere {
  readonly item: Key;
  readonly key: Key;
}

const PAGE = 200;

/** The things of a target whose bodies hold one of some words, whatever their letter case, by key. What is only linked to is none of ours. */
export function* textsWith(database: Database, target: number, words: readonly string[]): IterableIterator<TextThere> {
  if (words.length === 0) return;
  const names = words.map((_, index) => `instr(lower(l.body), :word${index}) > 0`);
  const values = Object.fromEntries(words.map((word, index) => [`word${index}`, word.toLowerCase()]));
  const sql = `SELECT l.key, w.item, l.body FROM left_body AS l JOIN written AS w ON w.target = l.target AND w.key = l.key
    WHERE l.target = :target AND l.key > :after AND w.adopted = 0 AND (${names.join(" OR ")}) ORDER BY l.key LIMIT ${PAGE}`;
  for (let after = ""; ; ) {
    const page = database.all<{ readonly key: Key; readonly item: Key; readonly body: string }>(sql, {
      ...values,
      target,
      after,
    });
    for (const { body, ...row } of page) yield { ...row, body: JSON.parse(body) as Body };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}

/** Translations of guides and pages that refer to what has no id, with it. */
export function translationsWaiting(database: Database, target: number): readonly TranslationThere[] {
  return database
    .all<TranslationThere>(
      `SELECT DISTINCT o.item, m.key FROM missing AS m JOIN operation AS o ON o.target = m.target AND o.id = m.operation
       WHERE m.target = :target AND o.state = 'done' AND (o.item GLOB 'guide/*@*' OR o.id GLOB '*/translation/*') ORDER BY o.item, m.key`,
      { target },
    )
    .map((row) => ({ ...row }));
}
