import type { Element } from "hast";
import { list, listItem, paragraph } from "../../wiki/build.js";
import type { Inline, List, ListItem } from "../../wiki/tree.js";
import { finishWords, showsSomething } from "./finish-words.js";
import { BREAK, flatten, oneLine, tellOf } from "./flatten.js";
import { type Item, isInline } from "./item.js";
import { markInlines } from "./mark-handlers.js";
import type { Handler, Reading } from "./reading.js";

/** Lists, and lists of terms as paragraphs. */
export const LIST_HANDLERS: Readonly<Record<string, Handler>> = {
  ul: (element, content, reading) => readList(false, content, element, reading),
  menu: (element, content, reading) => readList(false, content, element, reading),
  dir: (element, content, reading) => readList(false, content, element, reading),
  ol: readOrdered,
  li: readItem,
  dt: (element, content, reading) => readTerm(oneLine(content, element, reading)),
};

function readOrdered(element: Element, content: readonly Item[], reading: Reading): readonly Item[] {
  const { start } = element.properties;
  if (typeof start === "number" && start !== 1) {
    reading.report("list-start", "loss", `A list that begins with ${start} will begin with 1.`, element);
  }
  return readList(true, content, element, reading);
}

/** What is no item becomes one; a list right inside of a list is nested in the item before it. */
function readList(ordered: boolean, content: readonly Item[], element: Element, reading: Reading): readonly Item[] {
  const items: { readonly item: ListItem; readonly lists: List[] }[] = [];
  for (const item of content) {
    const last = items.at(-1);
    if (item.type === "list" && last !== undefined) last.lists.push(item);
    else
      for (const made of item.type === "listItem" ? [item] : readItem(element, [item], reading))
        items.push({ item: made, lists: [...made.lists] });
  }
  return items.length > 0
    ? [
        list(
          ordered,
          items.map(({ item, lists }) => ({ ...item, lists: joinLists(lists) })),
        ),
      ]
    : [];
}

/** An item is one line: what stands behind the lists in it comes before them. */
function readItem(element: Element, content: readonly Item[], reading: Reading): readonly ListItem[] {
  const shown = content.filter((item) => !isInline(item) || showsSomething(item));
  const firstList = shown.findIndex(isList);
  if (firstList >= 0 && !shown.slice(firstList).every(isList)) {
    reading.report("item-reordered", "loss", "Words behind a nested list now stand before it.", element);
  }
  const lists = joinLists(shown.filter(isList));
  const words = content.flatMap((item): readonly Item[] => (isList(item) ? BREAK : [item]));
  const children = finishWords(flatten(words, BREAK, tellOf(element, reading)));
  return children.length + lists.length > 0 ? [listItem(children, lists)] : [];
}

/** Neighbours of one kind are one list in wiki text. */
function joinLists(lists: readonly List[]): readonly List[] {
  const joined: { readonly first: List; readonly children: ListItem[] }[] = [];
  for (const each of lists) {
    const last = joined.at(-1);
    if (last?.first.ordered !== each.ordered) joined.push({ first: each, children: [...each.children] });
    else for (const child of each.children) last.children.push(child);
  }
  return joined.map(({ first, children }) => ({ ...first, children }));
}

function isList(item: Item): item is List {
  return item.type === "list";
}

function readTerm(words: readonly Inline[]): readonly Item[] {
  return words.length > 0 ? [paragraph(markInlines("strong", words))] : [];
}
