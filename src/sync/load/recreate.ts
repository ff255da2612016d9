import type { Loaded, Operation } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Checked } from "./check.js";
import { deletionId, noteMadeAnew } from "./deleted-at-source.js";
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
  if (isWhole) {
    performer.anew.add(item);
    await ledger.report(item, [noteMadeAnew(item, at)], { kind: "recreated", of: gone });
  }
  await ledger.noteRemote(item, forgotten);
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

/**
 * The source has an item again that we deleted when it was gone: what refers to it is written once
 * more, with its new id.
 */
export async function welcomeBack(performer: Performer, checked: Checked, item: Item, loaded: Loaded): Promise<void> {
  const deletion = loaded.operations.get(deletionId(item.key));
  if (deletion?.state !== "done" || deletion.outcome === "closed") return;
  await reopenReferrers(performer, checked, new Set(keysOf([item])), item.key);
  await performer.job.ledger.close([deletion.id]);
}
