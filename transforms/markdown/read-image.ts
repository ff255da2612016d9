import type { ImageReference, Image as MarkdownImage } from "mdast";
import { addressLink, writableAddress } from "../settle/address-link.js";
import type { Tell } from "../settle/draft.js";
import { guideList, image, text, video } from "../wiki/build-inlines.js";
import type { Inline } from "../wiki/tree.js";
import { ALTERNATIVES, FIELD, type Media } from "./addresses.js";
import type { Resource } from "./read-link.js";
import { type Reading, tellAt } from "./reading.js";

/** An image, a video or a list of guides by its reference; an image by its address becomes a link to it. */
export function readImage(
  node: MarkdownImage | ImageReference,
  { url, title }: Resource,
  reading: Reading,
): readonly Inline[] {
  const tell = tellAt(reading, node);
  const fields = title ? title.split("|") : [];
  const fit = fields.every((field) => FIELD.test(field));
  const media = readMedia(url, fit ? Object.fromEntries(fields.map(nameAndValue)) : {});
  if (media === undefined) return imageLink(url, node.alt, tell);
  if (!fit) tell("image-title", "loss", `Wiki text has no titles of images; "${title}" is left out.`);
  if (node.alt !== ALTERNATIVES[media.type]) {
    tell("image-text", "loss", `Wiki text has no words for what an image shows; "${node.alt}" is left out.`);
  }
  return [media];
}

type Values = Readonly<Record<string, string>>;

const MEDIA: readonly (readonly [RegExp, (target: string, values: Values) => Media])[] = [
  [/^image:(\d+)$/i, image],
  [/^video:([^\s[\]|][^[\]|\n]*)$/i, video],
  [/^guidelist:()$/i, (_, values) => guideList(values)],
];

function readMedia(url: string, values: Values): Media | undefined {
  for (const [pattern, build] of MEDIA) {
    const target = pattern.exec(url)?.[1];
    if (target !== undefined) return build(target, values);
  }
  return undefined;
}

function nameAndValue(field: string): readonly [string, string] {
  const equals = field.indexOf("=");
  return [field.slice(0, equals), field.slice(equals + 1)];
}

/** The site knows images by id alone. */
function imageLink(url: string, words: string | null | undefined, tell: Tell): readonly Inline[] {
  const address = writableAddress(url);
  if (address === undefined) {
    tell("image-address", "loss", `An image cannot be at ${JSON.stringify(url)}; only its words are kept.`);
    return words ? [text(words)] : [];
  }
  tell("image-address", "loss", `Wiki text has images of the site alone; ${address} is a link now.`);
  return [addressLink(address, [text(words || address)], false)];
}
