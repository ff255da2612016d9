import { type Answer, textAt } from "../state/answer.js";
import type { ImageRecord } from "../state/media.js";
import type { Site } from "../state/site.js";

/** The renditions of a new image (facts, 3.5); `huge` only where the original is large enough. */
export const SIZES: readonly string[] = [
  "mini",
  "thumbnail",
  "140x105",
  "200x150",
  "standard",
  "440x330",
  "medium",
  "large",
];

/** An image object, every address at this site's media origin; null when there is no such image. */
export function imageView(site: Site, id: number | null): Answer | null {
  const image = id === null ? undefined : site.media.images.get(id);
  return image === undefined ? null : imageObject(site, image);
}

/** The image object of a known image. */
export function imageObject(site: Site, image: ImageRecord): Answer {
  const address = `${site.mediaOrigin}/media/${image.guid}`;
  const sizes = image.sizes.map((size) => [size, `${address}.${size}`]);
  return { id: image.id, guid: image.guid, ...Object.fromEntries(sizes), original: address + image.originalSuffix };
}

/** The answer of `GET /media/images/{id}` (facts, 5.1). */
export function imageDetail(site: Site, image: ImageRecord): Answer {
  return {
    ...image.loaded,
    image: imageObject(site, image),
    srcid: image.srcid,
    width: image.width,
    height: image.height,
    ratio: ratioOf(image.width, image.height),
    markup: image.markup,
    exif: image.loaded["exif"] ?? { FileName: image.filename, FileDateTime: image.date },
  };
}

/** The name that the service gives to a shape of images. */
export function ratioOf(width: number, height: number): string {
  if (width === height) return "ONE_ONE";
  return Math.abs(width / height - 4 / 3) < 0.01 ? "FOUR_THREE" : "VARIABLE";
}

/** The address of a rendition in an image's object; the original when the size is not there. */
export function addressOf(site: Site, id: number | null, size: string): string | null {
  const view = imageView(site, id);
  return view === null ? null : textAt(view, size, textAt(view, "original"));
}
