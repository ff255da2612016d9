import { onOneLine } from "../../../transforms/page/on-one-line.js";
import { pageOf } from "../../../transforms/page/page-of.js";
import { wikiPage } from "../../../transforms/page/wiki-page.js";
import type { Item } from "../../core/model/item.js";

/**
 * What a person reads of an item, line by line: of guides and pages the texts as they were typed, from the title to the documents; of the others the
 * fields.
 */
export function readableText(item: Item): string {
  if (item.kind === "guide" || item.kind === "wiki" || item.kind === "category")
    return wikiPage(pageOf(item), AS_TYPED);
  return readableJson(item.kind === "record" ? item.body.answer : item.body);
}

/** A value as JSON, a field a line. */
export function readableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2) ?? "null"}\n`;
}

const AS_TYPED: Parameters<typeof wikiPage>[1] = {
  wiki: (source) => source,
  plain: onOneLine,
  // What wiki text can't say is of no interest to who looks for changes in it.
  tell: () => undefined,
};

/** The lines of a text, without their ends. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
