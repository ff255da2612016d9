import type { Element, ElementContent } from "hast";
import { property } from "../../from/reading.js";
import { node, saysSomething } from "../node.js";
import type { ReaderContext } from "../reader-context.js";
import { type ForeignHandler, type ReadNodes, tongueOf } from "./foreign-handler.js";

/** Tables; what the parser lets stand in one beside its parts is nothing but blanks. */
export const FOREIGN_TABLES: Readonly<Record<string, ForeignHandler>> = {
  table: readTable,
};

const GROUPS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);

/** A wide table is moved sideways in a box of its own, which the keyboard must reach. */
function readTable(element: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  if (!context.blocks) return read(element.children, context);
  const parts = elementsIn(element);
  const caption = parts.find(({ tagName }) => tagName === "caption");
  const groups = parts
    .filter(({ tagName }) => GROUPS.has(tagName))
    .flatMap((group) => {
      const rows = rowsIn(group, context, read);
      return rows.length === 0 ? [] : [node(group.tagName, rows)];
    });
  const head = caption === undefined ? [] : [node("caption", read(caption.children, context), tongueOf(caption))];
  if (groups.length === 0) return caption === undefined ? [] : [node("div", read(caption.children, context))];
  const table = node("table", [...head, ...groups], tongueOf(element));
  return [node("div", [table], { className: ["wide"], role: "group", ariaLabel: "Table", tabIndex: 0 })];
}

function rowsIn(group: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  return elementsIn(group)
    .filter(({ tagName }) => tagName === "tr")
    .map((row) => elementsIn(row).flatMap((cell) => cellNodes(cell, context, read)))
    .filter((cells) => cells.length > 0)
    .map((cells) => node("tr", cells));
}

/** A heading of a column that says nothing is an empty cell. */
function cellNodes(cell: Element, context: ReaderContext, read: ReadNodes): readonly ElementContent[] {
  if (cell.tagName !== "td" && cell.tagName !== "th") return [];
  const content = read(cell.children, context);
  const name = cell.tagName === "th" && saysSomething(content) ? "th" : "td";
  return [node(name, content, { ...spanOf(cell, "colSpan"), ...spanOf(cell, "rowSpan"), ...tongueOf(cell) })];
}

/** How many columns or rows a cell takes; more than any page has would only cost the browser time. */
function spanOf(cell: Element, name: "colSpan" | "rowSpan"): { readonly colSpan?: number; readonly rowSpan?: number } {
  const count = Number(property(cell, name));
  return Number.isInteger(count) && count > 1 ? { [name]: Math.min(count, 999) } : {};
}

function elementsIn({ children }: Element): readonly Element[] {
  return children.filter((child): child is Element => child.type === "element");
}
