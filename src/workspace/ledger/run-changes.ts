import { type Key, type Kind, kindOf } from "../../model/key.js";
import type { Database } from "../sqlite.js";

/** What a run did with the items of one kind at a target. */
export interface RunChanges {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

interface Row {
  readonly item: Key;
  readonly made: number;
  readonly deleted: number;
}

const NOTHING: RunChanges = { created: 0, updated: 0, deleted: 0 };

/** By the kind of the item, from what the run kept before it changed something; kinds of which it changed nothing are absent. */
export function changesOf(
  database: Database,
  target: number,
  run: string,
): Readonly<Partial<Record<Kind, RunChanges>>> {
  const rows = database.all<Row>(
    `SELECT item, max(thing = item AND id IS NULL AND written IS NULL) AS made,
       max(thing = item AND sent IS NOT NULL AND json_extract(sent, '$.deleted') IS 1) AS deleted
     FROM earlier WHERE target = :target AND run = :run GROUP BY item`,
    { target, run },
  );
  const changes: Partial<Record<Kind, RunChanges>> = {};
  for (const { item, made, deleted } of rows) {
    const before = changes[kindOf(item)] ?? NOTHING;
    const what = deleted === 1 ? "deleted" : made === 1 ? "created" : "updated";
    changes[kindOf(item)] = { ...before, [what]: before[what] + 1 };
  }
  return changes;
}
