import type { Element, Nodes, Parents } from "hast";
import { text } from "../../wiki/build-inlines.js";
import { BLOCK_CLASSES, BLOCK_HANDLERS, DECORATION } from "./block-handlers.js";
import { type Item, isInline } from "./item.js";
import { readAbbreviation, readLink } from "./link-handler.js";
import { LIST_HANDLERS } from "./list-handlers.js";
import { MARK_HANDLERS } from "./mark-handlers.js";
import { MEDIA_CLASSES, MEDIA_HANDLERS } from "./media-handlers.js";
import { classesOf, type Handler, type Reading } from "./reading.js";
import { TABLE_HANDLERS } from "./table-handlers.js";

/** What a node of HTML becomes; the children first, so that a handler gets what they have become. */
export function readNode(node: Nodes, reading: Reading): readonly Item[] {
  if (node.type === "text") return [text(withLineFeeds(node.value))];
  if (!("children" in node) || isDecoration(node)) return [];
  const inner = node.type === "element" && node.tagName === "a" ? { ...reading, inLink: true } : reading;
  const content = node.children.flatMap((child) => readNode(child, inner));
  if (node.type !== "element") return content;
  const items = handlerOf(node)(node, content, reading);
  // What the element only passes on has its place from the elements in it.
  return items === content ? items : placed(items, node, reading);
}

/** The parser has made one of all line ends but those that stand as character references; to look first is faster. */
function withLineFeeds(value: string): string {
  return value.includes("\r") || value.includes("\f") ? value.replace(/\r\n?|\f/g, "\n") : value;
}

/** The innermost element that made a block is where it stands. */
function placed(items: readonly Item[], element: Element, { places, placeOf }: Reading): readonly Item[] {
  for (const item of items) if (!isInline(item) && !places.has(item)) places.set(item, placeOf(element));
  return items;
}

function isDecoration(node: Parents): boolean {
  return node.type === "element" && classesOf(node).some((name) => DECORATION.has(name));
}

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...Object.entries(BLOCK_HANDLERS),
  ...Object.entries(LIST_HANDLERS),
  ...Object.entries(MARK_HANDLERS),
  ...Object.entries(MEDIA_HANDLERS),
  ...Object.entries(TABLE_HANDLERS),
  ["a", readLink],
  ["abbr", readAbbreviation],
]);

const CLASS_HANDLERS: ReadonlyMap<string, Handler> = new Map(Object.entries({ ...BLOCK_CLASSES, ...MEDIA_CLASSES }));

/** What has no handler of its own is what is in it. */
const transparent: Handler = (_, content) => content;

function handlerOf(element: Element): Handler {
  const special = classesOf(element).find((name) => CLASS_HANDLERS.has(name));
  return CLASS_HANDLERS.get(special ?? "") ?? HANDLERS.get(element.tagName) ?? transparent;
}
