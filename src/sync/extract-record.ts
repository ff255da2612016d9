import type { Listed } from "../core/contracts.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { ItemEntry } from "../storage/workspace/item-index.js";
import { endsRun, reasonOf } from "./extract-errors.js";
import type { ExtractRun } from "./extract-run.js";
import { readStored } from "./extract-stored.js";
import { remedyAt } from "./remedies.js";

/** Asks for an answer that is kept as it came; undefined when it failed, which is written down. */
export async function readRecord(run: ExtractRun, key: Key): Promise<Item | undefined> {
  const { source, control, workspace, counters } = run;
  try {
    const item = await source.read(key, control.abort);
    workspace.failures.clear("extract", key);
    return item;
  } catch (error) {
    if (endsRun(error, control)) throw error;
    counters.kinds.record.failed += 1;
    workspace.failures.add("extract", key, reasonOf(error), remedyAt("source", error));
    control.brake.failure(error);
    return undefined;
  }
}

/**
 * Stores an answer. One that is there as it is keeps its file and is only younger; one that is refused now keeps what was answered
 * before, and its age.
 *
 * `listed`: of a record that is read when its token changes; that of others is the token of their answer.
 */
export async function storeRecord(run: ExtractRun, item: Item, listed?: Pick<Listed, "revision">): Promise<void> {
  const { items } = run.workspace;
  const { record } = run.counters.kinds;
  const entry = items.entry(item.key);
  const revision = listed?.revision ?? item.revision;
  if (isRefusal(item) && listed === undefined) run.counters.refused.set(item.key, statusOf(item));
  const kept = await keptCopy(run, item, entry, listed);
  if (kept === undefined) {
    const { readAt } = await items.put(item);
    if (listed !== undefined) items.compared(item.key, { revision, readAt });
    record.read += 1;
    return;
  }
  record.unchanged += 1;
  items.compared(item.key, {
    revision: kept.isRefused ? (listed?.revision ?? kept.revision) : revision,
    readAt: kept.readAt,
  });
}

interface Kept {
  /** The token that the stored answer has. */
  readonly revision: string;
  readonly readAt: number;
  readonly isRefused: boolean;
}

/** The stored copy, if it stays; undefined: the answer is another. */
async function keptCopy(
  { workspace }: ExtractRun,
  item: Item,
  entry: ItemEntry | undefined,
  listed: Pick<Listed, "revision"> | undefined,
): Promise<Kept | undefined> {
  if (entry === undefined) return undefined;
  // Of a record without a token of its own the entry says it, without a look into the file.
  const isAsStored = listed === undefined && entry.revision === item.revision && entry.revision !== "";
  const stored = isAsStored ? item : await readStored(workspace.items, item.key);
  if (stored === undefined) return undefined;
  if (stored.revision === item.revision) return { revision: item.revision, readAt: readAtOf(item), isRefused: false };
  if (!isRefusal(item) || isRefusal(stored)) return undefined;
  return { revision: stored.revision, readAt: entry.readAt, isRefused: true };
}

/** Was it refused? */
export function isRefusal(item: Item): boolean {
  return statusOf(item) !== 200;
}

export function statusOf(item: Item): number {
  return item.kind === "record" ? item.body.status : 200;
}

function readAtOf(item: Item): number {
  return item.kind === "record" ? item.body.readAt : 0;
}
