import type { Element, Nodes, Parents } from "hast";
import { text } from "../../wiki/build-inlines.js";
import { BLOCK_CLASSES, BLOCK_HANDLERS, DECORATION } from "./block-handlers.js";
import { type Item, isInline } from "./item.js";
import { readLink } from "./link-handler.js";
import { LIST_HANDLERS } from "./list-handlers.js";
import { MARK_HANDLERS } from "./mark-handlers.js";
import { MEDIA_CLASSES, MEDIA_HANDLERS } from "./media-handlers.js";
import { classesOf, type Handler, placeOf, type Reading } from "./reading.js";
import { TABLE_HANDLERS } from "./table-handlers.js";

/** What a node of HTML becomes; the children first, so that a handler gets what they have become. */
export function readNode(node: Nodes, reading: Reading): readonly Item[] {
  if (node.type === "text") return [text(node.value.replace(/\r\n?|\f/g, "\n"))];
  if (!("children" in node) || isDecoration(node)) return [];
  const content = node.children.flatMap((child) => readNode(child, reading));
  return node.type === "element" ? placed(handlerOf(node)(node, content, reading), node, reading) : content;
}

/** The innermost element that made a block is where it stands. */
function placed(items: readonly Item[], element: Element, { places }: Reading): readonly Item[] {
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
]);

const CLASS_HANDLERS: ReadonlyMap<string, Handler> = new Map(Object.entries({ ...BLOCK_CLASSES, ...MEDIA_CLASSES }));

/** What has no handler of its own is what is in it. */
const transparent: Handler = (_, content) => content;

function handlerOf(element: Element): Handler {
  const special = classesOf(element).find((name) => CLASS_HANDLERS.has(name));
  return CLASS_HANDLERS.get(special ?? "") ?? HANDLERS.get(element.tagName) ?? transparent;
}
