import type { ElementContent } from "hast";
import { goalOf } from "../../references/node-goal.js";
import type { GuideList, Image, Video } from "../../wiki/tree.js";
import { parameterOf } from "../../wiki/tree-readers.js";
import { readVideoAddress, videoPage } from "../video-service.js";
import { linkNodes } from "./link-nodes.js";
import { absentMedium, mediumNodes, placing } from "./media-nodes.js";
import { node, words } from "./node.js";
import type { ReaderContext } from "./reader-context.js";
import type { ReaderMedium } from "./reader-links.js";
import { safeAddress } from "./safe-address.js";

/** A picture of a text. */
export function readerImage(image: Image, context: ReaderContext): readonly ElementContent[] {
  const { align, size } = { align: parameterOf(image, "align"), size: parameterOf(image, "size") };
  const medium = mediumOf(image, context);
  if (medium === undefined) return absentMedium(`picture ${image.target.trim()}`, undefined, context);
  return mediumNodes(medium, placing(align ?? "left", size ?? "standard"), context);
}

/** A film of a text: of the site itself, or at a service, which the reader never asks, so that a link stands for it. */
export function readerVideo(video: Video, context: ReaderContext): readonly ElementContent[] {
  const medium = mediumOf(video, context);
  const places = placing(parameterOf(video, "align") ?? "center", parameterOf(video, "size"));
  return medium === undefined ? filmElsewhere(video.target.trim(), context) : mediumNodes(medium, places, context);
}

function mediumOf(node: Image | Video, { links }: ReaderContext): ReaderMedium | undefined {
  const key = goalOf(node, links.site)?.key ?? undefined;
  return key === undefined ? undefined : links.medium(key);
}

/** A film that is not in this archive: a link to where it can be seen, if an address is known. */
export function filmElsewhere(target: string, context: ReaderContext): readonly ElementContent[] {
  const found = readVideoAddress(target);
  const address = safeAddress(found === undefined ? target : videoPage(found), context.links.site.origin);
  if (address === undefined || !/^https?:/.test(address)) return absentMedium(`video ${target}`, undefined, context);
  const label = [words(`Video: ${address}`)];
  return card(context.inLink ? label : linkNodes({ type: "outside", address, title: address }, label), context);
}

/** A list that the site makes when somebody looks at the page: what it chooses by, with links to the tags that are here. */
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

/** What the site shows as a box. */
export function card(content: readonly ElementContent[], { blocks }: ReaderContext): readonly ElementContent[] {
  return blocks ? [node("p", content, { className: ["embed"] })] : content;
}
