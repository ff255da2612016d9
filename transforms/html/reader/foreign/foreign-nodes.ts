import type { ElementContent, RootContent } from "hast";
import { DECORATION } from "../../from/block-handlers.js";
import { classesOf } from "../../from/reading.js";
import { words } from "../node.js";
import type { ReaderContext } from "../reader-context.js";
import { FOREIGN_BLOCKS } from "./foreign-blocks.js";
import type { ForeignHandler } from "./foreign-handler.js";
import { FOREIGN_LISTS } from "./foreign-lists.js";
import { FOREIGN_BOXES, FOREIGN_MEDIA } from "./foreign-media.js";
import { FOREIGN_TABLES } from "./foreign-tables.js";
import { FOREIGN_WORDS } from "./foreign-words.js";

/** Nodes of HTML that others made as nodes of the reader's; what has no handler is what is in it. */
export function foreignNodes(nodes: readonly RootContent[], context: ReaderContext): readonly ElementContent[] {
  return nodes.flatMap((each): readonly ElementContent[] => {
    if (each.type === "text") return [words(each.value)];
    if (each.type !== "element") return [];
    const classes = classesOf(each);
    if (classes.some((name) => DECORATION.has(name))) return [];
    const box = BOXES.get(classes.find((name) => BOXES.has(name)) ?? "");
    const handle = box ?? HANDLERS.get(each.tagName);
    return handle === undefined ? foreignNodes(each.children, context) : handle(each, context, foreignNodes);
  });
}

const HANDLERS: ReadonlyMap<string, ForeignHandler> = new Map(
  Object.entries({ ...FOREIGN_BLOCKS, ...FOREIGN_LISTS, ...FOREIGN_TABLES, ...FOREIGN_MEDIA, ...FOREIGN_WORDS }),
);

const BOXES: ReadonlyMap<string, ForeignHandler> = new Map(Object.entries(FOREIGN_BOXES));
