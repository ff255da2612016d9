import type { Key, Kind } from "../../core/model/key.js";
import type { Database } from "../workspace/sqlite.js";

/** One thing that a ledger wrote or adopted, with what the workspace knows of it. */
export interface WrittenThing {
  readonly key: Key;
  /** The id at the target; a wiki's is its title there, see `titleAtTarget`. */
  readonly id: string;
  readonly adopted: boolean;
  /** At the source; null: the workspace has no such item, as with steps. */
  readonly title: string | null;
  /** The item that it belongs to: a step's guide; for everything else the key itself. */
  readonly item: Key;
  /** The id that this item has at the target; null: none. */
  readonly itemId: string | null;
}

interface Row extends Omit<WrittenThing, "adopted"> {
  readonly adopted: number;
}

const PAGE = 500;

/** What stands at a target of a kind, by key: whatever is written meanwhile, what is there all the time comes exactly once. */
export function* listWritten(database: Database, target: number, kind: Kind): IterableIterator<WrittenThing> {
  let after = `${kind}/`;
  for (;;) {
    const page = database.all<Row>(
      `SELECT thing.key, thing.id, thing.adopted, item.title, thing.item, owner.id AS itemId
       FROM written AS thing LEFT JOIN item ON item.key = thing.key
       LEFT JOIN written AS owner ON owner.target = thing.target AND owner.key = thing.item
       WHERE thing.target = :target AND thing.key > :after AND thing.key < :end ORDER BY thing.key LIMIT ${PAGE}`,
      // "0" follows "/": every key of the kind, and no other, lies between.
      { target, after, end: `${kind}0` },
    );
    for (const { adopted, ...row } of page) yield { ...row, adopted: adopted === 1 };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}
