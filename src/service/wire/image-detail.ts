import type { Key } from "../../core/model/key.js";
import type { Media } from "../../core/model/media.js";
import { readImageObject } from "./image.js";
import type { MediaUses } from "./media-uses.js";
import type { Place } from "./place.js";

/** The answer of `GET media/images/{id}` (api-facts 5.1); undefined when it names no address. The use of the picture that it was made from is added. */
export function readImageDetail(detail: Place, uses: MediaUses): Media | undefined {
  const image = readImageObject(detail.at("image"));
  if (image?.url === undefined || image.url === null) return undefined;
  const source = detail.at("srcid").integer();
  const sourceImage: Key | null = source === null ? null : `image/${source}`;
  if (sourceImage !== null) uses.add({ key: sourceImage, url: null, guid: null, fileName: null, path: "sourceImage" });
  return {
    id: image.id,
    guid: image.guid,
    fileName: detail.at("exif").object()?.at("FileName").textOrNull() ?? null,
    url: image.url,
    width: detail.at("width").number(),
    height: detail.at("height").number(),
    markup: detail.at("markup").textOrNull(),
    sourceImage,
    content: null,
  };
}
