import type { Answer } from "../state/answer.js";
import type { Site } from "../state/site.js";
import { wikiKey } from "../state/wiki.js";

/** Which categories a hierarchy shows, and in which language its display titles are. */
export interface HierarchyChoice {
  readonly requireGuides: boolean;
  readonly includeStubs: boolean;
  readonly langid?: string;
}

/** `GET /wikis/CATEGORY?display=hierarchy`: titles nested, and the display titles that differ. */
export function hierarchyView(site: Site, choice: HierarchyChoice): Answer {
  const tree = shownTree(site, choice);
  return { hierarchy: nested(tree, null, null), display_titles: Object.fromEntries(displayTitles(site, choice, tree)) };
}

/** `GET /categories`: the same titles; an empty category reads `{}` on dozuki and null on ifixit (facts, 8.5). */
export function categoryTree(site: Site, choice: HierarchyChoice): unknown {
  return nested(shownTree(site, choice), null, site.settings.dialect === "dozuki" ? {} : null);
}

/** `display=hierarchyOrder`: the only form with a defined order of siblings (facts, 8.1). */
export function hierarchyOrder(site: Site, choice: HierarchyChoice): readonly Answer[] {
  const tree = shownTree(site, choice);
  const titles = new Map(displayTitles(site, choice, tree));
  const nodes = (parent: string | null): readonly Answer[] =>
    (tree.get(parent) ?? []).map((title) => {
      const children = nodes(title);
      const shown = titles.get(title);
      return {
        title,
        ...(shown === undefined ? {} : { display_title: shown }),
        ...(children.length > 0 ? { children } : {}),
      };
    });
  return nodes(null);
}

/** Titles of the categories without children, in order. */
export function leafTitles(site: Site): readonly string[] {
  const parents = new Set(site.categoryParents.values());
  return [...site.categoryParents.keys()].filter((title) => !parents.has(title));
}

/** Children by parent, in order. */
type Tree = ReadonlyMap<string | null, readonly string[]>;

function shownTree(site: Site, choice: HierarchyChoice): Tree {
  const whole = grouped(site.categoryParents);
  const withGuides = new Set(
    [...site.guides.values()].filter((one) => one.public && !one.deleted).map((one) => one.category),
  );
  const shown = new Map<string | null, string[]>();
  const keep = (title: string): boolean => {
    const children = (whole.get(title) ?? []).filter((child) => keep(child));
    shown.set(title, children);
    const stub = site.wikis.get(wikiKey("CATEGORY", title))?.flags.includes("WIKI_STUB") === true;
    if (stub && !choice.includeStubs && children.length === 0) return false;
    return !choice.requireGuides || children.length > 0 || withGuides.has(title);
  };
  shown.set(
    null,
    (whole.get(null) ?? []).filter((title) => keep(title)),
  );
  return shown;
}

function grouped(parents: ReadonlyMap<string, string | null>): Tree {
  const groups = new Map<string | null, string[]>();
  for (const [title, parent] of parents) groups.set(parent, [...(groups.get(parent) ?? []), title]);
  return groups;
}

function nested(tree: Tree, parent: string | null, leaf: unknown): unknown {
  const children = tree.get(parent) ?? [];
  if (children.length === 0) return parent === null ? {} : leaf;
  return Object.fromEntries(children.map((title) => [title, nested(tree, title, leaf)]));
}

function displayTitles(site: Site, choice: HierarchyChoice, tree: Tree): readonly (readonly [string, string])[] {
  return [...tree.values()].flat().flatMap((title) => {
    const translation =
      choice.langid === undefined ? undefined : site.wikis.get(wikiKey("CATEGORY", title, choice.langid));
    const shown = (translation ?? site.wikis.get(wikiKey("CATEGORY", title)))?.displayTitle ?? title;
    return shown === title ? [] : [[title, shown] as const];
  });
}
