import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Resized, resizedOf } from "../../../transforms/fit/context.js";
import type { Operation, Written } from "../../core/contracts.js";
import { ArchiveError, StatusError } from "../../core/errors.js";
import { contentSchema, type MediaItem } from "../../core/model/item.js";
import { type Key, kindOf, MEDIA_KINDS } from "../../core/model/key.js";
import { noUpload } from "../../service/target/media.js";
import { storedMedia } from "../stored-media.js";
import { type Checked, uploadKey } from "./check.js";
import type { LoadJob } from "./load-state.js";
import { type Performer, perform } from "./perform.js";
import { refuseUnplannedWrite } from "./refuse-unplanned.js";
import { ResizeError } from "./resize-image.js";

/**
 * Uploads the media that an operation needs, unless they are there: just before their first use,
 * and once per content.
 */
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

/**
 * One after the other, since a picture is decoded whole to resize it. One that can't be resized is
 * a failure of its own.
 */
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

/**
 * A file that the site refuses, or that is damaged in its archive, keeps nothing else from being
 * loaded: what uses it goes without it until it is there.
 */
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

/**
 * Of media with equal bytes one was sent: what the target said of its kind goes for the others too.
 */
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
  return failed.filter((key) => MEDIA_KINDS.has(kindOf(key)) && (options.keys?.has(key) ?? true));
}

/** Takes up one of them. Throws what keeps it from being there now. */
export async function resendMedia(performer: Performer, checked: Checked, key: Key): Promise<void> {
  await sendOne(performer, checked, key);
  const reason = performer.unsent.get(key) ?? null;
  if (reason !== null) throw reason;
}

/** What stands at the target for these bytes, whichever item they came with. */
async function uploaded({ job }: Performer, { kind, body }: MediaItem): Promise<Written | undefined> {
  return body.content === null ? undefined : job.ledger.uploadOf(kind, body.content.sha256);
}

/** The one upload of a media item; none where the site takes no such files. */
export async function uploadOf({ target, ledger }: LoadJob, item: MediaItem): Promise<readonly Operation[]> {
  return target.plan(item, await ledger.loaded(item.key));
}

/**
 * A media item of the workspace, or a picture of it in the size that the target wants; undefined:
 * there is none. Throws ResizeError.
 */
async function mediaItem(job: LoadJob, key: Key): Promise<MediaItem | undefined> {
  const resized = resizedOf(key);
  if (resized === undefined) return storedMedia(job.workspace, key);
  const item = await mediaAt(job, resized.of);
  if (item === undefined || item.body.content === null) return undefined;
  const content = (await madeBefore(job, key, item)) ?? (await make(job, key, item, resized));
  return { ...item, key, body: { ...item.body, ...resized.size, content } } as MediaItem;
}

/** As it is at the source: in the workspace, or where the job says. */
export async function mediaAt({ workspace, mediaOf }: LoadJob, key: Key): Promise<MediaItem | undefined> {
  return (await storedMedia(workspace, key)) ?? (await mediaOf?.(key));
}

type Content = NonNullable<MediaItem["body"]["content"]>;

/**
 * By the bytes that it is made of: the same ones give the same medium in each run, whatever library
 * makes it.
 */
function memoOf(key: Key, item: MediaItem): string {
  return `resized ${key} of ${item.body.content?.sha256}`;
}

async function madeBefore({ ledger, workspace }: LoadJob, key: Key, item: MediaItem): Promise<Content | undefined> {
  const memo = await ledger.recall(memoOf(key, item));
  if (memo === undefined) return undefined;
  const content = contentSchema.parse(JSON.parse(memo));
  return workspace.media.isHere(content.sha256) || (await ledger.uploadOf("image", content.sha256)) !== undefined
    ? content
    : undefined;
}

/** The original stays in the workspace as it is. */
async function make(job: LoadJob, key: Key, item: MediaItem, resized: Resized): Promise<Content | undefined> {
  const { ledger, workspace, control } = job;
  if (item.body.content === null) return undefined;
  // Loads a large library: only for runs that need it.
  const { resizeImage } = await import("./resize-image.js");
  const bytes = await resizeImage(await buffer(workspace.media.open(item.body.content.sha256)), resized);
  const { type } = item.body.content;
  const content = await workspace.media.receive(
    async (from) => ({ content: Readable.from([bytes.subarray(from)]), from, size: bytes.length, type }),
    control.abort,
  );
  await ledger.remember(memoOf(key, item), JSON.stringify(content));
  return content;
}

/**
 * The same for a rehearsal, which makes nothing: other bytes with each size stand for those that
 * would be made.
 */
export async function unmadeMedia({ workspace }: LoadJob, key: Key): Promise<MediaItem | undefined> {
  const resized = resizedOf(key);
  const item = await storedMedia(workspace, resized?.of ?? key);
  if (resized === undefined || item === undefined || item.body.content === null) return item;
  const sha256 = createHash("sha256").update(memoOf(key, item)).digest("hex");
  const content = { ...item.body.content, sha256 };
  return { ...item, key, body: { ...item.body, ...resized.size, content } } as MediaItem;
}
