import type { PhrasingContent } from "mdast";
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

/** An HTML element that is a mark; `end` is the place of its closing tag. */
export interface Element {
  readonly mark: MarkType;
  readonly end: number;
}

/** The elements that are marks by the place of their opening tag, in running text where tags are nodes of their own. */
export function markElements(nodes: readonly PhrasingContent[]): ReadonlyMap<number, Element> {
  const elements = new Map<number, Element>();
  const open: { readonly name: string; readonly start: number }[] = [];
  nodes.forEach((node, at) => {
    const tag = node.type === "html" ? readTag(node.value) : undefined;
    const mark = MARK_TAGS.get(tag?.name ?? "");
    if (tag === undefined || mark === undefined) return;
    if (!tag.closes) {
      if (open.length < DEEPEST_TAG) open.push({ name: tag.name, start: at });
      return;
    }
    const partner = open.findLastIndex(({ name }) => name === tag.name);
    const [opening] = partner < 0 ? [] : open.splice(partner);
    if (opening !== undefined) elements.set(opening.start, { mark, end: at });
  });
  return elements;
}
