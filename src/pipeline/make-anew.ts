import type { Operation } from "../contracts.js";
import type { Key } from "../model/key.js";
import type { Checked } from "./check.js";
import { mentioned } from "./mentions.js";
import type { Performer } from "./perform.js";
import { operationsOf } from "./referrers.js";

/**
 * Forgets what somebody deleted at the target, so that it is made anew, and opens again all that hangs on it: the rest of
 * its item, and what refers to it, since it gets another id. Killed anywhere in between, it is found deleted once more.
 */
export async function makeAnew(performer: Performer, checked: Checked, item: Key, gone: Key): Promise<void> {
  const { ledger } = performer.job;
  const loaded = await ledger.loaded(item);
  const lost =
    gone === item ? [...loaded.written.values()] : [...loaded.written.values()].filter(({ key }) => key === gone);
  const keys = new Set(lost.map(({ key }) => key));
  for await (const operation of operationsOf(performer.job, checked, item)) {
    if (gone === item || mentioned(operation.call, keys, performer.job.source).size > 0)
      await reopen(performer, operation);
  }
  await reopenOthers(performer, checked, item, keys);
  const forgotten = lost.map((written) => ({ ...written, facts: { deleted: true } }));
  const marker: Operation = {
    id: `${gone}/made-anew`,
    item,
    label: `${gone}, made anew`,
    hash: "",
    phase: "main",
    needs: [],
    call: { verb: "order-steps", guide: item, steps: [] },
  };
  await ledger.done(marker, { written: forgotten, missing: [], issues: [] });
}

async function reopenOthers(performer: Performer, checked: Checked, item: Key, keys: ReadonlySet<Key>): Promise<void> {
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
