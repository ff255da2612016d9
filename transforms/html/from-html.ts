import type { Element, Nodes, Parents } from "hast";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import { embed, guideList, image, link, parameter, text, video } from "../wiki/build.js";
import { addressLink, type Draft, type Tell, writableAddress } from "../wiki/draft.js";
import { isMedium } from "../wiki/leaves.js";
import { normaliseLine, normalisePage } from "../wiki/normalise.js";
import type { GuideList, Image, Inline, Tree, Video } from "../wiki/tree.js";
import { BLOCK_CLASSES, BLOCK_HANDLERS, DECORATION, LIST_HANDLERS, TABLE_HANDLERS } from "./from/blocks.js";
import {
  type Conversion,
  classesOf,
  type FromHtmlOptions,
  type Handler,
  type Item,
  isInline,
  type Place,
  property,
} from "./from/conversion.js";
import { readAbbreviation, readLink } from "./from/links.js";
import { type HtmlTree, parseHtml, type SkippedTag } from "./from/parse-html.js";
import { BLANK, finishWords, flatten, gather, MARK_HANDLERS } from "./from/words.js";
import { DEAD_GUIDE } from "./to-html.js";
import { readVideoAddress, videoPage, videoPageOf } from "./video-service.js";

export type { FromHtmlOptions } from "./from/conversion.js";

export interface FromHtml {
  readonly tree: Tree;
  /** Losses and changes, with offsets in the HTML. */
  readonly issues: readonly TextIssue[];
}

/**
 * Converts HTML to wiki text: that of sites of all eras (wiki-syntax 3), and other HTML as far as
 * the syntax allows. Accepts any string, never throws, and takes linear time.
 */
export function fromHtml(html: string, options: FromHtmlOptions): FromHtml {
  const { trees, skippedTags } = parseHtml(html);
  const log = issueLog([...skippedTags.map(skippedTagIssue), ...deadGuideIssues(html)]);
  const whole = { start: 0, end: html.length };
  const tell = log.tellAt(whole);
  const tree =
    options.context === "page"
      ? normalisePage(readDrafts(trees, options, log, whole), tell)
      : normaliseLine(readWords(trees, options, log, tell), tell);
  return { tree, issues: log.issues };
}

interface Items {
  readonly items: readonly Item[];
  readonly places: ReadonlyMap<Item, Place>;
}

function readItems(trees: Iterable<HtmlTree>, options: FromHtmlOptions, log: IssueLog): Items {
  const places = new Map<Item, Place>();
  const items: Item[] = [];
  for (const { root, placeOf } of trees) {
    const report: Conversion["report"] = (code, level, message, element) =>
      log.tellAt(placeOf(element))(code, level, message);
    for (const item of readNode(root, { options, inLink: false, places, placeOf, report })) items.push(item);
  }
  return { items, places };
}

/** A separate function, so that nothing keeps the items of the HTML after it. */
function readDrafts(
  trees: Iterable<HtmlTree>,
  options: FromHtmlOptions,
  log: IssueLog,
  whole: Place,
): readonly Draft[] {
  const { items, places } = readItems(trees, options, log);
  return gather(items).map((block) => ({ block, tell: log.tellAt(places.get(block) ?? whole) }));
}

function readWords(trees: Iterable<HtmlTree>, options: FromHtmlOptions, log: IssueLog, tell: Tell): readonly Inline[] {
  return finishWords(flatten(readItems(trees, options, log).items, BLANK, tell));
}

/** Converts children first, so that a handler gets their results. */
export function readNode(node: Nodes, conversion: Conversion): readonly Item[] {
  if (node.type === "text") return [text(withLineFeeds(node.value))];
  if (!("children" in node) || isDecoration(node)) return [];
  const inner = node.type === "element" && node.tagName === "a" ? { ...conversion, inLink: true } : conversion;
  const content = node.children.flatMap((child) => readNode(child, inner));
  if (node.type !== "element") return content;
  const items = handlerOf(node)(node, content, conversion);
  // Items that an element passes on keep their places.
  return items === content ? items : placed(items, node, conversion);
}

/** The parser normalises line ends except character references; searching first is faster. */
function withLineFeeds(value: string): string {
  return value.includes("\r") || value.includes("\f") ? value.replace(/\r\n?|\f/g, "\n") : value;
}

/** The innermost element of a block determines its place. */
function placed(items: readonly Item[], element: Element, { places, placeOf }: Conversion): readonly Item[] {
  for (const item of items) if (!isInline(item) && !places.has(item)) places.set(item, placeOf(element));
  return items;
}

function isDecoration(node: Parents): boolean {
  return node.type === "element" && classesOf(node).some((name) => DECORATION.has(name));
}

const MEDIA_HANDLERS: Readonly<Record<string, Handler>> = {
  img: (element, _, conversion) => readImage(element, conversion),
  iframe: (element, _, conversion) => readPlayer(element, property(element, "src"), conversion),
  video: readVideo,
  source: () => [],
  "lite-youtube": (element) => youtube(property(element, "videoid")),
};

/** The site's boxes by their class (wiki-syntax 2.4 and 3.4). */
const MEDIA_CLASSES: Readonly<Record<string, Handler>> = {
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

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...Object.entries(BLOCK_HANDLERS),
  ...Object.entries(LIST_HANDLERS),
  ...Object.entries(MARK_HANDLERS),
  ...Object.entries(MEDIA_HANDLERS),
  ...Object.entries(TABLE_HANDLERS),
  ["a", readLink],
  ["abbr", readAbbreviation],
]);

const CLASS_HANDLERS: ReadonlyMap<string, Handler> = new Map(Object.entries({ ...BLOCK_CLASSES, ...MEDIA_CLASSES }));

/** An element without a handler becomes its content. */
const transparent: Handler = (_, content) => content;

function handlerOf(element: Element): Handler {
  const special = classesOf(element).find((name) => CLASS_HANDLERS.has(name));
  return CLASS_HANDLERS.get(special ?? "") ?? HANDLERS.get(element.tagName) ?? transparent;
}

export interface IssueLog {
  readonly issues: readonly TextIssue[];
  /** Reports each issue of a place once: normalisation can process a block twice. */
  readonly tellAt: (place: Place) => Tell;
}

/** `known`: issues from before the text is read. */
export function issueLog(known: readonly TextIssue[]): IssueLog {
  const issues = [...known];
  const reported = new Set<string>();
  const tellAt: IssueLog["tellAt"] =
    ({ start, end }) =>
    (code, level, message) => {
      const issue = { code, level, message, start, end };
      const key = JSON.stringify(issue);
      if (!reported.has(key)) issues.push(issue);
      reported.add(key);
    };
  return { issues, tellAt };
}

const REASONS: Readonly<Record<SkippedTag["reason"], string>> = {
  unknown: "has no form in wiki text. Its visible words are kept",
  "too-deep": "is nested too deep. Only its words are kept",
};

export function skippedTagIssue({ name, reason, start, end }: SkippedTag): TextIssue {
  return { code: `element-${reason}`, level: "loss", message: `<${name}> ${REASONS[reason]}.`, start, end };
}

/** The site replaces the id and label of a dead link by fixed words (wiki-syntax 2.3). */
export function deadGuideIssues(html: string): readonly TextIssue[] {
  const message = "The site replaced a link to a guide that does not exist. Only the raw text has its id and label.";
  const issues: TextIssue[] = [];
  for (let start = html.indexOf(DEAD_GUIDE); start >= 0; start = html.indexOf(DEAD_GUIDE, start + 1)) {
    issues.push({ code: "dead-guide", level: "loss", message, start, end: start + DEAD_GUIDE.length });
  }
  return issues;
}

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
