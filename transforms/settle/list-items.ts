import { list, listItem } from "../wiki/build.js";
import { lineBreak } from "../wiki/build-inlines.js";
import { DEEPEST_LIST } from "../wiki/parse/item-lines.js";
import type { Block, Inline, List, ListItem } from "../wiki/tree.js";
import type { Tell } from "./draft.js";

/** An item from elsewhere as far as wiki text can say it: one line, and lists. */
export interface ReadItem {
  readonly item: ListItem;
  /** Blocks that an item of wiki text cannot hold. */
  readonly behind: readonly Block[];
}

/** What is found in one item. */
export interface ItemParts {
  readonly lines: (readonly Inline[])[];
  readonly lists: List[];
  readonly behind: Block[];
  /** Items of lists that are too deep to be nested. */
  readonly deeper: ReadItem[];
}

export function itemParts(): ItemParts {
  return { lines: [], lists: [], behind: [], deeper: [] };
}

/** The item of its parts, and those that stand beside it. */
export function finishItem({ lines, lists, behind, deeper }: ItemParts, tell: Tell): readonly ReadItem[] {
  if (lines.length > 1) {
    const message = "An item of wiki text is one line; the paragraphs of this one are divided by forced breaks.";
    tell("item-paragraphs", "loss", message);
  }
  const children = lines.flatMap((line, at) => (at === 0 ? line : [lineBreak(), ...line]));
  return [{ item: listItem(children, lists), behind }, ...deeper];
}

/** How deep the items of a list in an item are that is `depth` deep. */
export function depthInside(depth: number): number {
  return Math.min(depth + 1, DEEPEST_LIST);
}

/** Adds the list that stands in an item `depth` deep. */
export function takeList(
  parts: ItemParts,
  ordered: boolean,
  items: readonly ReadItem[],
  depth: number,
  tell: Tell,
): void {
  if (depth === DEEPEST_LIST) {
    tell("deep-list", "loss", `Lists of wiki text are at most ${DEEPEST_LIST} deep; this one goes on there.`);
    for (const item of items) parts.deeper.push(item);
    return;
  }
  for (const { behind } of items) parts.behind.push(...behind);
  const before = parts.lists.at(-1)?.ordered === ordered ? parts.lists.pop()?.children : undefined;
  if (before !== undefined)
    tell("lists-joined", "loss", "Two lists of one kind in one item are one list in wiki text.");
  parts.lists.push(list(ordered, [...(before ?? []), ...items.map(({ item }) => item)]));
}

/** Adds blocks that cannot stand in an item; `name` is what they are called where they come from. */
export function takeBlocks(parts: ItemParts, blocks: readonly Block[], name: string, tell: Tell): void {
  if (blocks.length === 0) return;
  tell("block-in-item", "loss", `An item of wiki text cannot hold a "${name}"; it stands behind the list's item.`);
  for (const block of blocks) parts.behind.push(block);
}

/** A list as blocks: what its items cannot hold stands behind the outermost item that it was in, and splits the list there. */
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

/** Says that a list does not begin with 1, where it does not. */
export function tellStart(start: unknown, tell: Tell): void {
  if (start === 1) return;
  tell("list-start", "loss", `Lists in wiki text begin with 1; the start ${JSON.stringify(start)} is left out.`);
}
