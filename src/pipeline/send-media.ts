import type { Operation, Written } from "../contracts.js";
import { StatusError } from "../errors.js";
import type { MediaItem } from "../model/item.js";
import { type Key, kindOf } from "../model/key.js";
import type { Checked } from "./check.js";
import { uploadKey } from "./check-media.js";
import { type Performer, perform } from "./perform.js";

/** Uploads the media that an operation needs, unless they are there: just before their first use, and once per content. */
export async function sendMedia(performer: Performer, checked: Checked, operation: Operation): Promise<void> {
  for (const key of operation.needs) await sendOne(performer, checked, key);
}

async function sendOne(performer: Performer, checked: Checked, key: Key): Promise<void> {
  const { ledger, target } = performer.bench;
  if (checked.map.mediaRefused.has(key) || (await ledger.idOf(key)) !== undefined) return;
  const item = await mediaItem(performer, key);
  const content = item === undefined ? undefined : uploadKey(item);
  if (item === undefined || content === undefined) return;
  const first = checked.uploads.get(content) ?? key;
  await performer.mutex.run(`bytes of ${content}`, async () => {
    if (performer.unsent.has(first)) return;
    if ((await uploaded(performer, item)) === undefined) {
      const sent = first === key ? item : await mediaItem(performer, first);
      for (const upload of await uploadOf(performer, sent ?? item)) await send(performer, first, upload);
    }
    const same = await uploaded(performer, item);
    if (same === undefined || (await ledger.idOf(key)) !== undefined) return;
    for (const upload of await uploadOf(performer, item)) {
      await ledger.done(upload, { written: [{ ...same, key }], missing: [], issues: [] });
    }
  });
  await ledger.report(key, target.losses(item));
}

/** A file that the site refuses keeps nothing else from being loaded: what uses it goes without it until it is there. */
async function send(performer: Performer, key: Key, upload: Operation): Promise<void> {
  try {
    const { written } = await perform(performer, upload);
    if (written.length === 0) performer.unsent.set(key, null);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status >= 500 || error.status === 401) throw error;
    performer.unsent.set(key, error);
  }
}

/** Takes up the media that the site refused in an earlier run. Returns which ones it tried. */
export async function resendMedia(
  performer: Performer,
  checked: Checked,
  only: ReadonlySet<Key> | undefined,
): Promise<readonly Key[]> {
  const failed = (await performer.bench.ledger.failures()).map(({ item }) => item);
  const keys = failed.filter((key) => MEDIA.has(kindOf(key)) && (only?.has(key) ?? true));
  for (const key of keys) await sendOne(performer, checked, key);
  return keys;
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

async function mediaItem({ bench }: Performer, key: Key): Promise<MediaItem | undefined> {
  const item = await bench.workspace.items.get(key);
  return item?.kind === "image" || item?.kind === "video" || item?.kind === "document" ? item : undefined;
}

/** What stands at the target for these bytes, whichever item they came with. */
async function uploaded({ bench }: Performer, { kind, body }: MediaItem): Promise<Written | undefined> {
  return body.content === null ? undefined : bench.ledger.uploadOf(kind, body.content.sha256);
}

async function uploadOf({ bench }: Performer, item: MediaItem): Promise<readonly Operation[]> {
  return bench.target.plan(item, await bench.ledger.loaded(item.key));
}
