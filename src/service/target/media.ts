import { setTimeout as wait } from "node:timers/promises";
import { FerryError } from "../../core/errors.js";
import { type CallOf, resultOf } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import { extensionOf, type MediaItem } from "../../core/model/item.js";
import { idIn, type Key, kindOf } from "../../core/model/key.js";
import { objectIn } from "../../core/util/json.js";
import type { Loaded, Operation, Written } from "../../core/writing.js";
import { NOT_AVAILABLE, WRITE_REFUSED } from "../http/status-error.js";
import type { Handler, Work } from "./context.js";
import { mayHave, noteRefused } from "./optional-fields.js";
import { operation, type PlanOptions } from "./planned-operation.js";
import { afterAnswer } from "./write-errors.js";

/** One upload. Without a file there is nothing to plan: the extract has reported why. */
export function planMedia(item: MediaItem, _loaded: Loaded, options: PlanOptions): readonly Operation[] {
  const { content } = item.body;
  if (content === null) return [];
  const fileName = uploadName(item);
  const label = `${item.kind} ${item.body.id} (${item.body.fileName ?? fileName})`;
  return [
    operation(
      { id: item.key, item: item.key, label, call: { verb: "upload", media: item.key, fileName, content } },
      options.output,
    ),
  ];
}

/** `find` recognises the uploads of guideferry by it. */
const HASH_CHARACTERS = 12;

const FALLBACK_EXTENSION: Readonly<Record<MediaItem["kind"], string>> = {
  image: "jpg",
  video: "mp4",
  document: "pdf",
};

/** `drawing-0123456789ab.png`: the site goes by the extension (api-facts 5.2). */
function uploadName({ kind, body }: MediaItem): string {
  const extension = extensionOf(body) ?? FALLBACK_EXTENSION[kind];
  const given = body.fileName ?? `${kind}-${body.id}`;
  const stem = given.toLowerCase().endsWith(`.${extension}`) ? given.slice(0, -extension.length - 1) : given;
  return `${stem}-${(body.content?.sha256 ?? "").slice(0, HASH_CHARACTERS)}.${extension}`;
}

type Upload = CallOf<"upload">;

export const upload: Handler<Upload> = async (work) => {
  const { site, call, context, signal } = work;
  const isImage = kindOf(call.media) === "image";
  if (!isImage && !(await mayHave(work, "uploads"))) {
    work.report(noUpload(kindOf(call.media)));
    return { written: [], missing: [] };
  }
  await context.begin({ file: call.fileName });
  const { json, status } = await site.client.send(
    {
      method: "POST",
      path: isImage ? "user/media/images" : "user/media/uploads",
      query: { file: call.fileName },
      file: {
        open: () => context.bytes(call.content.sha256),
        size: call.content.size,
        type: "application/octet-stream",
      },
      create: true,
      expect: isImage ? [] : NO_SUCH_CALL,
    },
    signal,
  );
  if (NO_SUCH_CALL.includes(status)) {
    await noteRefused(work, "uploads");
    work.report(noUpload(kindOf(call.media)));
    return { written: [], missing: [] };
  }
  const id = uploadedId(json);
  if (id === undefined) {
    throw new FerryError(
      `${work.operation.label}: the site accepted the upload, but its answer has no id. Run the same command again: guideferry looks for the file first.`,
    );
  }
  if (kindOf(call.media) === "video") await afterAnswer(work.operation.label, () => untilReady(work, id));
  return { written: [writtenMedia(call.media, id, call.content.sha256)], missing: [] };
};

const NO_SUCH_CALL = NOT_AVAILABLE;

export function noUpload(kind: string): Omit<Issue, "key"> {
  return {
    code: "no-upload",
    level: "loss",
    path: "",
    message: `The target has no upload of ${kind}s. The ${kind} is not sent, and items that use it are loaded without it.`,
    remedy: "The workspace has the file. Add it by hand.",
  };
}

export function writtenMedia(key: Key, id: number, sha256: string): Written {
  return { key, id: String(id), revision: null, left: null, facts: { sha256 }, adopted: false };
}

/** An image detail has it in `image`; others at the top level, or by their kind. */
export function uploadedId(json: unknown): number | undefined {
  const answer = objectIn(json);
  const candidates = [
    answer["id"],
    objectIn(answer["image"])["id"],
    answer["imageid"],
    answer["objectid"],
    answer["documentid"],
    answer["videoid"],
  ];
  return candidates.find((value) => typeof value === "number");
}

const SLOWEST_LOOK = 10_000;

/** A step accepts a converted video. After the time limit it is used anyway. */
export async function untilReady(work: Work<Upload>, id: number): Promise<void> {
  let pause = work.site.pollEvery;
  for (let waited = 0; waited < work.site.readyWithin; waited += pause) {
    const { json, status } = await work.site.client.get(
      `user/media/GuideVideoObject/${id}`,
      { expect: WRITE_REFUSED },
      work.signal,
    );
    // A site that has no such call or forbids it can't be asked; the step reports a failure.
    if (status !== 200 || objectIn(json)["isReady"] === true) return;
    await wait(pause, undefined, { signal: work.signal });
    pause = Math.min(pause * 2, SLOWEST_LOOK);
  }
  work.report({
    code: "video-not-ready",
    level: "note",
    path: "",
    message: `The site did not convert the video within ${work.site.readyWithin / 1000} seconds.`,
    remedy: "If the step that shows it fails, run the same command again later.",
  });
}

/** The target's id; undefined after a report: then `missing` gets the key. */
export async function mediaId(
  work: Work,
  key: Key | null,
  path: string,
  missing: Set<Key>,
): Promise<number | undefined> {
  if (key === null) return undefined;
  const id = await work.context.idOf(key);
  if (id !== undefined) return attachable(work, key, Number(id));
  missing.add(key);
  const issue = {
    code: "media-not-there",
    level: "loss",
    path,
    message: `${key} was left out because the file is not on the target.`,
    remedy:
      "The list of failures says why it could not be fetched or sent. Remove the cause and run the same command again.",
  } as const;
  work.report(issue, key);
  return undefined;
}

/** The same for several; missing ones are left out. */
export async function mediaIds(
  work: Work,
  keys: readonly Key[],
  path: string,
  missing: Set<Key>,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [index, key] of keys.entries()) {
    const id = await mediaId(work, key, `${path}[${index}]`, missing);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/**
 * Content accepts only files of the account's own media manager. Images of others are copied first
 * (api-facts 5.3); documents and videos are uploaded again. Files that the item shows already stay.
 */
async function attachable(work: Work, key: Key, id: number): Promise<number> {
  if (work.site.copies === null || id !== idIn(key) || (await isShown(work, key))) return id;
  if (kindOf(key) === "image") return copied(work, id, work.site.copies);
  const copy = await work.context.written(ownCopyKey(key));
  return copy === undefined ? id : Number(copy.id);
}

/** The key of the second upload of a document or video in the ledger. */
export function ownCopyKey(key: Key): Key {
  return `${key}+own`;
}

async function isShown({ call, context }: Work, key: Key): Promise<boolean> {
  const written = await context.written(resultOf(call) ?? "record/nothing");
  const shown = written?.facts[`${kindOf(key)}s`];
  return Array.isArray(shown) && shown.map(String).includes(String(idIn(key)));
}

/** One copy for all uses in a run. */
function copied(work: Work, id: number, copies: Map<number, Promise<number>>): Promise<number> {
  const copy = copies.get(id) ?? copyOf(work, id);
  copies.set(id, copy);
  return copy;
}

/** After a lost answer it copies again: a second entry in the media manager is harmless. */
async function copyOf({ site, signal }: Work, id: number): Promise<number> {
  const call = { method: "POST", path: `user/media/images/${id}`, expect: WRITE_REFUSED } as const;
  const { json, status } = await site.client.send(call, signal);
  // Without such a call, or without the right to copy, the image itself is tried.
  return WRITE_REFUSED.includes(status) ? id : (uploadedId(json) ?? id);
}
