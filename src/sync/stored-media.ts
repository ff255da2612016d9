import type { Readable } from "node:stream";
import { imageSize } from "image-size";
import type { Size } from "../../transforms/fit/limits.js";
import { ArchiveError, WorkspaceError } from "../core/errors.js";
import type { MediaItem } from "../core/model/item.js";
import { isMediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { Workspace } from "../storage/workspace/workspace.js";

/** Holds the size: headers stand at the front, behind thumbnails and profiles at most. */
const HEAD_BYTES = 512 * 1024;

/** undefined: the workspace does not have it. */
export async function storedMedia(workspace: Workspace, key: Key): Promise<MediaItem | undefined> {
  const item = await workspace.items.get(key);
  return item !== undefined && isMediaItem(item) ? item : undefined;
}

/**
 * With its pixels. A measured size is noted in the item, so that no later run opens the file again.
 */
export async function mediaWithSize(workspace: Workspace, key: Key): Promise<MediaItem | undefined> {
  const item = await storedMedia(workspace, key);
  if (item === undefined) return undefined;
  if (item.kind !== "image" || item.body.width !== null || item.body.content === null) return item;
  const size = await pixelsOf(workspace.media.open(item.body.content.sha256));
  if (size === undefined) return item;
  const measured = { ...item, body: { ...item.body, ...size } };
  const { revision, title, category, modified } = workspace.items.entry(key) ?? UNLISTED;
  await workspace.items.put(measured, { revision, title, category, modified });
  return measured;
}

/**
 * A lasting address of its file at the source; undefined: the address may expire, such as a signed
 * one.
 */
export function lastingAddress({ body }: MediaItem): string | undefined {
  if (!URL.canParse(body.url)) return undefined;
  const { protocol, username, password, search } = new URL(body.url);
  const isOpen = protocol.startsWith("http") && username === "" && password === "" && search === "";
  return isOpen ? body.url : undefined;
}

const UNLISTED = { revision: "", title: "", category: null, modified: null } as const;

/** The first EXIF orientation that exchanges width and height. */
const FIRST_TURNED = 5;

/**
 * As shown, by the EXIF orientation; undefined: the format tells no size or is unknown: the site
 * decides then.
 */
export async function pixelsOf(content: Readable): Promise<Size | undefined> {
  try {
    const head = await headOf(content);
    const { width, height, orientation = 1 } = imageSize(head);
    return orientation < FIRST_TURNED ? { width, height } : { width: height, height: width };
  } catch (error) {
    // Damaged in an archive: reported where the bytes are needed.
    if (error instanceof ArchiveError) return undefined;
    if (error instanceof WorkspaceError || (error instanceof Error && "syscall" in error)) throw error;
    return undefined;
  }
}

async function headOf(content: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    // Leaving the loop closes the stream.
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES);
}
