import type { Key } from "../../model/key.js";
import { parallel } from "../../util/parallel.js";
import type { Shelf } from "../library.js";
import { mediaPath } from "../page-path.js";
import { itemOf } from "./item-of.js";
import { mediaTypeIn } from "./media-type-in.js";
import { hrefAt, type PageScope } from "./scope.js";

/** The addresses of pictures at one time, relative to the page; of what is no picture, undefined. */
export type TimeMedia = ReadonlyMap<Key, string | undefined>;

/** Items that are read at the same time. */
const WIDTH = 8;

/** Finds pictures at a time that is not the one of the page. */
export async function mediaOfTime(scope: PageScope, shelf: Shelf, keys: readonly Key[]): Promise<TimeMedia> {
  const found = new Map<Key, string | undefined>();
  await parallel(new Set(keys), WIDTH, async (key) => {
    found.set(key, await pictureOf(scope, shelf, key));
  });
  return found;
}

async function pictureOf(scope: PageScope, shelf: Shelf, key: Key): Promise<string | undefined> {
  const { item } = await itemOf(shelf, key);
  const content = item !== undefined && "content" in item.body ? item.body.content : null;
  const type = content === null ? undefined : await mediaTypeIn(shelf, content.sha256);
  if (content === null || type?.shown !== "image") return undefined;
  return hrefAt(scope, shelf.facts.id, mediaPath(content.sha256, type));
}
