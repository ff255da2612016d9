import type { ManualCategory } from "../manual.js";
import type { Tell } from "./finding.js";
import { branch, leaf, mixed, type WrittenElement } from "./print-element.js";
import { writeProductDate } from "./product-date.js";
import { address, integer } from "./values.js";
import { writeCategoryDocument, writeCategoryPart, writeFlag, writeGuideRow } from "./write-lists.js";
import { writeImage } from "./write-media.js";
import { writeText } from "./write-text.js";

/** The root of a category: all thirteen elements, in the order of the schema. */
export function writeCategory(manual: ManualCategory, tell: Tell): WrittenElement {
  const { solutions } = manual;
  const list = <T>(name: string, entries: readonly T[], write: (entry: T, index: number) => WrittenElement) =>
    branch(name, entries.map(write));
  const content = [
    leaf("title", manual.title ?? manual.name ?? ""),
    writeInfo(manual, tell),
    writeImage(manual.image),
    mixed("description", writeText(manual.description, "description", tell)),
    list("flags", manual.flags, (flag, index) => writeFlag(flag, `flags[${index}]`, tell)),
    list("ancestors", manual.ancestors, (name) => leaf("ancestor", name)),
    list("children", manual.children, (name) => leaf("child", name)),
    branch("solutions", [], { count: integer(solutions?.count) ?? "0", url: address(solutions?.url) ?? "" }),
    list("parts", manual.parts, (part, index) => writeCategoryPart("part", part, `parts[${index}]`, tell)),
    list("tools", manual.tools, (tool, index) => writeCategoryPart("tool", tool, `tools[${index}]`, tell)),
    mixed("contents", writeText(manual.contents, "contents", tell)),
    list("guides", manual.guides, (guide, index) => writeGuideRow(guide, `guides[${index}]`, tell)),
    list("documents", manual.documents, writeCategoryDocument),
  ];
  return branch("category", content, { locale: manual.locale ?? "" });
}

function writeInfo(
  { name, title, manufacturer, introduced, discontinued }: ManualCategory,
  tell: Tell,
): WrittenElement {
  return leaf("category_info", name ?? title ?? "", {
    discontinued: dateOf(discontinued, "discontinued", tell),
    introduced: dateOf(introduced, "introduced", tell),
    manufacturer: manufacturer || null,
  });
}

/** Dates of a product are whole numbers in the schema (omanual 3). */
function dateOf(value: string | null, path: string, tell: Tell): string | null {
  const written = writeProductDate(value);
  if (written === null && value !== null && value.trim() !== "") {
    const message = `"${value.slice(0, 40)}" is no date and no whole number, which the schema wants; it is left out.`;
    tell({ code: "not-a-number", level: "loss", path, message });
  }
  return written;
}
