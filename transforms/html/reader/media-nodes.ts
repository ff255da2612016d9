import type { Element, ElementContent, Properties } from "hast";
import { absentNodes, linkNodes } from "./link-nodes.js";
import { node, words } from "./node.js";
import type { ReaderContext } from "./reader-context.js";
import type { ReaderMedium, Showing } from "./reader-links.js";

/** How a text wants a picture or a film to stand: class names that `READER_CLASSES` lists. */
export type Placing = readonly string[];

const PLACES: ReadonlySet<string> = new Set(["left", "right", "center"]);
const SIZES: ReadonlySet<string> = new Set(["mini", "thumbnail", "standard", "medium", "large"]);

/** The class names of an alignment and a size; what nobody knows has none. */
export function placing(align: string | undefined, size: string | undefined): Placing {
  return [
    ...(align !== undefined && PLACES.has(align) ? [align] : []),
    ...(size !== undefined && SIZES.has(size) ? [size] : []),
  ];
}

/** A picture, a film, a sound or a file, each in the way in which its bytes can be shown; in the middle of words a film is a link to it. */
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

/** What stands for a picture or a film that this archive has not. */
export function absentMedium(
  name: string,
  address: string | undefined,
  { inLink, blocks }: ReaderContext,
): readonly ElementContent[] {
  const shown = absentNodes([words(name)], inLink ? undefined : address);
  return blocks ? [node("p", shown)] : shown;
}
