import { matchAt } from "./marks.js";

/** Begins a block with an end of its own, which may hold anything: `[code] … [/code]`. */
const CONTAINER = /\[(code|quote|summary)\b/y;

/** Brackets that mean something besides wiki links: an address, a macro. All other ones are plain text (wiki-syntax 7). */
const MACRO = /^\[(?:(?:https?|ftp|mailto):|\/|br\]|[^[\]|]*\|)/i;

/** An address up to what ends every address: a space (wiki-syntax 3.3), a bracket, a pipe, two quotes. */
const ADDRESS = /(?:https?|ftp):\/\/(?:(?!'')[^\s[\]|])+/iy;

/**
 * Finds what begins at a position of a text and means nothing any more once it is cut: a macro, a link, an address, a
 * block of code. To be asked for positions in ascending order: each stretch of the text is searched once.
 */
export function atomsOf(text: string): (at: number) => string | undefined {
  const ends = bracketEnds(text);
  const containers = containerEnds(text);
  return (at) => {
    if (text.charAt(at) !== "[") return addressAt(text, at);
    const container = containers(at);
    if (container !== undefined) return text.slice(at, container);
    const brackets = text.slice(at, ends(at));
    const isWikiLink = brackets.length >= 4 && brackets.startsWith("[[") && brackets.endsWith("]]");
    return isWikiLink || MACRO.test(brackets) ? brackets : undefined;
  };
}

/** Markers that close behind an address are no part of it. */
function addressAt(text: string, at: number): string | undefined {
  const run = matchAt(ADDRESS, text, at);
  if (run === undefined) return undefined;
  const first = run.indexOf("://") + 3;
  let end = run.length;
  while (end - 2 > first && isMarker(run.slice(end - 2, end))) end -= 2;
  return run.slice(0, end);
}

function isMarker(pair: string): boolean {
  return ["++", "~~", "^^", ",,", "``"].includes(pair);
}

/** Where a block of code, a quote or a summary ends that begins at a position; undefined where none is closed. */
function containerEnds(text: string): (at: number) => number | undefined {
  const nextClose = nextOf(text, "]");
  const nextEnds = new Map(["code", "quote", "summary"].map((name) => [name, nextOf(text, `[/${name}]`)] as const));
  return (at) => {
    CONTAINER.lastIndex = at;
    const name = CONTAINER.exec(text)?.[1];
    const open = name === undefined ? -1 : nextClose(at);
    const close = name === undefined || open < 0 ? -1 : (nextEnds.get(name)?.(open + 1) ?? -1);
    return name === undefined || close < 0 ? undefined : close + name.length + 3;
  };
}

/** Where something stands next from a position on, -1 for nowhere. Positions have to ascend. */
function nextOf(text: string, searched: string): (from: number) => number {
  let found = text.indexOf(searched);
  return (from) => {
    if (found >= 0 && found < from) found = text.indexOf(searched, from);
    return found;
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
  const nextClose = nextOf(text, "]");
  return (at) => {
    const close = partners.has(at) ? -1 : nextClose(at);
    return partners.get(at) ?? (close < 0 ? at : close + 1);
  };
}
