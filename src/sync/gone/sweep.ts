import type { Written } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Checked } from "../check.js";
import type { LoadJob } from "../load-job.js";
import { type GoneItem, goneItems } from "./gone-items.js";

/** A guide or page that is to be at the target and was deleted there. */
export interface Deleted {
  readonly key: Key;
  /** The item that it is made of: its own key, or that of the item which a transform made it of. */
  readonly item: Key;
}

/** What of this ledger's things is not at both ends any more. */
export interface Swept {
  /** Gone at the source, and still at the target. */
  readonly gone: readonly GoneItem[];
  /** Gone at both. */
  readonly forgotten: readonly GoneItem[];
  /** To be at the target, and deleted there. */
  readonly deleted: readonly Deleted[];
}

/** Compares what earlier runs left at the target with what the workspace and the target's own lists have. Reads only. */
export async function sweep(job: LoadJob, checked: Pick<Checked, "map">): Promise<Swept> {
  if (job.options.home === true) return { gone: [], forgotten: [], deleted: [] };
  const items = await goneItems(job);
  const ours = await standing(job, checked);
  const things = [...items.flatMap(({ written }) => written), ...[...ours.values()].map(({ written }) => written)];
  const absent = new Set<Key>();
  for await (const key of job.target.absent(things, job.control.abort)) absent.add(key);
  const isThere = ({ written }: GoneItem): boolean => written.some(({ key }) => !absent.has(key));
  return {
    gone: items.filter(isThere),
    forgotten: items.filter((item) => !isThere(item)),
    deleted: [...ours].flatMap(([key, { item }]) => (absent.has(key) ? [{ key, item }] : [])),
  };
}

export interface Ours {
  readonly item: Key;
  readonly written: Written;
}

/** By its key: what this load would leave at the target as it is, or change there. */
export async function standing(job: LoadJob, { map }: Pick<Checked, "map">): Promise<ReadonlyMap<Key, Ours>> {
  const ours = new Map<Key, Ours>();
  for (const item of [...map.categories, ...map.wikis, ...map.guides]) {
    for (const key of new Set([item, ...piecesOf(job, item)])) {
      const written = await job.ledger.written(key);
      if (written !== undefined) ours.set(key, { item, written });
    }
  }
  return ours;
}

function piecesOf({ outlook }: LoadJob, item: Key): readonly Key[] {
  return (outlook.keys.get(item) ?? []).filter((key) => kindOf(key) !== "step");
}
