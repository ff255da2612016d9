import type { FitContext } from "../../transforms/fit/context.js";
import { fitMedia } from "../../transforms/fit/fit-media.js";
import type { Loaded } from "../core/contracts.js";
import { extensionOf } from "../core/model/extension-of.js";
import type { Issue } from "../core/model/issue.js";
import type { MediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { type CheckedMedia, createMediaNotes } from "./checked-media.js";
import { fitContext } from "./fit-context.js";
import { halt } from "./halt.js";
import type { LoadJob } from "./load-job.js";
import { lastingAddress, mediaWithSize, storedMedia } from "./media-facts.js";

/** Looks at every media item of the workspace, in the order of keys. */
export async function checkMedia(job: LoadJob): Promise<CheckedMedia> {
  const notes = createMediaNotes(job.workspace.scratch);
  const isHome = job.options.home === true;
  const fit = fitContext(job, new Set(), notes);
  for (const kind of ["image", "video", "document"] as const) {
    for (const entry of job.workspace.items.entries(kind)) {
      halt(job.control);
      const item = isHome ? await storedMedia(job.workspace, entry.key) : await mediaWithSize(job.workspace, entry.key);
      if (item === undefined) continue;
      const { width, height } = item.body;
      if (width !== null && height !== null) notes.measure(item.key, { width, height }, extensionOf(item.body));
      const content = uploadKey(item);
      const fits = isHome || fitMedia(item, fit).refused.length === 0;
      const goes = content !== undefined && isSent(job, item) && fits;
      if (goes) notes.send(content, item.key);
      else notes.refuse(item.key, lastingAddress(item));
    }
  }
  return notes;
}

/** Why a media item that was refused will not be there. */
export async function refusedMedia(job: LoadJob, fit: FitContext | "home", key: Key): Promise<readonly Issue[]> {
  const item = await mediaWithSize(job.workspace, key);
  if (item === undefined) return [];
  const unsent = isSent(job, item) ? [] : job.target.losses(item);
  if (fit === "home") return unsent;
  return [...unsent, ...fitMedia(item, fit).refused.map((issue): Issue => ({ ...issue, level: "loss" }))];
}

/** Does the site take such files? */
function isSent({ target }: LoadJob, item: MediaItem): boolean {
  return target.plan(item, NOTHING_LOADED).length > 0;
}

const NOTHING_LOADED: Loaded = { operations: new Map(), written: new Map() };

/** Kind and hash of a media item's bytes; undefined: it has none. */
export function uploadKey({ kind, body }: MediaItem): string | undefined {
  return body.content === null ? undefined : `${kind} ${body.content.sha256}`;
}
