import { matchAt } from "./marks.js";

/** A block with an end of its own, which may hold anything: `[code] … [/code]`. */
const CONTAINER = /\[(code|quote|summary)\b[^\]]*\][\s\S]*?\[\/\1\]/y;

/** Brackets that mean something: a wiki link, an address, a macro. All other ones are plain text (wiki-syntax 7). */
const MACRO = /^\[(?:\[[\s\S]*\]\]$|(?:https?|ftp|mailto):|\/|br\]|[^[\]|]*\|)/i;

/** An address that the site makes a link of: a space ends it (wiki-syntax 3.3), and so do markers that close behind it. */
const ADDRESS = /(?:https?|ftp):\/\/(?:(?!'')[^\s[\]|])+?(?=(?:\+\+|~~|\^\^|,,|``)*(?:''|[\s[\]|]|$))/iy;

/**
 * Finds what begins at a position of a text and means nothing any more once it is cut: a macro, a link, an address, a
 * block of code.
 */
export function atomsOf(text: string): (at: number) => string | undefined {
  const ends = bracketEnds(text);
  return (at) => {
    if (text.charAt(at) !== "[") return matchAt(ADDRESS, text, at);
    const container = matchAt(CONTAINER, text, at);
    if (container !== undefined) return container;
    const brackets = text.slice(at, ends(at));
    return MACRO.test(brackets) ? brackets : undefined;
  };
}

/** Where an opening bracket ends: behind its partner, or, when one inside of it never closes, behind the first that closes. */
function bracketEnds(text: string): (at: number) => number {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    const partner = bracket === "]" ? open.pop() : undefined;
    if (bracket === "[") open.push(index);
    if (partner !== undefined) partners.set(partner, index + 1);
  }
  const last = text.lastIndexOf("]");
  return (at) => partners.get(at) ?? (at < last ? text.indexOf("]", at) + 1 : at);
}
