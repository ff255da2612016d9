import { type Key, kindOf } from "../../../core/model/key.js";
import { parallel } from "../../../core/util/parallel.js";
import type { Shelf } from "../library.js";
import { mediaPath } from "../page-path.js";
import { itemOf } from "./item-of.js";
import type { MediaFile } from "./media-files.js";
import { mediaTypeIn } from "./media-type-in.js";
import { hrefAt, hrefToShared, type PageScope } from "./scope.js";

/** Files at one time, by their items, with addresses relative to the page. */
export type TimeMedia = ReadonlyMap<Key, MediaFile>;

/** Items that are read at the same time. */
const WIDTH = 8;

/** Finds files at a time that may be another one than that of the page; what is not there is left out. */
export async function mediaOfTime(scope: PageScope, shelf: Shelf, keys: Iterable<Key>): Promise<TimeMedia> {
  const found = new Map<Key, MediaFile>();
  await parallel(new Set(keys), WIDTH, async (key) => {
    const file = await fileOf(scope, shelf, key);
    if (file !== undefined) found.set(key, file);
  });
  return found;
}

async function fileOf(scope: PageScope, shelf: Shelf, key: Key): Promise<MediaFile | undefined> {
  const { item } = await itemOf(shelf, key);
  if (item === undefined || !("content" in item.body) || item.body.content === null) return undefined;
  const { content, fileName, width, height, poster } = item.body;
  const type = await mediaTypeIn(shelf, content.sha256, fileName);
  if (type === undefined) return undefined;
  const path = mediaPath(content.sha256, type);
  const href = scope.shared === undefined ? hrefAt(scope, shelf.facts.id, path) : hrefToShared(scope, path);
  const hasPoster = poster !== undefined && kindOf(poster) === "image" && type.shown === "video";
  const picture = hasPoster ? await fileOf(scope, shelf, poster) : undefined;
  return {
    href,
    shown: type.shown,
    title: fileName ?? key.replace("/", " "),
    size: content.size,
    width,
    height,
    ...(picture?.shown === "image" ? { poster: picture.href } : {}),
  };
}
