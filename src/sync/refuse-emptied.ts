import { BrakeError } from "../core/errors.js";
import type { LoadJob } from "./load-job.js";

/** Ids of earlier runs that are looked for before a load. */
const SAMPLE = 5;

/** An emptied or exchanged target would make the ledger a lie: everything would look done, and nothing would be there. */
export async function refuseEmptied({ ledger, target, survey, control }: LoadJob): Promise<void> {
  const sample = await ledger.sample(SAMPLE);
  for (const { key, id } of sample) if (await target.holds(key, id, control.abort)) return;
  if (sample.length === 0) return;
  throw new BrakeError(
    `None of ${sample.length} things that earlier runs made at ${survey.identity.root} is there any more (${sample.map(({ key, id }) => `${key} as ${id}`).join(", ")}), ` +
      "so the site seems to be emptied or another one. Nothing was written. To load it anew, use a fresh workspace.",
  );
}
