import type { Operation } from "../contracts.js";
import { type Key, kindOf } from "../model/key.js";
import type { Checked } from "./check.js";
import { type Performer, perform } from "./perform.js";

/** Uploads the media that an operation needs, unless they are there: just before their first use, and once per content. */
export async function sendMedia(performer: Performer, checked: Checked, operation: Operation): Promise<void> {
  for (const key of operation.needs) await sendOne(performer, checked, key);
}

async function sendOne(performer: Performer, checked: Checked, key: Key): Promise<void> {
  const { ledger, workspace, target } = performer.bench;
  if (checked.map.mediaRefused.has(key) || (await ledger.idOf(key)) !== undefined) return;
  const item = await workspace.items.get(key);
  if (item === undefined) return;
  const [upload] = target.plan(item, await ledger.loaded(key));
  if (upload?.call.verb !== "upload") return;
  const { sha256 } = upload.call.content;
  await performer.mutex.run(`bytes ${kindOf(key)} ${sha256}`, async () => {
    if ((await ledger.idOf(key)) !== undefined) return;
    const same = await ledger.uploadOf(kindOf(key), sha256);
    if (same !== undefined) await ledger.done(upload, { written: [{ ...same, key }], missing: [], issues: [] });
    else await perform(performer, upload);
    await ledger.report(key, target.losses(item));
  });
}
