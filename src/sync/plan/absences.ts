import type { Loaded } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { Checked } from "../check.js";
import { deletionId } from "../gone/deletion-of.js";
import type { Swept } from "../gone/sweep.js";
import type { LoadJob } from "../load-job.js";
import { keysOf } from "../outlook.js";
import { prepare } from "../prepare.js";

/** What a load makes anew, deletes, and has back, as far as other items have to know it. */
export interface Absences {
  /** Guides and pages that somebody deleted at the target, with the id that each had there. */
  readonly anew: ReadonlyMap<Key, string>;
  /** What changes for those who refer to it when everything else is done: it is deleted, or we deleted it once and it is there again. Steps included. */
  readonly turned: ReadonlySet<Key>;
}

export async function absencesOf(job: LoadJob, checked: Checked, { gone, deleted }: Swept): Promise<Absences> {
  const anew = new Map<Key, string>();
  for (const { key } of deleted) anew.set(key, (await job.ledger.written(key))?.id ?? key);
  const turned = new Set<Key>(await returnedKeys(job, checked));
  for (const { written } of gone.filter(({ stays }) => stays === null)) {
    for (const { key } of written) for (const each of (await job.ledger.loaded(key)).written.keys()) turned.add(each);
  }
  return { anew, turned };
}

async function returnedKeys(job: LoadJob, { map, fit }: Checked): Promise<readonly Key[]> {
  const returned: Key[] = [];
  for (const key of [...map.categories, ...map.wikis, ...map.guides]) {
    if ((await job.ledger.written(key)) !== undefined || !wasDeleted(await job.ledger.loaded(key), key)) continue;
    const item = await job.workspace.items.get(key);
    const prepared = item === undefined ? [] : prepare(item, job.transforms, fit);
    returned.push(...keysOf(prepared.map((one) => one.item)));
  }
  return returned;
}

function wasDeleted({ operations }: Loaded, key: Key): boolean {
  const state = operations.get(deletionId(key));
  return state?.state === "done" && state.hash.startsWith("deleted ");
}
