import type { Element, ElementContent, RootContent } from "hast";
import type { Reference } from "../references/reference.js";
import { addressReference, numberReference } from "../references/rewrite-references.js";
import type { SiteAddresses } from "../references/site-addresses.js";
import { classesOf, property } from "./from/conversion.js";
import { parseHtml } from "./from/parse-html.js";
import { decodeHtml, type OpenToken, readTags, SKIPPED } from "./from/tags.js";

/**
 * The content of rendered HTML of all eras (wiki-syntax 3). Ignores element names, blanks, line
 * ends, marks and decoration. Accepts any string in linear time.
 */
export function renderedContent(html: string): readonly RenderedPiece[] {
  const collector = new Collector();
  if (html.includes("<"))
    for (const { root } of parseHtml(html).trees) for (const child of root.children) collector.read(child);
  else collector.words(decodeHtml(html));
  return collector.pieces();
}

class Collector {
  readonly #pieces: RenderedPiece[] = [];
  #words = "";
  /** The label of the open link. */
  #label: string | undefined;

  pieces(): readonly RenderedPiece[] {
    this.#flush();
    return this.#pieces;
  }

  words(text: string): void {
    if (this.#label === undefined) this.#words += text;
    else this.#label += text;
  }

  read(node: RootContent | ElementContent): void {
    if (node.type === "text") this.words(node.value);
    if (node.type === "element" && !classesOf(node).some((name) => DECORATION.has(name))) this.#element(node);
  }

  #element(element: Element): void {
    const medium = mediumOf(element);
    if (medium !== undefined) this.#medium(medium);
    else if (element.tagName === "a" && this.#label === undefined) this.#link(element);
    else this.#content(element);
  }

  #content(element: Element): void {
    const separator = INLINE.has(element.tagName) ? "" : " ";
    this.words(separator);
    for (const child of element.children) this.read(child);
    this.words(separator);
  }

  #link(element: Element): void {
    this.#flush();
    this.#label = "";
    for (const child of element.children) this.read(child);
    const label = collapsed(this.#label);
    this.#label = undefined;
    const linkTarget = property(element, "href").trim();
    // A picture that links to itself in full size, or the mark of headings in 2011 to 2013
    // (wiki-syntax 2.1.1).
    if (label === "" || label === "¶") return;
    if (linkTarget === "") {
      this.words(label);
      return;
    }
    const dead = classesOf(element).some((name) => DEAD.test(name));
    this.#pieces.push({ type: "link", linkTarget, label: isAddress(label, linkTarget) ? "" : label, dead });
  }

  #medium(medium: RenderedMedium): void {
    if (this.#label === undefined) this.#flush();
    this.#pieces.push(medium);
  }

  #flush(): void {
    const text = collapsed(this.#words);
    this.#words = "";
    if (text !== "") this.#pieces.push({ type: "words", text });
  }
}

/** Inline elements; all others are separate from their surroundings. */
const INLINE: ReadonlySet<string> = new Set([
  ...["a", "abbr", "b", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s"],
  ...["samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"],
]);

/** Additions of the site to a text (wiki-syntax 2.1.1, 2.4). */
const DECORATION: ReadonlySet<string> = new Set(["anchor", "selfLink", "editLink", "headerLink", "imageMenu", "toc"]);

/** How the site marks a link without a target is not public; these are the words of other wikis. */
const DEAD = /^(?:new|missing|redlink|broken|dead|invalid)(?:[-_]?link)?$/i;

const VIDEOS: ReadonlySet<string> = new Set(["iframe", "video", "lite-youtube"]);

function mediumOf(element: Element): RenderedMedium | undefined {
  const classes = classesOf(element);
  if (element.tagName === "img") return { type: "medium", kind: "image", id: property(element, "dataImageid") || null };
  if (VIDEOS.has(element.tagName) || classes.includes("youtube-player"))
    return { type: "medium", kind: "video", id: property(element, "dataVideoid") || null };
  // The content of the list is that of other guides.
  return classes.includes("blurbListWide") ? { type: "medium", kind: "guide-list", id: null } : undefined;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The address, or its beginning: the site cuts addresses in running text (wiki-syntax 3.3). */
function isAddress(label: string, linkTarget: string): boolean {
  const [shown, address] = [withoutScheme(label), withoutScheme(linkTarget)];
  return shown === address || (shown.endsWith("...") && shown.length > 3 && address.startsWith(shown.slice(0, -3)));
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:/i, "");
}

/** A part of the content without layout: words, links and media in their order. */
export type RenderedPiece = RenderedWords | RenderedLink | RenderedMedium;

interface RenderedWords {
  readonly type: "words";
  readonly text: string;
}

interface RenderedLink {
  readonly type: "link";
  /** As written in the HTML, until it is resolved. */
  readonly linkTarget: string;
  /** Empty: it repeats the address. {@link ANY_LABEL}: unknown. */
  readonly label: string;
  /** Whether the site marks the link as dead. */
  readonly dead: boolean;
}

interface RenderedMedium {
  readonly type: "medium";
  readonly kind: "image" | "video" | "guide-list";
  /** The id of the image or video on its site; null: not in the HTML. */
  readonly id: string | null;
}

/** The label of a link that shows the title of its target: it equals every other label. */
export const ANY_LABEL = "\u{FFFC}";

/** Compares content. For media without an id on one side only the kind counts. */
export function sameContent(one: readonly RenderedPiece[], other: readonly RenderedPiece[]): boolean {
  return one.length === other.length && one.every((piece, index) => isSame(piece, other[index]));
}

function isSame(one: RenderedPiece, other: RenderedPiece | undefined): boolean {
  if (other === undefined || one.type !== other.type) return false;
  if (one.type === "words") return other.type === "words" && one.text === other.text;
  if (one.type === "link") return other.type === "link" && isSameLink(one, other);
  return other.type === "medium" && one.kind === other.kind && isSameId(one.id, other.id);
}

function isSameLink(one: RenderedLink, other: RenderedLink): boolean {
  const anyLabel = one.label === ANY_LABEL || other.label === ANY_LABEL;
  return one.linkTarget === other.linkTarget && one.dead === other.dead && (anyLabel || one.label === other.label);
}

function isSameId(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/** One line of text for people and digests: `See <guide/12: the first> .` */
export function contentText(pieces: readonly RenderedPiece[]): string {
  return pieces.map(pieceText).join(" ");
}

function pieceText(piece: RenderedPiece): string {
  if (piece.type === "words") return piece.text;
  if (piece.type === "medium") return `<${piece.kind}${piece.id === null ? "" : ` ${piece.id}`}>`;
  const label = piece.label === ANY_LABEL ? ": its title" : piece.label === "" ? "" : `: ${piece.label}`;
  return `<${piece.dead ? "dead link " : ""}${piece.linkTarget}${label}>`;
}

/**
 * Compares content except marks between words, for HTML against its wiki text: sites differ on
 * ambiguous marks, such as inches. Markup that only one side shows as words is a difference.
 */
export function similarContent(one: readonly RenderedPiece[], other: readonly RenderedPiece[]): boolean {
  if (sameContent(one, other)) return true;
  return showsMarkup(one) === showsMarkup(other) && sameContent(lettersOf(one), lettersOf(other));
}

function lettersOf(pieces: readonly RenderedPiece[]): readonly RenderedPiece[] {
  return pieces.flatMap((piece): readonly RenderedPiece[] => {
    if (piece.type === "words") return letters(piece.text) === "" ? [] : [{ ...piece, text: letters(piece.text) }];
    return [piece.type === "link" && piece.label !== ANY_LABEL ? { ...piece, label: letters(piece.label) } : piece];
  });
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Marks and macros in wiki syntax (wiki-syntax 2). */
const MARKUP = /'''|''\S|\[\[|\[(?:guide|image|video|document|product|link|mailto|https?:[^[\]|]*)\s*\|/i;

function showsMarkup(pieces: readonly RenderedPiece[]): boolean {
  return pieces.some((piece) => piece.type === "words" && MARKUP.test(piece.text));
}

export interface HtmlReference {
  /** Lower case: `href`. */
  readonly name: string;
  /** Without character references. */
  readonly value: string;
  /** Its spans count from the beginning of `value`. */
  readonly reference: Reference;
}

/**
 * The references in rendered HTML: addresses on the site in links and media, and numbers of media
 * in `data-` attributes. Accepts any string in linear time; ignores comments and scripts.
 */
export function htmlReferences(html: string, site: SiteAddresses): readonly HtmlReference[] {
  return readTags(html, RAW_TEXT).flatMap((token) => (token.type === "open" ? referencesIn(html, token, site) : []));
}

/** Elements without tags inside. A script can show elements that are hidden otherwise. */
const RAW_TEXT: ReadonlyMap<string, boolean> = new Map([...SKIPPED].filter(([, goesOn]) => goesOn));

type Reader = (value: string, site: SiteAddresses) => Reference | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["href", addressReference],
  ["src", addressReference],
  ["poster", addressReference],
  ["data-imageid", (value) => numberReference("image", value)],
  ["data-videoid", (value) => numberReference("video", value)],
  ["data-documentid", (value) => numberReference("document", value)],
  ["data-guideid", (value) => numberReference("guide", value)],
]);

/** By the rules of `readTags` (HTML standard 13.2.5). */
const ATTRIBUTE = /[\s/]*(=?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g;

function referencesIn(html: string, { name, start, end }: OpenToken, site: SiteAddresses): readonly HtmlReference[] {
  const attributes = html.slice(start + 1 + name.length, end - 1).matchAll(ATTRIBUTE);
  return [...attributes].flatMap((match) => referenceIn(match, site) ?? []);
}

function referenceIn(match: RegExpExecArray, site: SiteAddresses): HtmlReference | undefined {
  const [, name, double, single, bare] = match;
  const written = double ?? single ?? bare;
  const read = READERS.get(String(name).toLowerCase());
  if (read === undefined || written === undefined) return undefined;
  const value = decodeHtml(written);
  const reference = read(value, site);
  return reference === undefined ? undefined : { name: String(name).toLowerCase(), value, reference };
}
