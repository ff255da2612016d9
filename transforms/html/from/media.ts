import type { Element } from "hast";
import { embed, guideList, image, link, parameter, text, video } from "../../wiki/build.js";
import { addressLink, writableAddress } from "../../wiki/draft.js";
import { isMedium } from "../../wiki/leaves.js";
import type { GuideList, Image, Inline, Video } from "../../wiki/tree.js";
import { readVideoAddress, videoPage, videoPageOf } from "../video-service.js";
import { type Conversion, classesOf, type Handler, type Item, property } from "./conversion.js";

export const MEDIA_HANDLERS: Readonly<Record<string, Handler>> = {
  img: (element, _, conversion) => readImage(element, conversion),
  iframe: (element, _, conversion) => readPlayer(element, property(element, "src"), conversion),
  video: readVideo,
  source: () => [],
  "lite-youtube": (element) => youtube(property(element, "videoid")),
};

/** The site's boxes by their class (wiki-syntax 2.4 and 3.4). */
export const MEDIA_CLASSES: Readonly<Record<string, Handler>> = {
  imageBox: (element, content) => content.map((item) => alignedEmbed(item, element, "imageBox_", "left")),
  videoFrame: readVideoBox,
  videoBox_left: readVideoBox,
  videoBox_center: readVideoBox,
  videoBox_right: readVideoBox,
  "youtube-player": (element, _, conversion) => {
    const id = property(element, "videoid");
    const source = property(element, "src");
    return id === "" || readVideoAddress(source)?.id === id ? readPlayer(element, source, conversion) : youtube(id);
  },
  blurbListWide: readGuideList,
};

const SIZES = ["mini", "thumbnail", "standard", "medium", "large"] as const;

function readImage(element: Element, conversion: Conversion): readonly Item[] {
  const source = property(element, "src");
  const id = property(element, "dataImageid") || conversion.options.mediaId?.("image", source);
  const size = SIZES.find((each) => classesOf(element).includes(each) || source.endsWith(`.${each}`));
  if (id !== undefined && id !== "") return [image(id, size === undefined || size === "standard" ? {} : { size })];
  const words = property(element, "alt").trim() || "image";
  const message = `The image "${source.slice(0, SHOWN)}" has no id on the site. It becomes a link or its description.`;
  conversion.report("image-without-id", "loss", message, element);
  return linkOrWords(source, words);
}

/** Characters of an address in a message: some contain the whole picture. */
const SHOWN = 100;

function linkOrWords(address: string, words: string): readonly Inline[] {
  const written = /^(?:https?:\/\/|\/)/i.test(address) ? writableAddress(address) : undefined;
  if (written === undefined) return [text(words)];
  return [
    words === address && !address.startsWith("/") ? link("bare", written) : addressLink(written, [text(words)], false),
  ];
}

function youtube(id: string): readonly Item[] {
  return [embed(video(videoPage({ service: "youtube", id })))];
}

function readPlayer(element: Element, address: string, conversion: Conversion): readonly Item[] {
  const page = videoPageOf(address);
  if (page !== undefined) return [embed(video(page))];
  const message = `The frame or video "${address.slice(0, SHOWN)}" cannot be embedded. It becomes a link.`;
  conversion.report("frame-to-link", "loss", message, element);
  return address === "" ? [] : linkOrWords(address, address);
}

/** A video of the site has an id, which the address of its file can contain. */
function readVideo(element: Element, _: readonly Item[], conversion: Conversion): readonly Item[] {
  const sources = element.children.map((child) => (child.type === "element" ? property(child, "src") : ""));
  const source = property(element, "src") || (sources.find((each) => each !== "") ?? "");
  const id = property(element, "dataVideoid") || conversion.options.mediaId?.("video", source);
  return id !== undefined && id !== "" ? [embed(video(id))] : readPlayer(element, source, conversion);
}

/** An emptied box (2013 XML, wiki-syntax 3.4) has no video. */
function readVideoBox(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  if (content.length === 0) {
    conversion.report(
      "video-without-address",
      "loss",
      "The box of a video is empty, so the video is unknown.",
      element,
    );
  }
  return content.map((item) => alignedEmbed(item, element, "videoBox_", "center"));
}

/** A box makes its medium a block with an alignment. */
function alignedEmbed(item: Item, element: Element, prefix: string, usual: string): Item {
  const medium = item.type === "embed" ? item.child : item;
  if (!isMedium(medium)) return item;
  const align =
    classesOf(element)
      .find((name) => name.startsWith(prefix))
      ?.slice(prefix.length) ?? usual;
  return embed(align === usual ? medium : aligned(medium, align));
}

function aligned<M extends Image | Video | GuideList>(medium: M, align: string): M {
  return { ...medium, parameters: [parameter("align", align), ...medium.parameters] };
}

/** Only guideferry writes the rule of a list of guides into HTML; sites do not. */
function readGuideList(element: Element, content: readonly Item[], conversion: Conversion): readonly Item[] {
  const tags = property(element, "dataTags");
  const type = property(element, "dataType");
  if (tags === "" && type === "") {
    const message = "The rule of a list of guides is not in the HTML. The listed guides become links.";
    conversion.report("guide-list", "loss", message, element);
    return content;
  }
  return [embed(guideList({ ...(tags === "" ? {} : { tags }), ...(type === "" ? {} : { type }) }))];
}
