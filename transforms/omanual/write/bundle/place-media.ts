import type { Report } from "../../../../src/core/model/issue.js";
import type { Item, MediaItem } from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import type { BundleFile } from "./bundle-file.js";
import { mediaName, Names } from "./names.js";
import type { MediaLookup } from "./survey.js";
import { mainImage } from "./survey.js";

/** The media of one document. */
export interface PlacedMedia {
  /** Relative to the document's folder. */
  readonly files: ReadonlyMap<Key, string>;
  readonly items: readonly MediaItem[];
}

/** Gives each medium that an item needs its place in `media/`; one whose bytes are not here has none. */
export async function placeMedia(item: Item, media: MediaLookup, names = new Names()): Promise<PlacedMedia> {
  const main = item.kind === "guide" ? mainImage(item) : null;
  const keys = new Set<Key>([...(main === null ? [] : [main]), ...item.media.map(({ key }) => key)]);
  const files = new Map<Key, string>();
  const items: MediaItem[] = [];
  for (const key of keys) {
    const found = await media(key);
    if (found === undefined) continue;
    items.push(found);
    // The set grows while it is read: a video's poster gets its place behind it.
    if (found.body.poster !== undefined) keys.add(found.body.poster);
    if (found.body.content !== null) files.set(key, `media/${mediaName(found, names)}`);
  }
  return { files, items };
}

/** The files of media, their bytes by reference. */
export function mediaFiles(folder: string, { files, items }: PlacedMedia): readonly BundleFile[] {
  return items.flatMap(({ key, body: { content } }): readonly BundleFile[] => {
    const file = files.get(key);
    return file === undefined || content === null ? [] : [{ path: folder + file, content: { media: content.sha256 } }];
  });
}

/** oManual knows files, and nothing about them. */
export function reportMedia({ key, body }: MediaItem, report: Report): void {
  if (body.markup !== null) {
    const message = "oManual 1.0 has no place for the annotations of an image.";
    report({ code: "image-markup", level: "loss", key, path: "markup", message });
  }
  if (body.sourceImage !== null) {
    const message = "oManual 1.0 has no place for the image that another one was made from.";
    report({ code: "source-image", level: "loss", key, path: "sourceImage", message });
  }
}
