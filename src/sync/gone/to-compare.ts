import type { Key } from "../../core/model/key.js";
import type { Checked } from "../check.js";
import type { LoadJob } from "../load-job.js";
import { standing } from "./sweep.js";

/** What is read back and compared. */
export interface ToCompare {
  readonly keys: readonly Key[];
  /** Items that are not, since the target's lists show that they are there; null: all are compared. */
  readonly listed: number | null;
}

/**
 * The items that a comparison reads: all, or those that changed and those that the target's lists lack. What is not listed is there all the same
 * where the site says so.
 */
export async function toCompare(
  job: LoadJob,
  { map }: Pick<Checked, "map">,
  changed: ReadonlySet<Key> | undefined,
): Promise<ToCompare> {
  const all = [...map.categories, ...map.wikis, ...map.guides];
  if (changed === undefined) return { keys: all, listed: null };
  const others = (keys: readonly Key[]): readonly Key[] => keys.filter((key) => !changed.has(key));
  const rest = { ...map, categories: others(map.categories), wikis: others(map.wikis), guides: others(map.guides) };
  const ours = await standing(job, { map: rest });
  const there = new Set([...ours.values()].map(({ item }) => item));
  const things = [...ours.values()].map(({ written }) => written);
  for await (const key of job.target.absent(things, job.control.abort)) {
    const item = ours.get(key)?.item;
    if (item !== undefined) there.delete(item);
  }
  return { keys: all.filter((key) => !there.has(key)), listed: there.size };
}
