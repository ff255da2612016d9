import type { Guide, Step } from "../core/model/guide.js";
import { type Key, restOf } from "../core/model/key.js";
import { canonicalJson } from "../core/util/canonical-json.js";
import { stepsFields } from "../sync/verify/compared-fields.js";
import type { HomeLedger } from "./home-ledger.js";

/**
 * Which step of the snapshot each step at the site stands for: the one that it was made for by us, or itself. One that was deleted
 * and put in again by hand, with the same content, stands for the deleted one. The others are somebody's and keep their keys.
 *
 * @param wanted the guide of the snapshot, pointed home
 */
export async function stepKeys(ledger: HomeLedger, wanted: Guide, present: Guide): Promise<(step: Key) => Key> {
  const known = new Map<Key, Key>();
  const open = new Set(wanted.steps.map(({ key }) => key));
  for (const { key } of present.steps) {
    const stands = (await ledger.keyOf("step", restOf(key))) ?? key;
    if (open.delete(stands)) known.set(key, stands);
  }
  for (const step of present.steps) {
    const same = known.has(step.key)
      ? undefined
      : wanted.steps.find((one) => open.has(one.key) && contentOf(one) === contentOf(step));
    if (same === undefined) continue;
    open.delete(same.key);
    known.set(step.key, same.key);
  }
  return (step) => known.get(step) ?? step;
}

/** What a person can put in again: no comments, and no bullets of the site's own. */
function contentOf(step: Step): string {
  const fields = stepsFields({ steps: [step], order: [0], others: 0 });
  return canonicalJson([...fields].filter(([path]) => !/comments|bulletStyle/.test(path)));
}
