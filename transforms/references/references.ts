import { startsLine } from "../wiki/parse/characters.js";
import { parse } from "../wiki/parse.js";
import type { CodeBlock, Position, TextContext } from "../wiki/tree.js";
import { type Finding, findingOf } from "./draft.js";
import { type NodePlace, placesOf } from "./node-places.js";
import { readNode } from "./read-node.js";
import { readText } from "./read-text.js";
import type { Reference } from "./reference.js";
import type { SiteAddresses } from "./site-addresses.js";

/**
 * The references in a text, in order of appearance. It never throws, and its time grows with the length of the text only.
 *
 * They are the links and media of the tree, and what another reading than the tree's could see in what the tree calls text:
 * a macro in the label of another, one that a block ends in, an example in something that is not surely code. Such a
 * reference is `loose`, and counts too, since its id must not stay. Only what no `]` follows at all is plain text.
 *
 * @param site the site that the text comes from: addresses of other sites are no references
 */
export function references(text: string, site: SiteAddresses, context: TextContext): readonly Reference[] {
  if (!mayRefer(text)) return [];
  const finding = findingOf(text, site);
  let at = 0;
  for (const place of placesOf(parse(text, { context }).tree)) {
    at = readPlace(finding, place, readText(finding, at, place.position.start));
  }
  readText(finding, at, text.length);
  return finding.found;
}

/** Every reference has a bracket or is an address; most texts have neither, and need not be read. */
function mayRefer(text: string): boolean {
  return text.includes("[") || text.includes("://");
}

/** Reads a node; the text before it has been read up to `at`. */
function readPlace(finding: Finding, { node, position }: NodePlace, at: number): number {
  if (node.type !== "codeBlock") return readNode(finding, node, position);
  return isSurelyCode(finding.text, node, position) ? position.end : at;
}

// Only what is code under every reading: begun and ended as the vendor's serializer writes it (wiki-syntax 5). Its content is
// nothing but text there. Whatever else looks like code is read as markup: at worst an example shows a new id, but no old id
// stays. Double backticks are markup for sure, since the vendor writes links inside them.
const CODE_OPEN = /^\[code\][ \t]*\r?\n$/;
const CODE_CLOSE = /^\r?\n\[\/code\]$/;

function isSurelyCode(text: string, { open, value, close }: CodeBlock, { start }: Position): boolean {
  return startsLine(text, start) && CODE_OPEN.test(open) && (CODE_CLOSE.test(close) || value === "");
}
