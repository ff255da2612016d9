import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Resized, resizedOf } from "../../transforms/fit/resized-key.js";
import type { MediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { contentSchema } from "../core/model/media.js";
import type { LoadJob } from "./load-job.js";
import { storedMedia } from "./media-facts.js";

/** A media item of the workspace, or a picture of it in the size that the target wants; undefined: there is none. Throws ResizeError. */
export async function mediaItem(job: LoadJob, key: Key): Promise<MediaItem | undefined> {
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

/** By the bytes that it is made of: the same ones give the same medium in each run, whatever library makes it. */
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

/** The same for a rehearsal, which makes nothing: other bytes with each size stand for those that would be made. */
export async function unmadeMedia({ workspace }: LoadJob, key: Key): Promise<MediaItem | undefined> {
  const resized = resizedOf(key);
  const item = await storedMedia(workspace, resized?.of ?? key);
  if (resized === undefined || item === undefined || item.body.content === null) return item;
  const sha256 = createHash("sha256").update(memoOf(key, item)).digest("hex");
  const content = { ...item.body.content, sha256 };
  return { ...item, key, body: { ...item.body, ...resized.size, content } } as MediaItem;
}
