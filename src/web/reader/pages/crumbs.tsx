import { wikiKey } from "../../../core/model/key.js";
import type { Crumb } from "../../components/breadcrumbs.js";
import { Foreign } from "../../components/foreign.js";
import type { Entry } from "../catalogue.js";
import { hrefOf, hrefTo, type PageScope } from "./scope.js";

/** Deeper than any tree that people can use. */
const DEEPEST = 50;

/** The way from the first page through the categories to an item, without itself. A circle of categories ends where it closes. */
export function crumbsOf(scope: PageScope, entry: Entry): readonly Crumb[] {
  const above: Entry[] = [];
  let parent = parentOf(scope, entry);
  while (parent !== undefined && parent.key !== entry.key && !above.includes(parent) && above.length < DEEPEST) {
    above.unshift(parent);
    parent = parentOf(scope, parent);
  }
  return [homeCrumb(scope), ...above.map((each) => crumbTo(scope, each))];
}

export function homeCrumb(scope: PageScope): Crumb {
  return { title: "Home", href: hrefTo(scope, "index.html") };
}

export function crumbTo(scope: PageScope, entry: Entry): Crumb {
  return { title: <Foreign text={entry.title} />, href: hrefOf(scope, entry) };
}

function parentOf({ catalogue }: PageScope, { category }: Entry): Entry | undefined {
  return category === null || category === "" ? undefined : catalogue.entry(wikiKey("CATEGORY", category));
}
