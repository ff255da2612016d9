import { apartIn } from "../../service/target/merge/standing-apart.js";
import type { Present } from "../../service/target/undo/present-of.js";
import { sameField } from "../../service/wire/write/same-field.js";
import type { Earlier, Written } from "../../core/contracts.js";
import { isOtherOrder } from "./is-other-order.js";

/**
 * Did a merge of the run take others' work in that is not in what was kept? What stood apart before, and was written over by the run, is in it.
 * Steps that others added keep their place, whatever comes back.
 *
 * @param now what the ledger knows of the thing
 */
export function tookIn(now: Written | undefined, { written, theirs, body, sent }: Earlier, present: Present): boolean {
  if (theirs) return false;
  const [before, after] = [apartIn(written ?? undefined), apartIn(now)];
  const isMoved = isOtherOrder(body?.["steps"], present.body["steps"]);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].some((field) => {
    if (field === "steps" && !isMoved) return false;
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) return false;
    const isOurs = sent?.[field] !== undefined && sameField(field, sent[field], present.body[field]);
    return after[field] !== undefined || !isOurs;
  });
}
