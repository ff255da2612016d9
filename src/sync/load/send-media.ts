import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Resized, resizedOf } from "../../../transforms/fit/context.js";
import { ArchiveError, StatusError } from "../../core/errors.js";
import { contentSchema, type MediaItem } from "../../core/model/item.js";
import { isMediaKey, type Key } from "../../core/model/key.js";
import { KeyedMutex } from "../../core/util/concurrency.js";
import type { Operation, Written } from "../../core/writing.js";
import { noUpload } from "../../service/target/media.js";
import { storedMedia } from "../stored-media.js";
import { type Checked, NOTHING_LOADED, uploadKey } from "./check.js";
import type { LoadJob } from "./load-job.js";
import type { LoadState } from "./load-state.js";
import type { OperationWriter } from "./perform.js";
import { ResizeError } from "./resize-image.js";

type MediaJob = Pick<LoadJob, "workspace" | "ledger" | "target" | "control" | "mediaOf">;

export class MediaWriter {
  readonly #job: MediaJob;
  readonly #checked: Pick<Checked, "map" | "media">;
  readonly #writer: OperationWriter;
  readonly #state: LoadState;
  readonly #mutex = new KeyedMutex();

  constructor(job: MediaJob, checked: Pick<Checked, "map" | "media">, writer: OperationWriter, state: LoadState) {
    this.#job = job;
    this.#checked = checked;
    this.#writer = writer;
    this.#state = state;
  }

  async sendFor(operation: Operation): Promise<void> {
    for (const key of operation.needs) await this.#sendOne(key);
  }

  async #sendOne(key: Key): Promise<void> {
    const { ledger, target } = this.#job;
    if (this.#checked.map.mediaRefused.has(key) || (await ledger.idOf(key)) !== undefined) return;
    const item = await this.#inItsSize(key);
    const content = item === undefined ? undefined : uploadKey(item);
    if (item === undefined || content === undefined) return;
    const first = this.#checked.media.firstOf(content) ?? key;
    // A second upload could create it twice.
    this.#state.throwIfPending(first);
    await this.#mutex.run(`bytes of ${content}`, async () => {
      if (this.#state.isUnsent(first)) return this.#noteUntaken(first, item);
      if ((await this.#uploaded(item)) === undefined) {
        const sent = first === key ? item : await mediaItem(this.#job, first);
        for (const upload of uploadOf(this.#job, sent ?? item)) await this.#send(first, upload);
      }
      if (this.#state.isUnsent(first)) return this.#noteUntaken(first, item);
      if ((await ledger.idOf(key)) !== undefined) return;
      const same = await this.#uploaded(item);
      if (same === undefined) return;
      for (const upload of uploadOf(this.#job, item)) {
        await ledger.done(upload, { written: [{ ...same, key }], missing: [], issues: [] });
      }
    });
    await ledger.report(key, target.losses(item));
  }

  /** One at a time, since resizing holds a whole decoded image in memory. */
  async #inItsSize(key: Key): Promise<MediaItem | undefined> {
    if (resizedOf(key) === undefined) return mediaItem(this.#job, key);
    if (this.#state.isUnsent(key)) return undefined;
    try {
      return await this.#mutex.run("resized image", () => mediaItem(this.#job, key));
    } catch (error) {
      if (!(error instanceof ResizeError) && !(error instanceof ArchiveError)) throw error;
      this.#state.markUnsent(key, error);
      return undefined;
    }
  }

  /** A refused or damaged file does not stop the items that use it: they are sent without it. */
  async #send(key: Key, upload: Operation): Promise<void> {
    await this.#writer.refuseUnplanned(upload);
    try {
      const { written } = await this.#writer.perform(upload);
      if (written.length === 0) this.#state.markUntaken(key);
    } catch (error) {
      const refused = error instanceof StatusError && error.status < 500 && error.status !== 401;
      if (!refused && !(error instanceof ArchiveError)) throw error;
      this.#state.markUnsent(key, error);
    }
  }

  /** The target's answer to one medium applies to all with equal bytes. */
  async #noteUntaken(first: Key, item: MediaItem): Promise<void> {
    if (first === item.key || !this.#state.isUntaken(first) || this.#state.isUnsent(item.key)) return;
    this.#state.markUntaken(item.key);
    const issues = [{ ...noUpload(item.kind), key: item.key }];
    for (const upload of uploadOf(this.#job, item))
      await this.#job.ledger.done(upload, { written: [], missing: [], issues });
  }

  async resend(key: Key): Promise<void> {
    await this.#sendOne(key);
    this.#state.throwIfUnsent(key);
  }

  async #uploaded({ kind, body }: MediaItem): Promise<Written | undefined> {
    return body.content === null ? undefined : this.#job.ledger.uploadOf(kind, body.content.sha256);
  }
}

/** Media of a kind that the target does not take. */
export async function untakenMedia({
  workspace,
  ledger,
}: Pick<LoadJob, "workspace" | "ledger">): Promise<ReadonlySet<Key>> {
  const untaken = new Set<Key>();
  for (const kind of ["video", "document"] as const) {
    for (const { key } of workspace.items.entries(kind)) {
      const { operations, written } = await ledger.loaded(key);
      if (operations.get(key)?.state === "done" && !written.has(key)) untaken.add(key);
    }
  }
  return untaken;
}

export async function failedMedia({ ledger, options }: Pick<LoadJob, "ledger" | "options">): Promise<readonly Key[]> {
  const failed = (await ledger.failures()).map(({ item }) => item);
  return failed.filter((key) => isMediaKey(key) && (options.keys?.has(key) ?? true));
}

/** It does not depend on what the ledger has. */
export function uploadOf({ target }: Pick<LoadJob, "target">, item: MediaItem): readonly Operation[] {
  return target.plan(item, NOTHING_LOADED);
}

/** A medium of the workspace, resized where the target needs that. Throws ResizeError. */
async function mediaItem(job: MediaJob, key: Key): Promise<MediaItem | undefined> {
  const resized = resizedOf(key);
  if (resized === undefined) return storedMedia(job.workspace, key);
  const item = await mediaAt(job, resized.of);
  if (item === undefined || item.body.content === null) return undefined;
  const content = (await madeBefore(job, key, item)) ?? (await make(job, key, item, resized));
  return { ...item, key, body: { ...item.body, ...resized.size, content } } as MediaItem;
}

export async function mediaAt(
  { workspace, mediaOf }: Pick<LoadJob, "workspace" | "mediaOf">,
  key: Key,
): Promise<MediaItem | undefined> {
  return (await storedMedia(workspace, key)) ?? (await mediaOf?.(key));
}

type Content = NonNullable<MediaItem["body"]["content"]>;

/** By the source bytes, so that each run and library version gives the same medium. */
function memoOf(key: Key, item: MediaItem): string {
  return `resized ${key} of ${item.body.content?.sha256}`;
}

async function madeBefore({ ledger, workspace }: MediaJob, key: Key, item: MediaItem): Promise<Content | undefined> {
  const memo = await ledger.recall(memoOf(key, item));
  if (memo === undefined) return undefined;
  const content = contentSchema.parse(JSON.parse(memo));
  return workspace.media.has(content.sha256) || (await ledger.uploadOf("image", content.sha256)) !== undefined
    ? content
    : undefined;
}

async function make(job: MediaJob, key: Key, item: MediaItem, resized: Resized): Promise<Content | undefined> {
  const { ledger, workspace, control } = job;
  if (item.body.content === null) return undefined;
  // A large library that most runs do not need.
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

/** For a rehearsal, which resizes nothing: a made-up hash stands for the bytes of each size. */
export async function unmadeMedia({ workspace }: Pick<LoadJob, "workspace">, key: Key): Promise<MediaItem | undefined> {
  const resized = resizedOf(key);
  const item = await storedMedia(workspace, resized?.of ?? key);
  if (resized === undefined || item === undefined || item.body.content === null) return item;
  const sha256 = createHash("sha256").update(memoOf(key, item)).digest("hex");
  const content = { ...item.body.content, sha256 };
  return { ...item, key, body: { ...item.body, ...resized.size, content } } as MediaItem;
}
