import type { TextIssue } from "../../src/core/model/text-codes.js";
import { blanksAtEnd, blanksAtStart, isBlank } from "./blanks.js";
import { embed, lineBreak, link, list, listItem, mark, paragraph, text } from "./build.js";
import { isBlockMedium } from "./leaves.js";
import { DEEPEST_LIST } from "./parse/blocks.js";
import { print } from "./print.js";
import type { Block, Inline, Link, List, ListItem } from "./tree.js";

/** Reports an issue of a text that is being normalised. */
export type Tell = (code: TextIssue["code"], level: TextIssue["level"], message: string) => void;

/** A block converted from another format, with the reporter of its issues. */
export interface Draft {
  readonly block: Block;
  readonly tell: Tell;
}

/** Schemes that run code or read a disk when the link is followed. */
const DANGEROUS = /^(?:javascript|vbscript|data|file|blob):/i;

/**
 * An address as wiki text can hold it; undefined for a dangerous one. Percent-encodes what would
 * end the macro, which keeps the address the same, and drops control characters, which browsers
 * skip and which could hide a scheme.
 */
export function writableAddress(address: string): string | undefined {
  const written = address
    .replaceAll(CONTROL_CHARACTERS, "")
    .trim()
    .replaceAll(/[[\]| ]/g, (unsafe) => `%${unsafe.charCodeAt(0).toString(16).toUpperCase()}`);
  return written === "" || DANGEROUS.test(written) ? undefined : written;
}

const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** The site reads these addresses in brackets; site-relative ones and anchors need the keyword. */
const ABSOLUTE = /^(?:https?|ftps?):\/\//i;

/** A link to a writable address, in the form that the site reads (wiki-syntax 2.3). */
export function addressLink(address: string, label: readonly Inline[], newWindow: boolean): Link {
  const options = { label, newWindow };
  if (/^mailto:[^?]/i.test(address)) return link("mailto", address.slice("mailto:".length), options);
  if (ABSOLUTE.test(address)) return link("url", address, options);
  return { ...link("url", address, options), open: "[link|" };
}

/** An item as far as wiki text can express it: one line, and lists. */
export interface ReadItem {
  readonly item: ListItem;
  /** Blocks that an item of wiki text cannot hold. */
  readonly behind: readonly Block[];
}

export interface ItemParts {
  readonly lines: (readonly Inline[])[];
  readonly lists: List[];
  readonly behind: Block[];
  /** Items of lists that are too deep to nest. */
  readonly deeper: ReadItem[];
}

export function itemParts(): ItemParts {
  return { lines: [], lists: [], behind: [], deeper: [] };
}

export function finishItem({ lines, lists, behind, deeper }: ItemParts, tell: Tell): readonly ReadItem[] {
  if (lines.length > 1) {
    const message = "An item of wiki text is one line. Forced line breaks divide the paragraphs of this item.";
    tell("item-paragraphs", "loss", message);
  }
  const children = lines.flatMap((line, at) => (at === 0 ? line : [lineBreak(), ...line]));
  return [{ item: listItem(children, lists), behind }, ...deeper];
}

export function depthInside(depth: number): number {
  return Math.min(depth + 1, DEEPEST_LIST);
}

export function takeList(
  parts: ItemParts,
  ordered: boolean,
  items: readonly ReadItem[],
  depth: number,
  tell: Tell,
): void {
  if (depth === DEEPEST_LIST) {
    tell("deep-list", "loss", `Lists of wiki text are at most ${DEEPEST_LIST} deep. This one continues at that level.`);
    for (const item of items) parts.deeper.push(item);
    return;
  }
  for (const { behind } of items) parts.behind.push(...behind);
  const before = parts.lists.at(-1)?.ordered === ordered ? parts.lists.pop()?.children : undefined;
  if (before !== undefined)
    tell("lists-joined", "loss", "Two lists of one kind in one item are one list in wiki text.");
  parts.lists.push(list(ordered, [...(before ?? []), ...items.map(({ item }) => item)]));
}

/** Adds blocks that an item cannot hold; `name` is their name in the other format. */
export function takeBlocks(parts: ItemParts, blocks: readonly Block[], name: string, tell: Tell): void {
  if (blocks.length === 0) return;
  tell("block-in-item", "loss", `An item of wiki text cannot contain a "${name}". It follows the item.`);
  for (const block of blocks) parts.behind.push(block);
}

/** A list as blocks. What an item cannot hold follows the outermost item, and splits the list. */
export function listBlocks(ordered: boolean, items: readonly ReadItem[]): readonly Block[] {
  const blocks: Block[] = [];
  let together: ListItem[] = [];
  for (const { item, behind } of items) {
    together.push(item);
    if (behind.length === 0) continue;
    blocks.push(list(ordered, together), ...behind);
    together = [];
  }
  return together.length > 0 ? [...blocks, list(ordered, together)] : blocks;
}

/** Reports a list that does not begin with 1. */
export function tellStart(start: unknown, tell: Tell): void {
  if (start === 1) return;
  tell("list-start", "loss", `Lists in wiki text begin with 1. The start ${JSON.stringify(start)} is left out.`);
}

/** Running text as blocks: the site shows videos and lists of guides between paragraphs. */
export function separateMedia(inlines: readonly Inline[]): readonly Block[] {
  if (!inlines.some(isBlockMedium)) return paragraphOf(inlines);
  const blocks: Block[] = [];
  let from = 0;
  inlines.forEach((inline, at) => {
    if (!isBlockMedium(inline)) return;
    blocks.push(...paragraphOf(trimmed(inlines.slice(from, at))), embed(inline));
    from = at + 1;
  });
  return [...blocks, ...paragraphOf(trimmed(inlines.slice(from)))];
}

/** Drops the blanks next to a block, which are spacing. */
function trimmed(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline, at) => {
    if (inline.type !== "text") return inline;
    const start = at === 0 ? blanksAtStart(inline.value) : 0;
    const end = at === inlines.length - 1 ? blanksAtEnd(inline.value) : 0;
    return text(inline.value.slice(start, Math.max(start, inline.value.length - end)));
  });
}

function paragraphOf(inlines: readonly Inline[]): readonly Block[] {
  const first = inlines.findIndex(isWritten);
  if (first < 0) return [];
  const written = inlines.slice(first, inlines.findLastIndex(isWritten) + 1);
  return [paragraph(written.map((inline, at) => (at === written.length - 1 ? asLast(inline) : inline)))];
}

function asLast(inline: Inline): Inline {
  return inline.type === "break" ? { ...inline, after: "" } : inline;
}

function isWritten(inline: Inline): boolean {
  return inline.type !== "text" || !isBlank(inline.value);
}

/**
 * Blocks that were parsed alone, without their first line ends; a blank that prevents a list or
 * heading stays.
 */
export function unspaced(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, at) => {
    if (at > 0) return block;
    const { before = "", ...written } = block;
    const indent = before.slice(before.lastIndexOf("\n") + 1);
    return indent === "" ? written : { ...written, before: `\n\n${indent}` };
  });
}

/** The inlines of blocks that were read from running text; a block of another kind becomes text. */
export function inlinesIn(blocks: readonly Block[]): readonly Inline[] {
  return blocks.flatMap((block): readonly Inline[] => {
    if (block.type === "paragraph") return block.children;
    return block.type === "embed" ? [block.child] : [text(print(block))];
  });
}

/** Blocks as the inlines of a step line, which holds no blocks. */
export function lineOf(blocks: readonly Block[], tell: Tell): readonly Inline[] {
  if (blocks.length > 1 || blocks.some(({ type }) => type !== "paragraph" && type !== "embed")) {
    tell("block-in-line", "loss", "A line of a step does not have blocks. Their words follow each other.");
  }
  return between(blocks.map(wordsOf));
}

function between(groups: readonly (readonly Inline[])[]): readonly Inline[] {
  return groups.filter((group) => group.length > 0).flatMap((group, at) => (at === 0 ? group : [text(" "), ...group]));
}

function wordsOf(block: Block): readonly Inline[] {
  const words = HANDLERS[block.type] as (block: Block) => readonly Inline[];
  return words(block);
}

const HANDLERS: {
  readonly [Type in Block["type"]]: (block: Extract<Block, { readonly type: Type }>) => readonly Inline[];
} = {
  paragraph: ({ children }) => children,
  heading: ({ children }) => children,
  list: wordsOfList,
  codeBlock: ({ value }) => [mark("code", [text(value.replaceAll("\n", " "))])],
  quote: ({ attribution, children }) => between([...children.map(wordsOf), attribution]),
  embed: ({ child }) => [child],
  pageMacro: (macro) => [text(print({ ...macro, before: "" }))],
};

function wordsOfList({ children }: List): readonly Inline[] {
  return between(children.flatMap((item) => [item.children, ...item.lists.map(wordsOfList)]));
}
