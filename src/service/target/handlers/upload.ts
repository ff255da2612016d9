import { setTimeout as wait } from "node:timers/promises";
import type { Written } from "../../../core/contracts.js";
import { FerryError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import type { Issue } from "../../../core/model/issue.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { NOT_AVAILABLE } from "../../not-available.js";
import { afterAnswer } from "../answered.js";
import { asJson } from "../as-left.js";
import type { Handler, Work } from "../parts.js";
import { mayHave, noteRefused } from "../send-taken.js";

type Upload = CallOf<"upload">;

/** Sends the bytes of an image, a video or a document. The name carries a part of their hash, by which `find` knows it again. */
export const upload: Handler<Upload> = async (work) => {
  const { desk, call, context, signal } = work;
  const isImage = kindOf(call.media) === "image";
  if (!isImage && !(await mayHave(work, "uploads"))) {
    work.report(noUpload(kindOf(call.media)));
    return { written: [], missing: [] };
  }
  await context.begin({ file: call.fileName });
  const { json, status } = await desk.client.send(
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
      `${work.operation.label}: the site took the upload, but its answer has no id in it. Run again: it will be looked for first.`,
    );
  }
  if (kindOf(call.media) === "video") await afterAnswer(work.operation.label, () => untilReady(work, id));
  return { written: [mediaAsLeft(call.media, id, call.content.sha256)], missing: [] };
};

/** How a site answers a call that it doesn't have; nothing tells beforehand. */
const NO_SUCH_CALL = NOT_AVAILABLE;

/** What a site without uploads of such files loses. */
export function noUpload(kind: string): Omit<Issue, "key"> {
  return {
    code: "no-upload",
    level: "loss",
    path: "",
    message: `The target offers no upload of ${kind}s, so it is not sent, and what uses it goes without it.`,
    remedy: "The file is whole in the workspace; put it in by hand.",
  };
}

/** What stands for uploaded bytes at the target. */
export function mediaAsLeft(key: Key, id: number, sha256: string): Written {
  return { key, id: String(id), revision: null, left: null, facts: { sha256 }, adopted: false };
}

/** The id in an answer: an image detail holds it in `image`, other uploads have it on top; a media manager's item names it by its kind. */
export function uploadedId(json: unknown): number | undefined {
  const answer = asJson(json);
  const candidates = [
    answer["id"],
    asJson(answer["image"])["id"],
    answer["imageid"],
    answer["objectid"],
    answer["documentid"],
    answer["videoid"],
  ];
  return candidates.find((value) => typeof value === "number");
}

const SLOWEST_LOOK = 10_000;

const NOT_TOLD: readonly number[] = [400, 403, ...NOT_AVAILABLE, 422];

/** A video can be put into a step when the site has converted it. One that takes too long is used all the same: what the site says then is listed. */
export async function untilReady(work: Work<Upload>, id: number): Promise<void> {
  let pause = work.desk.pollEvery;
  for (let waited = 0; waited < work.desk.readyWithin; waited += pause) {
    const { json, status } = await work.desk.client.get(
      `user/media/GuideVideoObject/${id}`,
      { expect: NOT_TOLD },
      work.signal,
    );
    // A site without this call, or one that forbids it, can't be asked; the step that uses the video tells.
    if (status !== 200 || asJson(json)["isReady"] === true) return;
    await wait(pause, undefined, { signal: work.signal });
    pause = Math.min(pause * 2, SLOWEST_LOOK);
  }
  work.report({
    code: "video-not-ready",
    level: "note",
    path: "",
    message: `The site has not converted the video within ${work.desk.readyWithin / 1000} seconds.`,
    remedy: "If the step that shows it fails, run again later.",
  });
}
