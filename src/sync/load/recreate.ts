import type { Loaded, Operation } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Checked } from "./check.js";
import { deletionId, noteMadeAnew } from "./deleted-at-source.js";
import type { LoadJob } from "./load-state.js";
import { mentioned } from "./mentions.js";
import type { Performer } from "./perform.js";
import { operationsOf } from "./referrers.js";
import { keysOf } from "./transform-preview.js";

/**
 * Forgets what somebody deleted at the target, so that it is made anew, and opens again all that
 * hangs on it: the rest of its item, and what refers to it, since it gets another id. Killed
 * anywhere in between, it is found deleted once more.
 *
 * @param gone a guide, a page, or one step of the item
 */
export async function makeAnew(performer: Performer, checked: Checked, item: Key, gone: Key): Promise<void> {
  const { ledger } = performer.job;
  const isWhole = kindOf(gone) !== "step";
  const { written } = await ledger.loaded(isWhole ? gone : item);
  const lost = isWhole ? [...written.values()] : [...written.values()].filter(({ key }) => key === gone);
  const keys = new Set(lost.map(({ key }) => key));
  for await (const operation of operationsOf(performer.job, checked, item)) {
    if ((isWhole && operation.item === gone) || mentioned(operation.call, keys, performer.job.source).size > 0)
      await reopen(performer, operation);
  }
  await reopenReferrers(performer, checked, keys, item);
  const forgotten = lost.map((one) => ({ ...one, facts: { deleted: true } }));
  const at = lost.find(({ key }) => key === gone)?.id ?? gone;
  if (isWhole) performer.anew.add(item);
  await ledger.done(marker(item, gone), {
    written: forgotten,
    missing: [],
    issues: isWhole ? [noteMadeAnew(item, at)] : [],
  });
}

/** Notes that a thing was made anew. */
function marker(item: Key, gone: Key): Operation {
  return {
    id: madeAnewId(gone),
    item,
    label: `${gone}, made anew`,
    hash: "",
    phase: "main",
    needs: [],
    call: { verb: "order-steps", guide: item, steps: [] },
  };
}

/** The id of the operation that notes it. */
function madeAnewId(gone: Key): string {
  return `${gone}/made-anew`;
}

/**
 * Opens again what refers to these keys. `item`: the one that they belong to, which is at work
 * already.
 */
export async function reopenReferrers(
  performer: Performer,
  checked: Checked,
  keys: ReadonlySet<Key>,
  item?: Key,
): Promise<void> {
  for (const other of await performer.referrers.of(keys)) {
    if (other === item) continue;
    for await (const operation of operationsOf(performer.job, checked, other)) {
      if (mentioned(operation.call, keys, performer.job.source).size === 0) continue;
      await reopen(performer, operation);
      performer.again.add(other);
    }
  }
}

async function reopen({ job, complete }: Performer, operation: Operation): Promise<void> {
  complete.delete(operation.item);
  await job.ledger.failed(operation, "What it belongs or refers to was deleted at the target and is made anew.");
}

/** Hash of a note that has done its work. */
const SETTLED = "settled";

/**
 * The source has an item again that we deleted when it was gone: what refers to it is written once
 * more, with its new id.
 */
export async function welcomeBack(performer: Performer, checked: Checked, item: Item, loaded: Loaded): Promise<void> {
  const deletion = openNote(loaded, deletionId(item.key));
  if (deletion === undefined) return;
  await reopenReferrers(performer, checked, new Set(keysOf([item])), item.key);
  await settle(performer.job, item.key, deletion);
}

/**
 * That it was made anew is told as long as there is something to do for it: a run that was killed
 * meanwhile told nobody.
 */
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
