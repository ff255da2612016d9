import type { Media } from "../../model/media.js";
import { readImageObject } from "./image.js";
import type { Place } from "./place.js";

/** The answer of `GET media/images/{id}` (api-facts 5.1); undefined when it names no address. */
export function readImageDetail(detail: Place): Media | undefined {
  const image = readImageObject(detail.at("image"));
  if (image?.url === undefined || image.url === null) return undefined;
  const source = detail.at("srcid").integer();
  return {
    id: image.id,
    guid: image.guid,
    fileName: detail.at("exif").object()?.at("FileName").textOrNull() ?? null,
    url: image.url,
    width: detail.at("width").number(),
    height: detail.at("height").number(),
    markup: detail.at("markup").textOrNull(),
    sourceImage: source === null ? null : `image/${source}`,
    content: null,
  };
}
