import type { Element, ElementContent } from "hast";
import type { Key } from "../../../../src/core/model/key.js";
import { readOwnAddress } from "../../../references/own-address.js";
import { classesOf, property } from "../../from/reading.js";
import { videoPage } from "../../video-service.js";
import { absentMedium, mediumNodes, type Placing, placing } from "../media-nodes.js";
import { wordsIn } from "../node.js";
import type { ReaderContext } from "../reader-context.js";
import type { ReaderMedium } from "../reader-links.js";
import { filmElsewhere } from "../reader-media.js";
import { safeAddress } from "../safe-address.js";
import type { ForeignHandler, ReadNodes } from "./foreign-handler.js";

/** Pictures and films. */
export const FOREIGN_MEDIA: Readonly<Record<string, ForeignHandler>> = {
  img: (element, context) => pictureNodes(element, context, [], undefined),
  video: readVideo,
  source: () => [],
  iframe: (element, context) => filmAt(property(element, "src"), context),
  "lite-youtube": readYoutube,
};

/** The site's boxes by their class (wiki-syntax 2.4 and 3.4). */
export const FOREIGN_BOXES: Readonly<Record<string, ForeignHandler>> = {
  imageBox: readImageBox,
  "youtube-player": readYoutube,
};

const SIZES: readonly string[] = ["mini", "thumbnail", "medium", "large"];

function pictureNodes(
  element: Element,
  context: ReaderContext,
  places: Placing,
  caption: string | undefined,
): readonly ElementContent[] {
  const address = property(element, "src").trim();
  const alt = property(element, "alt").trim();
  const id = property(element, "dataImageid");
  const medium = mediumOf(/^\d{1,15}$/.test(id) ? `image/${Number(id)}` : undefined, address, context);
  if (medium === undefined) return absentMedium(alt === "" ? "picture" : alt, webAddress(address, context), context);
  const size = SIZES.find((each) => classesOf(element).includes(each) || address.endsWith(`.${each}`));
  const shown = { ...medium, ...(alt === "" ? {} : { title: alt }), ...(caption === undefined ? {} : { caption }) };
  return mediumNodes(shown, [...places, ...placing(undefined, size)], context);
}

/** A picture with its caption below, which is words (style sheets of the vendor). */
function readImageBox(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const within = descendants(element);
  const images = within.filter(({ tagName }) => tagName === "img");
  const [image] = images;
  if (image === undefined || images.length > 1) return read(element.children, context);
  const align = classesOf(element).find((name) => name.startsWith("imageBox_")) ?? "imageBox_left";
  const below = within.filter(({ tagName }) => tagName === "p").map(({ children }) => wordsIn(children).trim());
  const caption = below.join(" ").trim();
  const places = placing(align.slice("imageBox_".length), undefined);
  return pictureNodes(image, context, places, caption === "" ? undefined : caption);
}

function descendants({ children }: Element): readonly Element[] {
  return children.flatMap((child) => (child.type === "element" ? [child, ...descendants(child)] : []));
}

function readYoutube(element: Element, context: ReaderContext): readonly ElementContent[] {
  const id = property(element, "videoid");
  const known = /^[\w-]{1,64}$/.test(id);
  return filmAt(known ? videoPage({ service: "youtube", id }) : property(element, "src"), context);
}

/** A film of the site itself has an id, or its file's address tells it. */
function readVideo(element: Element, context: ReaderContext): readonly ElementContent[] {
  const sources = [element, ...descendants(element)].map((each) => property(each, "src").trim());
  const source = sources.find((each) => each !== "") ?? "";
  const id = property(element, "dataVideoid");
  const medium = mediumOf(/^\d{1,15}$/.test(id) ? `video/${Number(id)}` : undefined, source, context);
  return medium === undefined ? filmAt(source, context) : mediumNodes(medium, [], context);
}

/** What came without an address shows nothing at the site either. */
function filmAt(address: string, context: ReaderContext): readonly ElementContent[] {
  return address.trim() === "" ? [] : filmElsewhere(address.trim(), context);
}

function mediumOf(id: Key | undefined, address: string, { links }: ReaderContext): ReaderMedium | undefined {
  const keys = [id, links.mediaKey?.(address), readOwnAddress(address, 0, links.site)?.key];
  for (const key of keys) {
    const medium = key === undefined || key === null ? undefined : links.medium(key);
    if (medium !== undefined) return medium;
  }
  return undefined;
}

function webAddress(address: string, { links }: ReaderContext): string | undefined {
  const found = safeAddress(address, links.site.origin);
  return found !== undefined && /^https?:/.test(found) ? found : undefined;
}
