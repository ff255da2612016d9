import type { Key } from "../../core/model/key.js";
import { readAddress } from "./address.js";
import type { MediaUses } from "./media-uses.js";
import type { Place } from "./place.js";

/** Sizes from the best to the smallest (api-facts 3.5); `original` is always there on current sites. */
const SIZES = ["original", "huge", "large", "medium", "440x330", "standard", "200x150", "140x105", "thumbnail", "mini"];

/** What an image object says (api-facts 3.5). */
export interface ImageObject {
  readonly id: number;
  readonly guid: string | null;
  readonly url: string | null;
}

/** An image object, or undefined where none is. Placeholder pictures have negative ids and are no content (api-facts 2.3). */
export function readImageObject(place: Place): ImageObject | undefined {
  const image = place.object();
  if (image === undefined) return undefined;
  const id = image.at("id").integer();
  if (id === null) {
    image.report("image-without-id", "loss", "is an image without an id; it is left out");
    return undefined;
  }
  return id < 0 ? undefined : { id, guid: image.at("guid").textOrNull(), url: bestAddress(image) };
}

/** The key of an image that a field shows, or null; its use is added under the field's name in the model. */
export function readImage(place: Place, uses: MediaUses, path: string): Key | null {
  const image = readImageObject(place);
  if (image === undefined) return null;
  const key: Key = `image/${image.id}`;
  uses.add({ key, url: image.url, guid: image.guid, fileName: null, path });
  return key;
}

function bestAddress(image: Place): string | null {
  for (const size of SIZES) {
    const address = readAddress(image.at(size));
    if (address !== null) return address;
  }
  return null;
}
