import { extensionOf } from "../../core/model/extension-of.js";
import { itemSchema } from "../../core/model/item.js";
import type { Kind } from "../../core/model/key.js";

/** The bytes of a media item as they are known by the item's file. */
export interface ItemContent {
  readonly sha256: string;
  readonly size: number;
  /** Their place in an archive: `media/ab/ab….jpg`. */
  readonly path: string;
}

const MEDIA: ReadonlySet<Kind> = new Set(["image", "video", "document"]);

export function isMediaKind(kind: Kind): boolean {
  return MEDIA.has(kind);
}

/** What an item's file says of its bytes; null: it is no media item, or its bytes were never had. Throws for what is no item. */
export function contentIn(file: Buffer): ItemContent | null {
  const item = itemSchema.parse(JSON.parse(file.toString("utf8")));
  const media = item.kind === "image" || item.kind === "video" || item.kind === "document" ? item.body : undefined;
  if (media?.content == null) return null;
  const { sha256, size } = media.content;
  return { sha256, size, path: `media/${sha256.slice(0, 2)}/${sha256}.${extensionOf(media) ?? "bin"}` };
}
