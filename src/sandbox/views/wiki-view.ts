import { type Answer, without } from "../state/answer.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { type WikiRecord, wikiKey } from "../state/wiki.js";
import { asSpecified } from "./as-specified.js";
import { documentViews } from "./document-view.js";
import { flagView } from "./flag-view.js";
import { guideSummary } from "./guide-summary-view.js";
import { imageView } from "./image-view.js";
import { renderText, textTree } from "./render-text.js";

/** A full wiki (facts, 8.3). The revision is the true one: {@link wikiReadView} is what a plain read shows. */
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

/** A map of flags, and the service's empty map is an empty array (facts, 11.4); an array in the specification. */
function flagsOf(site: Site, { flags }: WikiRecord): unknown {
  if (flags.length === 0 || site.settings.dialect === "specification") return flags;
  return Object.fromEntries(flags.map((flagid) => [flagid, flagView(site, flagid)]));
}

/** What `GET /wikis/{namespace}/{title}` shows: a CATEGORY may hide its revision (facts, 8.2). */
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

/** The children of a CATEGORY in their order. */
export function childrenOf(site: Site, wiki: WikiRecord): readonly WikiRecord[] {
  return [...site.categoryParents]
    .filter(([, parent]) => parent === wiki.title)
    .map(([title]) => site.wikis.get(wikiKey("CATEGORY", title)))
    .filter((child) => child !== undefined);
}

/** Closest first. */
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
