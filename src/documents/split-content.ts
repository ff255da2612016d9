import { categoryFolder, Names } from "../../transforms/omanual/write/bundle/names.js";
import type { Issue } from "../core/model/issue.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { type BundleContent, type BundleParts, bundleContent, chosenItems } from "./bundle-content.js";

/** One bundle that is to be written. */
export interface PlannedBundle {
  /** Of its file, without the ending; safe on every file system. */
  readonly name: string;
  readonly content: BundleContent;
}

/** What is to be written, and what was found on the way there. */
export interface BundleOutlook {
  /** How many items go into the bundles, media aside. */
  readonly items: number;
  readonly split: readonly PlannedBundle[];
}

/** The bundle of pages, and of guides without a category. */
const OTHERS = "other";

/**
 * Takes everything through the transforms once and tells what they tell. The bundles are one for each category, which has the
 * category's page, those above it and its own guides, and one for what has no category.
 */
export async function splitContent(parts: BundleParts, report: (issue: Issue) => void): Promise<BundleOutlook> {
  const shares = new Map<string, Set<Key>>();
  const categories = new Map<string, Above>();
  let items = 0;
  for await (const { key, made, issues } of chosenItems(parts)) {
    for (const issue of issues) report(issue);
    items += made.length;
    for (const item of made) {
      const home = homeOf(item);
      shares.set(home, (shares.get(home) ?? new Set<Key>()).add(key));
      if (item.kind === "category") categories.set(item.body.title, { key, parent: item.body.parent });
    }
  }
  const names = new Names([OTHERS]);
  const homes = [...shares].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const split = homes.map(([home, own]) => {
    const above = aboveOf(home, categories);
    const takes = (item: Item): boolean =>
      homeOf(item) === home || (item.kind === "category" && above.has(item.body.title));
    const keys = new Set([...own, ...above.values()]);
    const name = home === "" ? OTHERS : categoryFolder(home, names);
    return { name, content: bundleContent(parts, { keys, takes }) };
  });
  return { items, split };
}

interface Above {
  readonly key: Key;
  readonly parent: string | null;
}

/** The categories above one, by title; without them a site would get empty pages in their place. */
function aboveOf(title: string, categories: ReadonlyMap<string, Above>): ReadonlyMap<string, Key> {
  const above = new Map<string, Key>();
  let parent = categories.get(title)?.parent ?? null;
  while (parent !== null && !above.has(parent)) {
    const found = categories.get(parent);
    if (found === undefined) break;
    above.set(parent, found.key);
    parent = found.parent;
  }
  return above;
}

function homeOf({ kind, body }: Item): string {
  if (kind === "category") return body.title;
  return kind === "guide" ? body.category : "";
}
