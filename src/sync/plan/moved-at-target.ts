import type { Body } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import type { PlannedPlace } from "../planned-item.js";
import type { Comparison } from "./comparison.js";
import { isOurDoing } from "./our-doing.js";
import type { Moved } from "./source-state.js";

/** What stands otherwise at the target than when the plan was made, unless the plan's own stopped run did that. */
export async function* movedAtTarget({ job, plan, notes, isBegun }: Comparison): AsyncGenerator<Moved> {
  for (const { title, action, ...place } of notes.places()) {
    const token = await plan.tokenOf(place.key, place.id);
    if (token === place.token) continue;
    const isDeleted = action === "delete" && token === null;
    if (isBegun && (isDeleted || (await isOurs({ job, plan }, place)))) continue;
    yield { key: place.key, title, how: howItMoved(place, token) };
  }
}

function howItMoved({ id, token }: PlannedPlace, now: string | null): string {
  if (token === null) return `is there now, as ${id}`;
  return now === null ? `was deleted (it was ${id})` : `changed (it is ${id} there)`;
}

async function isOurs({ job, plan }: Pick<Comparison, "job" | "plan">, { key, id }: PlannedPlace): Promise<boolean> {
  const loaded = await job.ledger.loaded(key);
  const left = async (thing: Key): Promise<Body | undefined> => job.ledger.left(thing);
  const present = await plan.present(key, id);
  return isOurDoing({ item: key, loaded, present, left, wanted: (thing) => plan.wantedOf(thing) });
}
