import type { Element, ElementContent, RootContent } from "hast";
import { decodeHtml } from "../../references/decode-html.js";
import { parseHtml } from "../from/parse-html.js";
import { classesOf, property } from "../from/reading.js";
import type { Medium, Said } from "./said.js";

/**
 * What rendered HTML says: the site's own of all its eras (wiki-syntax 3), whatever elements carry it. Blanks, line ends, marks and
 * decoration count for nothing. Any string is read, and in time in proportion to its length.
 */
export function saidBy(html: string): readonly Said[] {
  const collector = new Collector();
  if (html.includes("<"))
    for (const { root } of parseHtml(html).trees) for (const child of root.children) collector.read(child);
  else collector.words(decodeHtml(html));
  return collector.pieces();
}

class Collector {
  readonly #pieces: Said[] = [];
  #words = "";
  /** The label of the link that is open. */
  #label: string | undefined;

  pieces(): readonly Said[] {
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
    const apart = INLINE.has(element.tagName) ? "" : " ";
    this.words(apart);
    for (const child of element.children) this.read(child);
    this.words(apart);
  }

  #link(element: Element): void {
    this.#flush();
    this.#label = "";
    for (const child of element.children) this.read(child);
    const label = collapsed(this.#label);
    this.#label = undefined;
    const goal = property(element, "href").trim();
    // A picture that leads to itself in full size; the mark that headings had in 2011 to 2013 (wiki-syntax 2.1.1).
    if (label === "" || label === "¶") return;
    if (goal === "") {
      this.words(label);
      return;
    }
    const dead = classesOf(element).some((name) => DEAD.test(name));
    this.#pieces.push({ type: "link", goal, label: isAddress(label, goal) ? "" : label, dead });
  }

  #medium(medium: Medium): void {
    if (this.#label === undefined) this.#flush();
    this.#pieces.push(medium);
  }

  #flush(): void {
    const text = collapsed(this.#words);
    this.#words = "";
    if (text !== "") this.#pieces.push({ type: "words", text });
  }
}

/** Inside a line; all others stand apart from what is around them. */
const INLINE: ReadonlySet<string> = new Set([
  ...["a", "abbr", "b", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s"],
  ...["samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"],
]);

/** What the site adds to a text by itself (wiki-syntax 2.1.1, 2.4). */
const DECORATION: ReadonlySet<string> = new Set(["anchor", "selfLink", "editLink", "headerLink", "imageMenu", "toc"]);

/** No public material shows how the site marks a link without a goal; these are the words that wikis use. */
const DEAD = /^(?:new|missing|redlink|broken|dead|invalid)(?:[-_]?link)?$/i;

const VIDEOS: ReadonlySet<string> = new Set(["iframe", "video", "lite-youtube"]);

function mediumOf(element: Element): Medium | undefined {
  const classes = classesOf(element);
  if (element.tagName === "img") return { type: "medium", kind: "image", id: property(element, "dataImageid") || null };
  if (VIDEOS.has(element.tagName) || classes.includes("youtube-player"))
    return { type: "medium", kind: "video", id: property(element, "dataVideoid") || null };
  // What it lists is other guides' business.
  return classes.includes("blurbListWide") ? { type: "medium", kind: "guide-list", id: null } : undefined;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The address, or its beginning: the site cuts those in running text (wiki-syntax 3.3). */
function isAddress(label: string, goal: string): boolean {
  const [shown, address] = [withoutScheme(label), withoutScheme(goal)];
  return shown === address || (shown.endsWith("...") && shown.length > 3 && address.startsWith(shown.slice(0, -3)));
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:/i, "");
}
