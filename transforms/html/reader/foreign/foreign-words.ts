import type { Element, ElementContent } from "hast";
import { link } from "../../../wiki/build-inlines.js";
import type { MarkType } from "../../../wiki/tree.js";
import { property } from "../../from/reading.js";
import { styleMarks } from "../../from/style-marks.js";
import { MARK_TAGS } from "../../mark-tags.js";
import { linkNodes } from "../link-nodes.js";
import { linkPlace } from "../link-place.js";
import { node } from "../node.js";
import type { ReaderContext } from "../reader-context.js";
import { type ForeignHandler, tongueOf } from "./foreign-handler.js";

/** Names of elements that mean the same today under another one, and those that stay what they are. */
const MARKS: Readonly<Record<string, string>> = {
  ...{
    strong: "strong",
    b: "strong",
    em: "em",
    i: "em",
    cite: "em",
    dfn: "em",
    var: "em",
    u: "u",
    s: "s",
    strike: "s",
  },
  ...{ ins: "ins", del: "del", sup: "sup", sub: "sub", code: "code", tt: "code", kbd: "kbd", samp: "samp" },
  ...{ small: "small", mark: "mark", q: "q" },
};

/** Elements that say something of words. */
export const FOREIGN_WORDS: Readonly<Record<string, ForeignHandler>> = {
  ...Object.fromEntries(Object.entries(MARKS).map(([name, tag]) => [name, markHandler(tag)])),
  span: readSpan,
  font: readSpan,
  abbr: (element, context, read) => {
    const title = property(element, "title").trim();
    return [node("abbr", read(element.children, context), title === "" ? {} : { title })];
  },
  a: readLink,
  br: () => [node("br", [])],
  wbr: () => [node("wbr", [])],
};

function markHandler(tag: string): ForeignHandler {
  return (element, context, read) => {
    const content = read(element.children, context);
    return content.length === 0 ? [] : [node(tag, content, tongueOf(element))];
  };
}

/** Editors that people copy from say in a style what an element would. */
function readSpan(element: Element, context: ReaderContext, read: Parameters<ForeignHandler>[2]): ElementContent[] {
  const style = styleMarks(property(element, "style"));
  const tags = Object.entries(MARK_TAGS).flatMap(([type, tag]) => (style.get(type as MarkType) === true ? [tag] : []));
  const content = read(element.children, context);
  const tongue = tongueOf(element);
  const spoken = Object.keys(tongue).length === 0 ? content : [node("span", content, tongue)];
  return [...tags.reduceRight<readonly ElementContent[]>((inner, tag) => [node(tag, inner)], spoken)];
}

/** A link without an address is a name for a place in the page, or nothing. */
function readLink(element: Element, context: ReaderContext, read: Parameters<ForeignHandler>[2]): ElementContent[] {
  const href = property(element, "href").trim();
  if (href === "" || context.inLink) return [...read(element.children, context)];
  const content = read(element.children, { ...context, inLink: true });
  const key = context.links.mediaKey?.(href);
  const medium = key === undefined ? undefined : context.links.medium(key);
  const place = medium === undefined ? linkPlace(link("url", href), context) : { type: "medium" as const, medium };
  return [...linkNodes(place, content)];
}
