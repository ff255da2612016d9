import type { Loaded, Operation } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Checked } from "../check.js";
import type { LoadJob } from "../load-job.js";
import { madeAnewId, reopenReferrers } from "../make-anew.js";
import { keysOf } from "../outlook.js";
import type { Performer } from "../perform.js";
import { deletionId } from "./deletion-of.js";

/** Hash of a note that has done its work. */
const SETTLED = "settled";

/** The source has an item again that we deleted when it was gone: what refers to it is written once more, with its new id. */
export async function welcomeBack(performer: Performer, checked: Checked, item: Item, loaded: Loaded): Promise<void> {
  const deletion = openNote(loaded, deletionId(item.key));
  if (deletion === undefined) return;
  await reopenReferrers(performer, checked, new Set(keysOf([item])), item.key);
  await settle(performer.job, item.key, deletion);
}

/** That it was made anew is told as long as there is something to do for it: a run that was killed meanwhile told nobody. */
export async function forgetMakingAnew(job: LoadJob, key: Key): Promise<void> {
  const note = openNote(await job.ledger.loaded(key), madeAnewId(key));
  if (note !== undefined) await settle(job, key, note);
}

function openNote({ operations }: Loaded, id: string): string | undefined {
  const state = operations.get(id);
  return state?.state === "done" && state.hash !== SETTLED ? id : undefined;
}

async function settle({ ledger }: LoadJob, item: Key, id: string): Promise<void> {
  const call = { verb: "order-steps", guide: item, steps: [] } as const;
  const note: Operation = { id, item, label: id, hash: SETTLED, phase: "main", needs: [], call };
  await ledger.done(note, { written: [], missing: [], issues: [] });
}
