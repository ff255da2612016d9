import { print } from "../../wiki/print.js";
import type { GuideList, Image, Video } from "../../wiki/tree.js";
import { parameterOf } from "../../wiki/tree-readers.js";
import { element, escapeHtml, voidElement } from "../escape-html.js";
import { isSafe } from "../hosts.js";
import type { Resolver } from "../resolver.js";
import { readVideoAddress, type ServiceVideo } from "../video-service.js";

/** An image in its box: `div.imageBox > img` and a caption (style sheets of the vendor, wiki-syntax 2.4). */
export function renderImageBox(image: Image, resolver: Resolver): string {
  const align = parameterOf(image, "align") ?? "left";
  const caption = imageFile(image, resolver)?.caption;
  const below = caption === undefined ? "" : element("p", {}, escapeHtml(caption));
  return element("div", { class: `imageBox imageBox_${align}` }, renderImage(image, resolver) + below);
}

/** An image among words. Without a look-up it has no address, and only its id says which it is. */
export function renderImage(image: Image, resolver: Resolver): string {
  const file = imageFile(image, resolver);
  return voidElement("img", { class: sizeOf(image), src: file?.address, "data-imageid": image.target.trim(), alt: "" });
}

function imageFile(image: Image, resolver: Resolver): ReturnType<Resolver["image"]> {
  return resolver.image(image.target.trim(), sizeOf(image));
}

/** `standard` is the site's default (the vendor's tree, wiki-syntax 4.1). */
function sizeOf(image: Image): string {
  return parameterOf(image, "size") ?? "standard";
}

/** A video in its box (real for YouTube, wiki-syntax 3.4). */
export function renderVideo(video: Video, resolver: Resolver): string {
  const target = video.target.trim();
  const found = readVideoAddress(target);
  const player = found === undefined ? ownPlayer(target, resolver) : PLAYERS[found.service](found);
  const align = parameterOf(video, "align") ?? "center";
  const size = parameterOf(video, "size") ?? "large";
  const frame = { class: `${size} videoFrame videoBox_${align}`, style: "width:570px" };
  return element("div", frame, element("div", { class: "videoBox" }, player));
}

const SCREEN = { width: "560", height: "315" } as const;

const PLAYERS: Readonly<Record<ServiceVideo["service"], (video: ServiceVideo) => string>> = {
  youtube: ({ id }) => {
    const style = `background-image:url("https://i.ytimg.com/vi/${id}/hqdefault.jpg")`;
    const src = `https://www.youtube-nocookie.com/embed/${id}?wmode=opaque`;
    return element("div", { videoid: id, class: "youtube-player", src, style, ...SCREEN }, "");
  },
  vimeo: ({ id }) => element("iframe", { src: `https://player.vimeo.com/video/${id}`, ...SCREEN }, ""),
};

/** A video that the site keeps itself (`<video poster><source>`, style sheets of the vendor), or one at a service that nobody knows. */
function ownPlayer(target: string, resolver: Resolver): string {
  if (isSafe(target)) return element("video", { controls: "", src: target, ...SCREEN }, "");
  const file = resolver.video(target);
  const source = file === undefined ? "" : voidElement("source", { src: file.address });
  return element("video", { controls: "", poster: file?.poster, "data-videoid": target, ...SCREEN }, source);
}

/** A video among words, where no box may stand: a link, or its source where nobody knows where it is. */
export function renderVideoLink(video: Video, { video: find }: Resolver): string {
  const target = video.target.trim();
  const href = isSafe(target) ? target : find(target)?.address;
  return href === undefined ? escapeHtml(print(video)) : element("a", { href }, escapeHtml(target));
}

/** The grid of a guide list (style sheets of the vendor); what it lists is known to the site only. */
export function renderGuideList(list: GuideList): string {
  const choice = { "data-tags": parameterOf(list, "tags"), "data-type": parameterOf(list, "type") };
  return element("div", { class: "blurbListWide", ...choice }, element("div", { class: "grid" }, ""));
}
