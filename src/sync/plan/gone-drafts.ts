import type { Key } from "../../core/model/key.js";
import type { GoneItem } from "../gone/gone-items.js";
import { plannedGone } from "../gone/planned-gone.js";
import type { LoadJob } from "../load-job.js";
import type { PlannedPlace } from "../planned-item.js";
import { type Draft, newDraft } from "./draft.js";
import type { TargetLook } from "./target-look.js";

const EDITED = "somebody edited it there since we last wrote it";

/** What becomes of something that is gone at the source: it is deleted, or stays, and why. */
export async function goneDraft(job: LoadJob, look: TargetLook, item: GoneItem): Promise<Draft> {
  const places: PlannedPlace[] = [];
  const edited: Key[] = [];
  for (const { key } of item.stays === null ? item.written : []) {
    const one = newDraft(key, item.title, null);
    one.action = "delete";
    await look.at(one, await job.ledger.loaded(key));
    places.push(...one.places);
    edited.push(...one.edited);
  }
  const [planned] = plannedGone([edited.length === 0 ? item : { ...item, stays: EDITED }], new Map());
  return Object.assign(newDraft(item.key, item.title, null), planned, { places, edited });
}
