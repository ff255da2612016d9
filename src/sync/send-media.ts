import { resizedOf } from "../../transforms/fit/resized-key.js";
import { noUpload } from "../service/target/handlers/upload.js";
import type { Operation, Written } from "../core/contracts.js";
import { ArchiveError, StatusError } from "../core/errors.js";
import type { MediaItem } from "../core/model/item.js";
import { type Key, kindOf } from "../core/model/key.js";
import type { Checked } from "./check.js";
import { uploadKey } from "./check-media.js";
import type { LoadJob } from "./load-job.js";
import { type Performer, perform } from "./perform.js";
import { refuseUnplannedWrite } from "./plan/refuse-unplanned.js";
import { ResizeError } from "./resize-image.js";
import { mediaItem } from "./resized-media.js";

/** Uploads the media that an operation needs, unless they are there: just before their first use, and once per content. */
export async function sendMedia(performer: Performer, checked: Checked, operation: Operation): Promise<void> {
  for (const key of operation.needs) await sendOne(performer, checked, key);
}

async function sendOne(performer: Performer, checked: Checked, key: Key): Promise<void> {
  const { ledger, target } = performer.job;
  if (checked.map.mediaRefused.has(key) || (await ledger.idOf(key)) !== undefined) return;
  const item = await inItsSize(performer, key);
  const content = item === undefined ? undefined : uploadKey(item);
  if (item === undefined || content === undefined) return;
  const first = checked.media.firstOf(content) ?? key;
  // Sent once more it could be there twice.
  if (performer.unsettled.has(first)) throw performer.unsettled.get(first);
  await performer.mutex.run(`bytes of ${content}`, async () => {
    if (performer.unsent.has(first)) return noteUntaken(performer, first, item);
    if ((await uploaded(performer, item)) === undefined) {
      const sent = first === key ? item : await mediaItem(performer.job, first);
      for (const upload of await uploadOf(performer.job, sent ?? item)) await send(performer, first, upload);
    }
    if (performer.unsent.has(first)) return noteUntaken(performer, first, item);
    const same = await uploaded(performer, item);
    if (same === undefined || (await ledger.idOf(key)) !== undefined) return;
    for (const upload of await uploadOf(performer.job, item)) {
      await ledger.done(upload, { written: [{ ...same, key }], missing: [], issues: [] });
    }
  });
  await ledger.report(key, target.losses(item));
}

/** One after the other, since a picture is decoded whole to resize it. One that can't be resized is a failure of its own. */
async function inItsSize(performer: Performer, key: Key): Promise<MediaItem | undefined> {
  if (resizedOf(key) === undefined) return mediaItem(performer.job, key);
  if (performer.unsent.has(key)) return undefined;
  try {
    return await performer.mutex.run("a picture in another size", () => mediaItem(performer.job, key));
  } catch (error) {
    if (!(error instanceof ResizeError) && !(error instanceof ArchiveError)) throw error;
    performer.unsent.set(key, error);
    return undefined;
  }
}

/** A file that the site refuses, or that is damaged in its archive, keeps nothing else from being loaded: what uses it goes without it until it is there. */
async function send(performer: Performer, key: Key, upload: Operation): Promise<void> {
  await refuseUnplannedWrite(performer.job, upload);
  try {
    const { written } = await perform(performer, upload);
    if (written.length === 0) performer.unsent.set(key, null);
  } catch (error) {
    const refused = error instanceof StatusError && error.status < 500 && error.status !== 401;
    if (!refused && !(error instanceof ArchiveError)) throw error;
    performer.unsent.set(key, error);
  }
}

/** Of media with equal bytes one was sent: what the target said of its kind goes for the others too. */
async function noteUntaken(performer: Performer, first: Key, item: MediaItem): Promise<void> {
  if (first === item.key || performer.unsent.get(first) !== null || performer.unsent.has(item.key)) return;
  performer.unsent.set(item.key, null);
  const issues = [{ ...noUpload(item.kind), key: item.key }];
  for (const upload of await uploadOf(performer.job, item))
    await performer.job.ledger.done(upload, { written: [], missing: [], issues });
}

/** The media that no upload made anything of, since the target takes none of their kind. */
export async function untakenMedia({ workspace, ledger }: LoadJob): Promise<ReadonlyMap<Key, null>> {
  const untaken = new Map<Key, null>();
  for (const kind of ["video", "document"] as const) {
    for (const { key } of workspace.items.entries(kind)) {
      const { operations, written } = await ledger.loaded(key);
      if (operations.get(key)?.state === "done" && !written.has(key)) untaken.set(key, null);
    }
  }
  return untaken;
}

/** The media that could not be sent in an earlier run. */
export async function failedMedia({ ledger, options }: LoadJob): Promise<readonly Key[]> {
  const failed = (await ledger.failures()).map(({ item }) => item);
  return failed.filter((key) => MEDIA.has(kindOf(key)) && (options.keys?.has(key) ?? true));
}

/** Takes up one of them. Throws what keeps it from being there now. */
export async function resendMedia(performer: Performer, checked: Checked, key: Key): Promise<void> {
  await sendOne(performer, checked, key);
  const reason = performer.unsent.get(key) ?? null;
  if (reason !== null) throw reason;
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

/** What stands at the target for these bytes, whichever item they came with. */
async function uploaded({ job }: Performer, { kind, body }: MediaItem): Promise<Written | undefined> {
  return body.content === null ? undefined : job.ledger.uploadOf(kind, body.content.sha256);
}

/** The one upload of a media item; none where the site takes no such files. */
export async function uploadOf({ target, ledger }: LoadJob, item: MediaItem): Promise<readonly Operation[]> {
  return target.plan(item, await ledger.loaded(item.key));
}
