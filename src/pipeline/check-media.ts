import { fitMedia } from "../../transforms/fit/fit-media.js";
import type { Size } from "../../transforms/fit/limits.js";
import type { Loaded } from "../contracts.js";
import type { Issue } from "../model/issue.js";
import type { MediaItem } from "../model/item.js";
import type { Key } from "../model/key.js";
import type { Bench } from "./bench.js";
import type { CheckedMedia } from "./checked-media.js";
import { fitContext } from "./fit-context.js";
import { halt } from "./halt.js";
import { mediaWithSize } from "./media-facts.js";

/** Looks at every media item of the workspace, in the order of keys. */
export async function checkMedia(bench: Bench): Promise<CheckedMedia> {
  const refused = new Set<Key>();
  const sizes = new Map<Key, Size>();
  const uploads = new Map<string, Key>();
  const issues = new Map<Key, readonly Issue[]>();
  const context = fitContext(bench, new Set(), { refused, sizes });
  for (const kind of ["image", "video", "document"] as const) {
    for (const entry of bench.workspace.items.entries(kind)) {
      halt(bench.control);
      const item = await mediaWithSize(bench.workspace, entry.key);
      if (item === undefined) continue;
      const { width, height } = item.body;
      if (width !== null && height !== null) sizes.set(item.key, { width, height });
      const content = uploadKey(item);
      const result = fitMedia(item, context);
      const isSent = bench.target.plan(item, NOTHING_LOADED).length > 0;
      if (content !== undefined && isSent && result.refused.length === 0) {
        if (!uploads.has(content)) uploads.set(content, item.key);
        continue;
      }
      refused.add(item.key);
      const unsent = isSent ? [] : bench.target.losses(item);
      issues.set(item.key, [...unsent, ...result.refused.map((issue): Issue => ({ ...issue, level: "loss" }))]);
    }
  }
  return { refused, sizes, uploads, issues };
}

const NOTHING_LOADED: Loaded = { operations: new Map(), written: new Map() };

/** Kind and hash of a media item's bytes; undefined: it has none. */
export function uploadKey({ kind, body }: MediaItem): string | undefined {
  return body.content === null ? undefined : `${kind} ${body.content.sha256}`;
}
