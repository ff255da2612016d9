import { type Answer, numberAt, objectAt, objectsAt, textAt } from "../../state/answer.js";
import { element, words } from "./xml-element.js";
import { imageXml } from "./xml-pieces.js";

/** What a step shows, from the `media` of its JSON; nothing for a step without: an empty element would not be valid. */
export function mediaXml(media: Answer): string {
  const type = textAt(media, "type");
  const shown = KINDS[type]?.(media) ?? "";
  return shown === "" ? "" : element("media", { type }, shown);
}

const KINDS: Readonly<Record<string, (media: Answer) => string>> = {
  image: (media) =>
    objectsAt(media, "data")
      .map((image) => imageXml("image", image))
      .join(""),
  video: (media) => (media["data"] === null ? "" : videoXml(objectAt(media, "data"))),
  embed: (media) => embedXml(objectAt(media, "data")),
};

function videoXml(video: Answer): string {
  const encodings = objectsAt(video, "encodings").map(encodingXml);
  const poster = objectAt(objectAt(video, "image"), "image");
  return element(
    "video",
    {},
    element("objectid", {}, words(video["objectid"])),
    // The schema wants one, also while the video is being prepared.
    ...(encodings.length === 0 ? [element("encoding", {})] : encodings),
    element("source", sourceAttributes(objectAt(video, "meta"))),
    imageXml("poster", poster, { guid: textAt(poster, "guid") }),
  );
}

/** The schema has no attribute for the address, so it is the text (omanual 2). */
function encodingXml(encoding: Answer): string {
  const attributes = { width: numberAt(encoding, "width") ?? null, height: numberAt(encoding, "height") ?? null };
  const named = ["codecs", "format", "mime"].map((name) => [name, textAt(encoding, name) || null] as const);
  const always = encoding["always_generate"] === undefined ? "" : Number(Boolean(encoding["always_generate"]));
  return element(
    "encoding",
    { ...attributes, ...Object.fromEntries(named) },
    words(encoding["url"]),
    ...(["column", "label"] as const).map((name) => element(name, {}, words(encoding[name]))),
    ...(always === "" ? [] : [element("always_generate", {}, words(always))]),
  );
}

/** Those that servers print empty where nothing is known (omanual 8). */
const EMPTY = ["audio_bitrate_in_kbps", "audio_sample_rate", "total_bitrate_in_kbps", "audio_codec", "channels"];
const WHOLE = ["duration_in_ms", "video_bitrate_in_kbps", "file_size_in_bytes", "width", "height"];
const OTHER = ["video_codec", "frame_rate", "format"];

function sourceAttributes(meta: Answer): Readonly<Record<string, string | null>> {
  const known = (name: string) => String(meta[name] ?? "");
  return {
    ...Object.fromEntries(EMPTY.map((name) => [name, known(name)])),
    ...Object.fromEntries(WHOLE.map((name) => [name, /^\d+$/.test(known(name)) ? known(name) : null])),
    ...Object.fromEntries(OTHER.map((name) => [name, known(name) || null])),
  };
}

const CHILDREN = [
  ...["url", "title", "type", "provider_url", "html", "provider_name", "author_url", "author_name", "objectid"],
] as const;
const NUMBERS = ["cache_age", "height", "width"] as const;

/** Texts as children, numbers as attributes (omanual 8). */
function embedXml(embed: Answer): string {
  const numbers = NUMBERS.map((name) => [name, numberAt(embed, name) ?? null] as const);
  const children = CHILDREN.filter((name) => embed[name] != null).map((name) => element(name, {}, words(embed[name])));
  return element("embed", { version: textAt(embed, "version") || null, ...Object.fromEntries(numbers) }, ...children);
}
