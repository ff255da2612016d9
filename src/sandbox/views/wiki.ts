import { type Answer, without } from "../site/answer.js";
import { type UserRecord, type WikiRecord, wikiKey } from "../site/records.js";
import type { Site } from "../site/site.js";
import { documentViews, imageView } from "./media.js";
import { renderText, textTree } from "./render.js";
import { asSpecified, flagView, guideSummary } from "./summaries.js";

/** With its true revision (facts, 8.3): {@link wikiReadView} is the answer of a plain read. */
export function wikiView(site: Site, wiki: WikiRecord, caller: UserRecord | undefined): Answer {
  const same = wiki.loaded["contents_raw"] === wiki.contents;
  return {
    ...without(wiki.loaded, ["parent"]),
    wikiid: wiki.wikiid,
    langid: wiki.langid,
    namespace: wiki.namespace,
    title: wiki.title,
    display_title: wiki.displayTitle ?? wiki.title,
    revisionid: wiki.revisionid,
    source_revisionid: wiki.sourceRevisionid,
    created_date: wiki.dates.created,
    modified_date: wiki.dates.modified,
    contents_raw: wiki.contents,
    contents_json: same && "contents_json" in wiki.loaded ? wiki.loaded["contents_json"] : textTree(wiki.contents),
    contents_rendered: (same && wiki.loaded["contents_rendered"]) || renderText(site, wiki.contents),
    description: wiki.description,
    can_edit: caller !== undefined,
    image: imageView(site, wiki.image),
    page_title: wiki.pageTitle,
    flags: flagsOf(site, wiki),
    tags: wiki.tags,
    available_langids: langids(site, wiki),
    ...(NAMESPACE_FIELDS[wiki.namespace]?.(site, wiki) ?? {}),
  };
}

/** A map with an empty array for none (facts, 11.4); an array in the specification. */
function flagsOf(site: Site, { flags }: WikiRecord): unknown {
  if (flags.length === 0 || site.settings.dialect === "specification") return flags;
  return Object.fromEntries(flags.map((flagid) => [flagid, flagView(site, flagid)]));
}

/** A CATEGORY may hide its revision (facts, 8.2). */
export function wikiReadView(
  site: Site,
  wiki: WikiRecord,
  caller: UserRecord | undefined,
  unpatrolled: boolean,
): Answer {
  const view = wikiView(site, wiki, caller);
  const hidden = wiki.namespace === "CATEGORY" && site.settings.categoryRevisionNull && !unpatrolled;
  return hidden ? { ...view, revisionid: null, source_revisionid: null } : view;
}

/** A wiki as lists show it (facts, 8.3; specification, "Light wiki"). */
export function lightWiki(site: Site, wiki: WikiRecord): Answer {
  return asSpecified(site, "lightWiki", {
    dataType: "wiki",
    wikiid: wiki.wikiid,
    namespace: wiki.namespace,
    title: wiki.title,
    display_title: wiki.displayTitle ?? wiki.title,
    langid: wiki.langid,
    summary: wiki.description,
    url: `${site.origin}/${PAGE_FOLDERS[wiki.namespace]}/${encodeURIComponent(wiki.title.replaceAll(" ", "_"))}`,
    text: wiki.contents.slice(0, 200),
    image: imageView(site, wiki.image),
    modified_date: wiki.dates.modified,
    author: wiki.author,
    ...(site.settings.dialect === "ifixit" ? { revisionid: wiki.revisionid } : {}),
  });
}

const PAGE_FOLDERS = { CATEGORY: "c", ITEM: "Item", TEAM: "Team", USER: "User", INFO: "Info", WIKI: "Wiki" } as const;

const NAMESPACE_FIELDS: Readonly<Partial<Record<WikiRecord["namespace"], (site: Site, wiki: WikiRecord) => Answer>>> = {
  CATEGORY: (site, wiki) => ({
    documents: documentViews(site, wiki.documents),
    info: wiki.info,
    ...(site.settings.dialect === "ifixit" ? { repairability_score: wiki.repairability } : {}),
    ancestors: ancestors(site, wiki).map((one) => lightWiki(site, one)),
    children: childrenOf(site, wiki).map((one) => lightWiki(site, one)),
    parent: site.categoryParents.get(wiki.title) ?? null,
    guides: [...site.guides.values()]
      .filter((guide) => guide.category === wiki.title && guide.public && !guide.deleted)
      .filter((guide) => guide.langid === site.settings.languages[0])
      .map((guide) => guideSummary(site, guide)),
  }),
  ITEM: (_site, wiki) => ({ info: wiki.info, suppliers: wiki.suppliers }),
  WIKI: (site, wiki) => ({
    documents: documentViews(site, wiki.documents),
    table_of_contents: wiki.tableOfContents,
    parent: site.wikiParents.get(wiki.title) ?? null,
  }),
};

export function childrenOf(site: Site, wiki: WikiRecord): readonly WikiRecord[] {
  return [...site.categoryParents]
    .filter(([, parent]) => parent === wiki.title)
    .map(([title]) => site.wikis.get(wikiKey("CATEGORY", title)))
    .filter((child) => child !== undefined);
}

function ancestors(site: Site, wiki: WikiRecord): readonly WikiRecord[] {
  const parent = site.categoryParents.get(wiki.title) ?? null;
  const found = parent === null ? undefined : site.wikis.get(wikiKey("CATEGORY", parent));
  return found === undefined ? [] : [found, ...ancestors(site, found)];
}

function langids(site: Site, wiki: WikiRecord): readonly string[] {
  return [...site.wikis.values()]
    .filter((one) => one.namespace === wiki.namespace && one.title === wiki.title)
    .map((one) => one.langid);
}

/** The categories of a hierarchy, and the language of its display titles. */
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

/** `GET /categories`: an empty category is `{}` on dozuki and null on ifixit (facts, 8.5). */
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

export function leafTitles(site: Site): readonly string[] {
  const parents = new Set(site.categoryParents.values());
  return [...site.categoryParents.keys()].filter((title) => !parents.has(title));
}

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
