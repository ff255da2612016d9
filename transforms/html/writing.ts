import { isMedium } from "../wiki/leaves.js";
import { plainText } from "../wiki/read-tree.js";
import type { GuideList, Image, Inline, MarkType, Video } from "../wiki/tree.js";

/** The site escapes only these characters (wiki-syntax 3.1). */
const ENTITIES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
} as const;

/** Escapes text for HTML and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character as keyof typeof ENTITIES]);
}

/** An element; omits attributes without a value. `content` is HTML. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: string,
): string {
  return `${startTag(name, attributes)}>${content}</${name}>`;
}

/** An empty element in the site's spelling: `<br />`. */
export function voidElement(name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string {
  return `${startTag(name, attributes)} />`;
}

function startTag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) tag += ` ${key}="${escapeHtml(value)}"`;
  return tag;
}

/** The HTML element of each mark. */
export const MARK_TAGS: Readonly<Record<MarkType, string>> = {
  strong: "strong",
  emphasis: "em",
  underline: "u",
  strike: "s",
  superscript: "sup",
  subscript: "sub",
  code: "code",
};

/** `Section_Take_up_Lever` for "Take-up Lever" (real and inferred, wiki-syntax 2.1.1). */
export function sectionId(heading: readonly Inline[]): string {
  return `Section_${plainText(heading).trim().replace(/[\s-]/g, "_")}`;
}

/** A stretch of words, or media between them. */
export type Piece = readonly Inline[] | Image | Video | GuideList;

/** Cuts inlines at media and lists of guides: HTML forbids their boxes inside of a paragraph. */
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

export function isWords(piece: Piece): piece is readonly Inline[] {
  return !("type" in piece);
}

function showsSomething(inline: Inline): boolean {
  return inline.type !== "text" || inline.value.trim() !== "";
}
