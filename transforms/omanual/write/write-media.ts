import { embedAddress } from "../embed-address.js";
import { IMAGE_SIZES, type ManualEmbed, type ManualImage, type ManualMedia, type ManualVideo } from "../manual.js";
import type { Tell } from "./finding.js";
import { branch, leaf, type WrittenElement } from "./print-element.js";
import { address, decimal, integer } from "./values.js";

/** Images of one step (schema). */
const MOST_IMAGES = 3;

/** What a step shows; null where nothing of it can be written, since an empty `media` is invalid (omanual 2). */
export function writeMedia(media: ManualMedia, path: string, tell: Tell): WrittenElement | null {
  if (media.type === "image") return writeImages(media.images, path, tell);
  return media.type === "embed" ? writeEmbed(media.embed, path, tell) : writeVideo(media.video, path, tell);
}

function writeImages(images: readonly ManualImage[], path: string, tell: Tell): WrittenElement | null {
  const kept = images.slice(0, MOST_IMAGES);
  if (images.length > MOST_IMAGES) {
    const message = `A step of oManual 1.0 has up to ${MOST_IMAGES} images; ${images.length - MOST_IMAGES} more are left out.`;
    tell({ code: "too-many-images", level: "loss", path: `${path}.images`, message });
  }
  const written = kept.map((image, index) => writeImage(image, { orderby: String(index + 1) }));
  return written.length === 0 ? null : branch("media", written, { type: "image" });
}

/** An image; without one, the empty element that the schema wants. Sizes are known only where the image was read with them. */
export function writeImage(
  image: ManualImage | null,
  attributes: Readonly<Record<string, string>> = {},
): WrittenElement {
  const sizes = Object.fromEntries(IMAGE_SIZES.map((size) => [size, image?.sizes[size] || null]));
  return leaf("image", image?.path ?? "", { ...attributes, ...sizes });
}

/** Attributes of `embed` that stand in all schemas, by their types. */
const EMBED_FACTS: Readonly<Record<string, (value: string) => string | null>> = {
  version: decimal,
  width: integer,
  height: integer,
  cache_age: integer,
  thumbnail_url: address,
  thumbnail_width: integer,
  thumbnail_height: integer,
};

/** Facts that the address tells again, or that every embed has. */
const EMBED_OTHERS: ReadonlySet<string> = new Set(["url", "version", "objectid"]);

/**
 * An embed. The schema has its facts in attributes, the vendor's patch in children (omanual 8), so that no form of them is valid in
 * both: the address stands in the words, which both allow, and the facts that both have are attributes.
 */
function writeEmbed(embed: ManualEmbed, path: string, tell: Tell): WrittenElement | null {
  const { facts } = embed;
  const url = embedAddress(embed);
  const lost = Object.keys(facts).filter((name) => !(name in EMBED_FACTS || EMBED_OTHERS.has(name)) && facts[name]);
  if (lost.length > 0) {
    const message = `No form of an embed's ${lost.join(", ")} is valid by both schemas of 1.0; only its address is written.`;
    tell({ code: "embed-facts", level: "loss", path, message });
  }
  if (url === "") {
    const message = "An embed has no address; it is left out.";
    tell({ code: "embed-without-address", level: "loss", path, message });
    return null;
  }
  const attributes = Object.fromEntries(
    Object.entries(EMBED_FACTS).map(([name, read]) => [name, read(facts[name] ?? "")] as const),
  );
  return branch("media", [leaf("embed", url, { ...attributes, version: attributes["version"] ?? "1.0" })], {
    type: "embed",
  });
}

/** The schema's video may not have the `objectid` that the vendor's patch requires, so that a video is written as an embed of its file. */
function writeVideo({ encodings }: ManualVideo, path: string, tell: Tell): WrittenElement | null {
  const pixels = ({ facts }: ManualVideo["encodings"][number]) => Number(facts["width"]) * Number(facts["height"]) || 0;
  const best = encodings.toSorted((a, b) => pixels(b) - pixels(a)).find((encoding) => encoding.path !== "");
  if (best === undefined) {
    const message = "A video has no address; it is left out.";
    tell({ code: "video-without-address", level: "loss", path, message });
    return null;
  }
  const message = "No form of a video is valid by both schemas of 1.0; it is written as an embed of its file.";
  tell({ code: "video-as-embed", level: "loss", path, message });
  return branch("media", [leaf("embed", best.path, { version: "1.0" })], { type: "embed" });
}
