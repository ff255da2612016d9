import type { Element, ElementContent, Properties } from "hast";
import { linkTargetOf } from "../../references/read-node.js";
import { parameterOf } from "../../wiki/read-tree.js";
import type { GuideList, Image, Video } from "../../wiki/tree.js";
import { readVideoAddress, videoPage } from "../video-service.js";
import { absentNodes, linkNodes } from "./link-nodes.js";
import type { ReaderContext, ReaderMedium, Showing } from "./reader-links.js";
import { node, safeAddress, words } from "./safe-html.js";

export function readerImage(image: Image, context: ReaderContext): readonly ElementContent[] {
  const { align, size } = { align: parameterOf(image, "align"), size: parameterOf(image, "size") };
  const medium = mediumOf(image, context);
  if (medium === undefined) return absentMedium(`picture ${image.target.trim()}`, undefined, context);
  return mediumNodes(medium, placing(align ?? "left", size ?? "standard"), context);
}

/** The reader never contacts a video service, so such a video becomes a link. */
export function readerVideo(video: Video, context: ReaderContext): readonly ElementContent[] {
  const medium = mediumOf(video, context);
  const places = placing(parameterOf(video, "align") ?? "center", parameterOf(video, "size"));
  return medium === undefined ? filmElsewhere(video.target.trim(), context) : mediumNodes(medium, places, context);
}

function mediumOf(node: Image | Video, { links }: ReaderContext): ReaderMedium | undefined {
  const key = linkTargetOf(node, links.site)?.key ?? undefined;
  return key === undefined ? undefined : links.medium(key);
}

/** A video outside of the archive: a link to it, if an address is known. */
export function filmElsewhere(target: string, context: ReaderContext): readonly ElementContent[] {
  const found = readVideoAddress(target);
  const address = safeAddress(found === undefined ? target : videoPage(found), context.links.site.origin);
  if (address === undefined || !/^https?:/.test(address)) return absentMedium(`video ${target}`, undefined, context);
  const label = [words(`Video: ${address}`)];
  return card(context.inLink ? label : linkNodes({ type: "outside", address, title: address }, label), context);
}

/** The site fills the list on each view, so its rule is shown, with links to known tags. */
export function readerGuideList(list: GuideList, context: ReaderContext): readonly ElementContent[] {
  const tags = (parameterOf(list, "tags") ?? "").split(",").map((tag) => tag.trim());
  const type = parameterOf(list, "type");
  const shown = tags
    .filter((tag) => tag !== "")
    .flatMap((tag, index) => [words(index === 0 ? " tagged " : ", "), ...tagNodes(tag, context)]);
  const ofType = type === undefined ? [] : [words(` of the type ${type}`)];
  return card([words("All guides"), ...shown, ...ofType], context);
}

function tagNodes(tag: string, { links, inLink }: ReaderContext): readonly ElementContent[] {
  const page = links.tag?.(tag);
  return page === undefined || inLink ? [words(tag)] : linkNodes({ type: "page", ...page }, [words(tag)]);
}

export function card(content: readonly ElementContent[], { blocks }: ReaderContext): readonly ElementContent[] {
  return blocks ? [node("p", content, { className: ["embed"] })] : content;
}

/** Class names of `READER_CLASSES`. */
export type Placing = readonly string[];

const PLACES: ReadonlySet<string> = new Set(["left", "right", "center"]);
const SIZES: ReadonlySet<string> = new Set(["mini", "thumbnail", "standard", "medium", "large"]);

/** Empty for unknown values. */
export function placing(align: string | undefined, size: string | undefined): Placing {
  return [
    ...(align !== undefined && PLACES.has(align) ? [align] : []),
    ...(size !== undefined && SIZES.has(size) ? [size] : []),
  ];
}

/** Shows an image, video, sound or file as its bytes allow; among words a video is a link. */
export function mediumNodes(medium: ReaderMedium, places: Placing, context: ReaderContext): readonly ElementContent[] {
  return SHOWERS[medium.shown](medium, places, context);
}

type Shower = (medium: ReaderMedium, places: Placing, context: ReaderContext) => readonly ElementContent[];

const SHOWERS: Readonly<Record<Showing, Shower>> = {
  image: picture,
  video: (medium, places, context) => player("video", medium, places, context),
  audio: (medium, places, context) => player("audio", medium, places, context),
  pdf: file,
  download: file,
};

function picture(medium: ReaderMedium, places: Placing, context: ReaderContext): readonly ElementContent[] {
  const { address, title, caption } = medium;
  const image = node("img", [], {
    ...(context.blocks ? {} : { className: ["inline"] }),
    src: address,
    alt: title,
    ...sizeOf(medium),
    loading: "lazy",
    decoding: "async",
  });
  const shown = context.inLink ? image : node("a", [image], { className: ["zoom"], href: address });
  return [context.blocks ? figure("picture", shown, caption, places) : shown];
}

function player(
  name: "video" | "audio",
  medium: ReaderMedium,
  places: Placing,
  context: ReaderContext,
): readonly ElementContent[] {
  if (!context.blocks) return file(medium, places, context);
  const { address, title, caption, poster } = medium;
  const look = name === "video" ? { ...sizeOf(medium), ...(poster === undefined ? {} : { poster }) } : {};
  const shown = node(name, [], { src: address, controls: true, preload: "none", ariaLabel: title, ...look });
  return [figure("film", shown, caption, places)];
}

function file(medium: ReaderMedium, _: Placing, { inLink, blocks }: ReaderContext): readonly ElementContent[] {
  if (inLink) return [words(medium.title)];
  const link = linkNodes({ type: "medium", medium }, []);
  return blocks ? [node("p", link)] : link;
}

function figure(kind: "picture" | "film", shown: Element, caption: string | undefined, places: Placing): Element {
  const below = caption === undefined ? [] : [node("figcaption", [words(caption)])];
  return node("figure", [shown, ...below], { className: [kind, ...places] });
}

function sizeOf({ width, height }: ReaderMedium): Properties {
  return isLength(width) && isLength(height) ? { width, height } : {};
}

function isLength(pixels: number | null): pixels is number {
  return pixels !== null && Number.isSafeInteger(pixels) && pixels > 0;
}

export function absentMedium(
  name: string,
  address: string | undefined,
  { inLink, blocks }: ReaderContext,
): readonly ElementContent[] {
  const shown = absentNodes([words(name)], inLink ? undefined : address);
  return blocks ? [node("p", shown)] : shown;
}
