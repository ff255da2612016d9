import type { PhrasingContent } from "mdast";
import { readTags } from "../html/from/read-tags.js";
import { decodeHtml } from "../references/decode-html.js";
import type { MarkType } from "../wiki/tree.js";

/** HTML elements that are marks: the three that this project writes, and those that mean the same as a mark of Markdown. */
export const MARK_TAGS: ReadonlyMap<string, MarkType> = new Map([
  ["u", "underline"],
  ["ins", "underline"],
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["code", "code"],
  ["tt", "code"],
  ["kbd", "code"],
  ["del", "strike"],
  ["s", "strike"],
  ["strike", "strike"],
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "emphasis"],
  ["em", "emphasis"],
]);

export interface Tag {
  readonly name: string;
  readonly closes: boolean;
}

const TAG = /^<(\/?)([a-z][a-z\d-]*)/i;

/** The tag that a piece of HTML is; undefined for comments, declarations and instructions. */
export function readTag(html: string): Tag | undefined {
  const [, slash, name] = TAG.exec(html) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), closes: slash === "/" };
}

/** Deeper elements than this are not paired: nobody writes them, and reading must not overflow. */
const DEEPEST_TAG = 32;

/** Where a link element leads. */
export interface Anchor {
  readonly url: string;
  readonly newWindow: boolean;
}

/** An HTML element that is a mark or a link; `end` is the place of its closing tag. */
export interface Element {
  readonly means: MarkType | Anchor;
  readonly end: number;
}

interface Opening {
  readonly name: string;
  readonly start: number;
  readonly means: MarkType | Anchor;
}

/** The elements that mean something by the place of their opening tag, in running text where tags are nodes of their own. */
export function elementsIn(nodes: readonly PhrasingContent[]): ReadonlyMap<number, Element> {
  const elements = new Map<number, Element>();
  const open: Opening[] = [];
  nodes.forEach((node, start) => {
    const tag = node.type === "html" ? readTag(node.value) : undefined;
    if (node.type !== "html" || tag === undefined) return;
    const { name, closes } = tag;
    const means = closes ? undefined : (MARK_TAGS.get(name) ?? anchorOf(name, node.value));
    if (means !== undefined && open.length < DEEPEST_TAG) open.push({ name, start, means });
    const partner = closes ? open.findLastIndex((each) => each.name === name) : -1;
    const [opening] = partner < 0 ? [] : open.splice(partner);
    if (opening !== undefined) elements.set(opening.start, { means: opening.means, end: start });
  });
  return elements;
}

/** What a link's tag says; undefined for a tag that leads nowhere. */
function anchorOf(name: string, html: string): Anchor | undefined {
  const [token] = name === "a" ? readTags(html, new Map()) : [];
  if (token?.type !== "open") return undefined;
  const attributes = new Map(token.attributes.toReversed());
  const url = decodeHtml(attributes.get("href") ?? "").trim();
  return url === "" ? undefined : { url, newWindow: attributes.get("target") === "_blank" };
}
