import { wikiOf } from "../../../core/model/key.js";
import { countWords } from "../../components/numbers.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { PageScope } from "./scope.js";

/** What a walk through the categories needs. */
export type CategoryWalk = Pick<Catalogue, "categoriesIn" | "guidesIn">;

/** Guides in a category and all below it. A circle of categories counts each once. */
export function guidesBelow(catalogue: CategoryWalk, category: Entry): number {
  const seen = new Set<string>();
  const open = [wikiOf(category.key).title];
  let count = 0;
  for (let title = open.pop(); title !== undefined; title = open.pop()) {
    if (seen.has(title)) continue;
    seen.add(title);
    count += catalogue.guidesIn(title).length;
    for (const below of catalogue.categoriesIn(title)) open.push(wikiOf(below.key).title);
  }
  return count;
}

/** `2 categories, 14 guides`, without what there is none of. */
export function categoryNote({ catalogue }: PageScope, category: Entry): string {
  const below = catalogue.categoriesIn(wikiOf(category.key).title).length;
  const guides = guidesBelow(catalogue, category);
  const words = [
    ...(below === 0 ? [] : [countWords(below, "category", "categories")]),
    ...(guides === 0 ? [] : [countWords(guides, "guide")]),
  ];
  return words.join(", ") || "No guides";
}
