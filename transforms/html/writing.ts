import { isMedium } from "../wiki/leaves.js";
import { plainText } from "../wiki/read-tree.js";
import type { GuideList, Image, Inline, MarkType, Video } from "../wiki/tree.js";

/**
 * What the site writes for each character that HTML reads as markup (wiki-syntax 3.1); all others
 * stay as they are.
 */
const ENTITIES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
} as const;

/** Text for HTML, also inside of quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character as keyof typeof ENTITIES]);
}

/**
 * An element; attributes come in the given order, those without a value are left out. `content` is
 * HTML.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: string,
): string {
  return `${startTag(name, attributes)}>${content}</${name}>`;
}

/** An element that has no content, written as the site does: `<br />`. */
export function voidElement(name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string {
  return `${startTag(name, attributes)} />`;
}

function startTag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) tag += ` ${key}="${escapeHtml(value)}"`;
  return tag;
}

/** The element that each mark of wiki text is in HTML. */
export const MARK_TAGS: Readonly<Record<MarkType, string>> = {
  strong: "strong",
  emphasis: "em",
  underline: "u",
  strike: "s",
  superscript: "sup",
  subscript: "sub",
  code: "code",
};

/**
 * The anchor of a heading: `Section_Take_up_Lever` for "Take-up Lever" (real and inferred,
 * wiki-syntax 2.1.1).
 */
export function sectionId(heading: readonly Inline[]): string {
  return `Section_${plainText(heading).trim().replace(/[\s-]/g, "_")}`;
}

/** A stretch of words, or media that stand between them. */
export type Piece = readonly Inline[] | Image | Video | GuideList;

/**
 * Cuts inlines where an image, a video or a list of guides stands: HTML forbids the boxes that show
 * them inside of a paragraph.
 */
export function splitAtMedia(inlines: readonly Inline[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let words: Inline[] = [];
  for (const inline of inlines) {
    if (isMedium(inline)) {
      pieces.push(words, inline);
      words = [];
    } else words.push(inline);
  }
  return [...pieces, words].filter((piece) => !isWords(piece) || piece.some(showsSomething));
}

/** Whether a piece is words. */
export function isWords(piece: Piece): piece is readonly Inline[] {
  return !("type" in piece);
}

function showsSomething(inline: Inline): boolean {
  return inline.type !== "text" || inline.value.trim() !== "";
}
