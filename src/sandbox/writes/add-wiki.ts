import type { Site } from "../state/site.js";
import { type Namespace, type WikiRecord, wikiKey } from "../state/wiki.js";

const EMPTY = {
  sourceRevisionid: null,
  contents: "",
  displayTitle: null,
  description: "",
  image: null,
  flags: [],
  documents: [],
  info: [],
  suppliers: [],
  tableOfContents: false,
  pageTitle: "",
  repairability: null,
  tags: [],
  author: 0,
  loaded: {},
} satisfies Partial<WikiRecord>;

/** Puts a new wiki into the site, with an id and a revision; a CATEGORY starts at the top of the tree. */
export function addWiki(
  site: Site,
  wiki: Partial<WikiRecord> & { readonly namespace: Namespace; readonly title: string },
  translationOf?: WikiRecord,
): WikiRecord {
  const now = site.now();
  const record: WikiRecord = {
    ...EMPTY,
    langid: site.settings.languages[0],
    wikiid: translationOf?.wikiid ?? site.next("wiki"),
    revisionid: site.next("revision"),
    dates: { created: now, modified: now },
    ...wiki,
  };
  storeWiki(site, record, translationOf !== undefined);
  const isNew = record.namespace === "CATEGORY" && !site.categoryParents.has(record.title);
  if (isNew) site.categoryParents.set(record.title, null);
  return record;
}

/** Puts a wiki's current revision in its place and into the history. */
export function storeWiki(site: Site, wiki: WikiRecord, isTranslation: boolean): void {
  site.wikis.set(wikiKey(wiki.namespace, wiki.title, isTranslation ? wiki.langid : undefined), wiki);
  site.wikiHistory.set(wiki.revisionid, wiki);
}
