import type { Element, ElementContent } from "hast";
import { property } from "../../from/reading.js";
import { node, saysSomething } from "../node.js";
import type { ReaderContext } from "../reader-context.js";
import { type ForeignHandler, type ReadNodes, tongueOf } from "./foreign-handler.js";

/** Lists, in which nothing may stand but items. */
export const FOREIGN_LISTS: Readonly<Record<string, ForeignHandler>> = {
  ul: listHandler("ul"),
  menu: listHandler("ul"),
  dir: listHandler("ul"),
  ol: listHandler("ol"),
  dl: readTerms,
};

function listHandler(name: "ul" | "ol"): ForeignHandler {
  return (element, context, read) => {
    if (!context.blocks) return read(element.children, context);
    const items = element.children.flatMap((child): readonly ElementContent[] => {
      const isItem = child.type === "element" && child.tagName === "li";
      const content = read(isItem ? child.children : [child], context);
      if (isItem) return [node("li", content, tongueOf(child))];
      return saysSomething(content) ? [node("li", content)] : [];
    });
    if (items.length === 0) return [];
    return [node(name, items, { ...(name === "ol" ? startOf(element) : {}), ...tongueOf(element) })];
  };
}

function startOf(element: Element): { readonly start?: number } {
  const start = property(element, "start");
  return /^-?\d{1,6}$/.test(start) ? { start: Number(start) } : {};
}

/** Terms and what they mean, in this order; otherwise each is a block of its own. */
function readTerms(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  const parts = element.children.filter(
    (child) => child.type === "element" || saysSomething([child as ElementContent]),
  );
  const names = parts.map((child) => (child.type === "element" ? child.tagName : ""));
  const isOrdered = names[0] === "dt" && names.at(-1) === "dd" && names.every((name) => name === "dt" || name === "dd");
  if (!context.blocks || !isOrdered) return read(element.children, context);
  const pairs = parts.flatMap((child) =>
    child.type === "element" ? [node(child.tagName, read(child.children, context), tongueOf(child))] : [],
  );
  return [node("dl", pairs, tongueOf(element))];
}
