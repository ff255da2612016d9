import type { StepMedia } from "../../core/model/guide.js";
import type { Key } from "../../core/model/key.js";
import { readImage } from "./image.js";
import type { MediaUses } from "./media-uses.js";
import type { Place } from "./place.js";
import { readVideo } from "./video.js";

const NONE: StepMedia = { type: "none" };

type Reader = (data: Place, uses: MediaUses, path: string) => StepMedia;

/** By `media.type` (api-facts 3.5). Writes call videos and embeds `object`; a reader may meet that too. */
const READERS: Readonly<Record<string, Reader>> = {
  image: readImages,
  video: readObject,
  embed: readObject,
  object: readObject,
};

/** What a step shows. Missing or malformed media read as none, as the official client does. */
export function readStepMedia(media: Place, uses: MediaUses, path: string): StepMedia {
  const type = media.at("type").value;
  if (typeof type !== "string") return NONE;
  const reader = READERS[type.toLowerCase()];
  if (reader !== undefined) return reader(media.at("data"), uses, path);
  media.report("unknown-media", "loss", `is of the type "${type}", which is not known; the step is taken without it`);
  return NONE;
}

function readImages(data: Place, uses: MediaUses, path: string): StepMedia {
  const images = data.items().flatMap((place, index): readonly Key[] => {
    const key = readImage(place, uses, `${path}.images[${index}]`);
    return key === null ? [] : [key];
  });
  return images.length === 0 ? NONE : { type: "images", images };
}

function readObject(data: Place, uses: MediaUses, path: string): StepMedia {
  const video = readVideo(data, uses, `${path}.video`);
  if (video !== null) return { type: "video", video };
  const embed = data.object();
  const url = embed?.at("url").textOrNull() ?? null;
  if (embed !== undefined && url !== null) return { type: "embed", url, title: embed.at("title").textOrNull() };
  if (embed !== undefined)
    data.report("unknown-media", "loss", "has neither a video's id nor an address; it is left out");
  return NONE;
}
