import { escapeText, printAttributes } from "../print-element.js";

/** A piece of simplified HTML: words, or an element. */
export type Simple = string | SimpleElement;

export interface SimpleElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Simple[];
}

/** The elements that oManual 1.0 knows; all of them may stand in all of them (omanual 4). */
export const SIMPLE_ELEMENTS: ReadonlySet<string> = new Set([
  ...["p", "a", "strong", "em", "h1", "h2", "h3", "h4", "h5", "h6", "tt", "pre", "code"],
  ...["br", "ul", "li", "sub", "sup", "del", "ins", "div"],
]);

/** Those of them that are no words. */
export const BLOCKS: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "ul", "li", "div"]);

/** Their attributes, in the order in which they are written. */
export const SIMPLE_ATTRIBUTES: readonly string[] = ["id", "class", "href", "style", "rel", "title", "target"];

export function simple(name: string, children: readonly Simple[], attributes = NO_ATTRIBUTES): SimpleElement {
  return { name, attributes, children };
}

const NO_ATTRIBUTES: SimpleElement["attributes"] = {};

/** Simplified HTML as XML, which is HTML too: only `br` has no end. */
export function printSimple(pieces: readonly Simple[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? escapeText(piece) : printSimpleElement(piece))).join("");
}

function printSimpleElement({ name, attributes, children }: SimpleElement): string {
  const start = `<${name}${printAttributes(attributes)}`;
  return name === "br" && children.length === 0 ? `${start}/>` : `${start}>${printSimple(children)}</${name}>`;
}

/** The words alone. */
export function wordsOf(pieces: readonly Simple[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : wordsOf(piece.children))).join("");
}
