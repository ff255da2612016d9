import type { Element, Root } from "hast";
import { fromHtml as parse } from "hast-util-from-html";
import { SKIPPED } from "./elements.js";
import { type LeftOut, nestTags, type Piece } from "./nest-tags.js";
import { readTags } from "./read-tags.js";
import type { Place } from "./reading.js";

export interface ParsedHtml {
  /** One behind the other, each parsed when it is asked for. */
  readonly trees: Iterable<HtmlTree>;
  readonly leftOut: readonly LeftOut[];
}

export interface HtmlTree {
  readonly root: Root;
  /** Where the tag of an element stood; at the beginning for one that no tag stands for, a row around cells alone. */
  readonly placeOf: (element: Element) => Place;
}

/**
 * HTML as trees. Any string is read, and in time in proportion to its length: the standard's own way of building the tree
 * takes squared time, or overflows the stack, for HTML that was written to do so, so that tags are put in order before.
 */
export function parseHtml(html: string): ParsedHtml {
  const { pieces, leftOut } = nestTags(readTags(html, SKIPPED));
  return { trees: treesOf(pieces), leftOut };
}

function* treesOf(pieces: readonly Piece[]): Iterable<HtmlTree> {
  for (const { html, places } of pieces) {
    const placeOf: HtmlTree["placeOf"] = ({ position }) => places.get(position?.start.offset ?? -1) ?? BEGINNING;
    yield { root: parse(html, { fragment: true }), placeOf };
  }
}

const BEGINNING: Place = { start: 0, end: 0 };
