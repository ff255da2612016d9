import type { ImageRecord } from "../state/media.js";
import type { Site } from "../state/site.js";
import { SIZES } from "../views/image-view.js";
import { OTHER_EDITOR } from "./other-editor.js";

/** A picture that fits everywhere, made from a seed, in the media manager of {@link OTHER_EDITOR}. */
export function newImage(site: Site, seed: string): ImageRecord {
  const image: ImageRecord = {
    id: site.next("image"),
    guid: site.newGuid(),
    filename: `${seed}.png`,
    owner: OTHER_EDITOR.userid,
    inManager: true,
    date: site.now(),
    content: { from: "generator", make: "png", seed },
    loaded: {},
    reencoded: false,
    copyid: null,
    sizes: SIZES,
    originalSuffix: ".full",
    srcid: null,
    width: 1024,
    height: 768,
    markup: null,
  };
  site.media.images.set(image.id, image);
  return image;
}
