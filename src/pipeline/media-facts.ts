import { open } from "node:fs/promises";
import { imageSize } from "image-size";
import type { Size } from "../../transforms/fit/limits.js";
import type { MediaItem } from "../model/item.js";
import type { Key } from "../model/key.js";
import type { Workspace } from "../workspace/workspace.js";

/** Enough of a file to find its size in: headers stand at the front, behind thumbnails and profiles at most. */
const HEAD_BYTES = 512 * 1024;

/** A media item with its pixels; undefined when the workspace doesn't have it. What had to be measured is noted in the item, so that no later run opens the file again. */
export async function mediaWithSize(workspace: Workspace, key: Key): Promise<MediaItem | undefined> {
  const item = await workspace.items.get(key);
  if (item === undefined || (item.kind !== "image" && item.kind !== "video" && item.kind !== "document"))
    return undefined;
  if (item.kind !== "image" || item.body.width !== null || item.body.content === null) return item;
  const size = await pixelsOf(workspace.media.path(item.body.content.sha256));
  if (size === undefined) return item;
  const measured = { ...item, body: { ...item.body, ...size } };
  const { revision, title, category, modified } = workspace.items.entry(key) ?? UNLISTED;
  await workspace.items.put(measured, { revision, title, category, modified });
  return measured;
}

const UNLISTED = { revision: "", title: "", category: null, modified: null } as const;

/** undefined: the format tells no size, or isn't one that is known; the site decides then. */
async function pixelsOf(path: string): Promise<Size | undefined> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0);
    const { width, height } = imageSize(buffer.subarray(0, bytesRead));
    return { width, height };
  } catch (error) {
    if (error instanceof Error && !("syscall" in error)) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}
