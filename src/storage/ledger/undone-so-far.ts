import type { Kind } from "../../core/model/key.js";
import type { Database } from "../workspace/sqlite.js";

/** How many items of a kind an undo took away, put back or brought back, and how many still stand in whole or in part as the run left them. */
export type UndoneCounts = Readonly<Partial<Record<"deleted" | "updated" | "created" | "waiting", number>>>;

/** What of a run is undone by now, by the kind of the item; all that is known of an undo that was killed. */
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
