import type { Checked } from "../check.js";
import { halt } from "../halt.js";
import { makeAnew } from "../make-anew.js";
import type { Performer } from "../perform.js";
import type { Deleted } from "./sweep.js";

/**
 * Lets what somebody deleted at the target be made anew in this run. The rest of the load does it, as if it had never been made; a run that
 * is killed meanwhile finds it deleted, or not made, once more.
 */
export async function remakeDeleted(
  performer: Performer,
  checked: Checked,
  deleted: readonly Deleted[],
): Promise<void> {
  for (const { key, item } of deleted) {
    halt(performer.job.control);
    await makeAnew(performer, checked, item, key);
  }
}
