import { fitMedia } from "../../transforms/fit/fit-media.js";
import type { Size } from "../../transforms/fit/limits.js";
import type { Issue } from "../model/issue.js";
import type { MediaItem } from "../model/item.js";
import type { Key } from "../model/key.js";
import type { Bench } from "./bench.js";
import { fitContext } from "./fit-context.js";
import { halt } from "./halt.js";
import { mediaWithSize } from "./media-facts.js";

/** What the check found on media. */
export interface CheckedMedia {
  /** Media that will not be there: the site would refuse them, or they have no bytes. */
  readonly refused: ReadonlySet<Key>;
  readonly sizes: ReadonlyMap<Key, Size>;
  /** Of media with equal bytes the one that goes up, by `uploadKey`. */
  readonly uploads: ReadonlyMap<string, Key>;
  readonly issues: ReadonlyMap<Key, readonly Issue[]>;
}

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
      if (content !== undefined && result.refused.length === 0) {
        if (!uploads.has(content)) uploads.set(content, item.key);
        continue;
      }
      refused.add(item.key);
      issues.set(
        item.key,
        result.refused.map((issue) => ({ ...issue, level: "loss" })),
      );
    }
  }
  return { refused, sizes, uploads, issues };
}

/** Kind and hash of a media item's bytes; undefined: it has none. */
export function uploadKey({ kind, body }: MediaItem): string | undefined {
  return body.content === null ? undefined : `${kind} ${body.content.sha256}`;
}
