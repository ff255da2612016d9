import { wikiOf } from "../../../core/model/key.js";
import type { Entry } from "../catalogue.js";
import type { CategoryWalk } from "./category-note.js";

/** The guides that changed last, the latest first. */
export function latestGuides(catalogue: CategoryWalk, count: number): readonly Entry[] {
  const latest: Entry[] = [];
  for (const guide of allGuides(catalogue)) {
    if (latest.length === count && timeOf(guide) <= timeOf(latest.at(-1))) continue;
    const at = latest.findIndex((other) => timeOf(other) < timeOf(guide));
    latest.splice(at < 0 ? latest.length : at, 0, guide);
    latest.length = Math.min(latest.length, count);
  }
  return latest;
}

function timeOf(entry: Entry | undefined): number {
  return entry?.modified ?? 0;
}

/** Through the tree; a circle of categories is walked once. */
function* allGuides(catalogue: CategoryWalk): Generator<Entry> {
  yield* catalogue.guidesIn(null);
  const seen = new Set<string>();
  const open = catalogue.categoriesIn(null).map(({ key }) => wikiOf(key).title);
  for (let title = open.pop(); title !== undefined; title = open.pop()) {
    if (seen.has(title)) continue;
    seen.add(title);
    yield* catalogue.guidesIn(title);
    for (const { key } of catalogue.categoriesIn(title)) open.push(wikiOf(key).title);
  }
}
