import { type Answer, isAnswer, objectsAt, textAt } from "../state/answer.js";
import type { Site } from "../state/site.js";
import { wikiKey } from "../state/wiki.js";
import { addWiki } from "../writes/add-wiki.js";
import { readJson } from "./read-json.js";

/**
 * The category tree: `hierarchy.json` if there, else `categories.json`, then what the category pages say of their parents.
 * Categories that only the tree or a guide names get an empty page.
 */
export function loadHierarchy(site: Site, folder: string, parentsOfPages: ReadonlyMap<string, string | null>): void {
  const ordered = readJson(folder, "hierarchy.json");
  const tree = readJson(folder, "categories.json");
  if (Array.isArray(ordered)) addNodes(site, ordered.filter(isAnswer), null);
  else if (isAnswer(tree)) addTree(site, tree, null);
  for (const [title, parent] of parentsOfPages) {
    if (!site.categoryParents.has(title)) site.categoryParents.set(title, parent);
  }
  for (const guide of site.guides.values()) {
    if (guide.category !== "" && !site.categoryParents.has(guide.category)) addCategory(site, guide.category, null, "");
  }
  for (const [title, parent] of site.categoryParents) {
    if (parent !== null && !site.categoryParents.has(parent)) site.categoryParents.set(title, null);
  }
}

function addNodes(site: Site, nodes: readonly Answer[], parent: string | null): void {
  for (const node of nodes) {
    const title = textAt(node, "title");
    addCategory(site, title, parent, textAt(node, "display_title"));
    addNodes(site, objectsAt(node, "children"), title);
  }
}

function addTree(site: Site, tree: Answer, parent: string | null): void {
  for (const [title, below] of Object.entries(tree)) {
    addCategory(site, title, parent, "");
    if (isAnswer(below)) addTree(site, below, title);
  }
}

function addCategory(site: Site, title: string, parent: string | null, displayTitle: string): void {
  site.categoryParents.set(title, parent);
  const page = site.wikis.get(wikiKey("CATEGORY", title));
  const shown = displayTitle === "" || displayTitle === title ? null : displayTitle;
  if (page === undefined) addWiki(site, { namespace: "CATEGORY", title, displayTitle: shown });
  else if (page.displayTitle === null && shown !== null) {
    site.wikis.set(wikiKey("CATEGORY", title), { ...page, displayTitle: shown });
  }
}
