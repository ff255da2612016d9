import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import type * as ImageSize from "image-size";
import type { Size } from "../../transforms/fit/limits.js";
import { ArchiveError } from "../core/errors.js";
import type { MediaItem } from "../core/model/item.js";
import { isMediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { ReceivedFile } from "../storage/workspace/media-store.js";
import type { Workspace } from "../storage/workspace/workspace.js";

/** Enough bytes for the image size, which thumbnails and profiles may precede. */
const HEAD_BYTES = 512 * 1024;
/** Enough for most images. */
const FIRST_BYTES = 16 * 1024;
/** For the first bytes of one image after the other. */
const MEMORY = Buffer.allocUnsafeSlow(FIRST_BYTES + 1);

export async function storedMedia(workspace: Workspace, key: Key): Promise<MediaItem | undefined> {
  const item = await workspace.items.get(key);
  return item !== undefined && isMediaItem(item) ? item : undefined;
}

/**
 * The medium with its size in pixels. A measured size is stored in the item, so that no later run
 * opens the file again.
 */
export async function withSize(workspace: Workspace, item: MediaItem): Promise<MediaItem> {
  if (item.kind !== "image" || item.body.width !== null || item.body.content === null) return item;
  const size = await pixelsOf(workspace.media.open(item.body.content.sha256));
  if (size === undefined) return item;
  const whole = { ...item, body: { ...item.body, ...size } };
  const { revision, title, category, modified } = workspace.items.entry(item.key) ?? UNLISTED;
  await workspace.items.put(whole, { revision, title, category, modified });
  return whole;
}

/**
 * A lasting address of its source file; undefined: the address may expire, such as a signed one.
 */
export function lastingAddress({ body }: MediaItem): string | undefined {
  if (!URL.canParse(body.url)) return undefined;
  const { protocol, username, password, search } = new URL(body.url);
  const isOpen = protocol.startsWith("http") && username === "" && password === "" && search === "";
  return isOpen ? body.url : undefined;
}

const UNLISTED = { revision: "", title: "", category: null, modified: null } as const;

/** The first EXIF orientation that swaps width and height. */
const FIRST_TURNED = 5;

/** As `pixelsOf`, of content whose first bytes `head` reads. */
export function pixelsIn(head: ReceivedFile["head"]): Size | undefined {
  const first = head(FIRST_BYTES, MEMORY);
  if (first.length < 2) return undefined;
  // In other formats the size may come later, beside that of a preview.
  const isEarly = first.readUInt16BE() === JPEG || first.subarray(1, 4).toString() === "PNG";
  return (isEarly ? measured(first) : undefined) ?? measured(head(HEAD_BYTES));
}

const JPEG = 0xffd8;

/**
 * The size as shown, with the EXIF orientation; undefined: the format is unknown or has no size, so
 * the site decides.
 */
export async function pixelsOf(content: Readable): Promise<Size | undefined> {
  try {
    return measured(await headOf(content));
  } catch (error) {
    // Damaged in an archive, which is reported where the bytes are needed.
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}

/** Its 26 modules are loaded with the first picture. */
let library: typeof ImageSize | undefined;

function measured(head: Buffer): Size | undefined {
  library ??= loadLibrary();
  const { imageSize } = library;
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    return orientation < FIRST_TURNED ? { width, height } : { width: height, height: width };
  } catch {
    // The library throws for bytes that it does not understand.
    return undefined;
  }
}

function loadLibrary(): typeof ImageSize {
  return createRequire(import.meta.url)("image-size");
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
