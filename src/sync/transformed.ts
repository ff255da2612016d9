import type { Transform } from "../core/contracts.js";
import type { Issue } from "../core/model/issue.js";
import type { Item } from "../core/model/item.js";

/** What the user's transforms made of an item. */
export interface Transformed {
  /** `[]`: a transform dropped it. */
  readonly items: readonly Item[];
  readonly issues: readonly Issue[];
}

/** Takes an item through the transforms, in their order. Throws what a transform throws: a defect of it, told with its name. */
export function transformed(item: Item, transforms: readonly Transform[]): Transformed {
  const issues: Issue[] = [];
  const report = (issue: Issue): void => {
    issues.push(issue);
  };
  let items: readonly Item[] = [item];
  for (const transform of transforms) items = items.flatMap((each) => transform(each, report));
  return { items, issues };
}
