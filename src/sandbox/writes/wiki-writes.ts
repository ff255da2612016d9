import { isDeepStrictEqual } from "node:util";
import { type WikiBody, wikiCreation, wikiPatch } from "../rules/wiki-body.js";
import { bodyObject, checked } from "../server/check.js";
import { invalidValue, missingField } from "../server/service-error.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { NAMESPACES, type Namespace, type WikiRecord, wikiKey } from "../state/wiki.js";
import { addWiki, storeWiki } from "./add-wiki.js";
import { mustReferFromWiki } from "./wiki-references.js";

/** Makes a wiki, or with `source_revisionid` starts its translation, from the body of `POST /wikis`. Throws 422. */
export function createWiki(site: Site, value: unknown, caller: UserRecord): WikiRecord {
  const namespace = namespaceOf(bodyObject(value)["namespace"]);
  const body = checked(wikiCreation(namespace, site.settings.dialect), value);
  const title = body.title.replaceAll("_", " ");
  const existing = site.wikis.get(wikiKey(namespace, title));
  if (existing !== undefined) return translate(site, existing, body, body.langid ?? "", caller);
  mustHaveTitle(site, namespace, title);
  mustReferFromWiki(site, body, caller, undefined);
  const blank = { namespace, title, author: caller.userid, langid: languageOf(site, body.langid) };
  return addWiki(site, { ...blank, ...changes(body, []) });
}

/** Changes a wiki by the body of its PATCH; equal values make no revision. Throws 422. */
export function patchWiki(site: Site, wiki: WikiRecord, value: unknown, caller: UserRecord): WikiRecord {
  const body = checked(wikiPatch(wiki.namespace, site.settings.dialect), value);
  mustReferFromWiki(site, body, caller, wiki);
  return reviseWiki(site, wiki, { ...wiki, ...changes(body, wiki.info) });
}

/** Starts a translation of a wiki in a language that it does not have yet, with the fields of the body. */
export function startTranslation(
  site: Site,
  source: WikiRecord,
  langid: string,
  value: unknown,
  caller: UserRecord,
): WikiRecord {
  const body = checked(wikiPatch(source.namespace, site.settings.dialect), value);
  mustReferFromWiki(site, body, caller, source);
  const language = languageOf(site, langid);
  return addWiki(
    site,
    {
      ...source,
      loaded: {},
      sourceRevisionid: source.revisionid,
      ...changes(body, source.info),
      langid: language,
      revisionid: site.next("revision"),
    },
    source,
  );
}

/** Puts the changed wiki in the old one's place with a new revision and date, unless nothing changed. */
export function reviseWiki(site: Site, before: WikiRecord, after: WikiRecord): WikiRecord {
  return isDeepStrictEqual(before, after) ? before : newRevision(site, before, after);
}

/** The same without a look at whether anything changed. */
export function newRevision(site: Site, before: WikiRecord, after: WikiRecord): WikiRecord {
  const dates = { ...after.dates, modified: site.now() };
  const record = { ...after, revisionid: site.next("revision"), dates };
  const master = site.wikis.get(wikiKey(before.namespace, before.title));
  storeWiki(site, record, master?.langid !== before.langid);
  if (master?.langid === before.langid) site.pendingWikis.delete(record.wikiid);
  return record;
}

/** Takes a wiki out of the site; the master language takes its translations along (facts, 8.1). */
export function deleteWiki(site: Site, wiki: WikiRecord): void {
  const isMaster = site.wikis.get(wikiKey(wiki.namespace, wiki.title))?.langid === wiki.langid;
  for (const [key, one] of site.wikis) {
    const same = one.namespace === wiki.namespace && one.title === wiki.title;
    if (same && (isMaster || one.langid === wiki.langid)) site.wikis.delete(key);
  }
  if (isMaster && wiki.namespace === "CATEGORY") site.categoryParents.delete(wiki.title);
  if (isMaster && wiki.namespace === "WIKI") site.wikiParents.delete(wiki.title);
}

/** The namespace of a body or path; 422 when missing or unknown. */
export function namespaceOf(value: unknown): Namespace {
  if (value === undefined) throw missingField("namespace");
  const namespace = NAMESPACES.find((one) => one === value);
  if (namespace === undefined) throw invalidValue("namespace", `namespace must be one of ${NAMESPACES.join(", ")}`);
  return namespace;
}

function translate(site: Site, existing: WikiRecord, body: WikiBody, langid: string, caller: UserRecord): WikiRecord {
  if (body.source_revisionid === undefined) throw invalidValue("title", `«${existing.title}» exists already`);
  if (body.source_revisionid !== existing.revisionid) {
    throw invalidValue("source_revisionid", "it is not the current revision of the source");
  }
  const { source_revisionid: _, ...fields } = body;
  const patch = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !["namespace", "title", "langid"].includes(name)),
  );
  if (langid === existing.langid) throw invalidValue("langid", "the source has this language");
  return startTranslation(site, existing, langid, patch, caller);
}

/** Characters that no known title has and that an address can't carry (facts, 1.1); team and user pages have ids as titles. */
function mustHaveTitle(site: Site, namespace: Namespace, title: string): void {
  if (namespace === "CATEGORY" && /[/?#%&+\\<]/.test(title)) {
    throw invalidValue("title", "a category title has none of / ? # % & + \\ <");
  }
  if (namespace === "USER" && !site.users.has(Number(title)))
    throw invalidValue("title", `user ${title} does not exist`);
  if (namespace === "TEAM" && !site.teams.has(Number(title)))
    throw invalidValue("title", `team ${title} does not exist`);
}

function languageOf(site: Site, langid: string | undefined): string {
  if (langid === undefined) return site.settings.languages[0];
  if (!site.settings.languages.includes(langid)) {
    throw invalidValue("langid", `langid «${langid}» is not a language of this site`);
  }
  return langid;
}

/** The record's fields that a body names. `info`: as it stands; a body carries the page's own rows, and those from above it stay. */
function changes(body: WikiBody, info: WikiRecord["info"]): Partial<WikiRecord> {
  const inherited = info.filter((row) => row["inheritedFrom"]);
  return {
    ...(body.contents === undefined ? {} : { contents: body.contents }),
    ...(body.display_title === undefined
      ? {}
      : { displayTitle: body.display_title === "" ? null : body.display_title }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.image === undefined ? {} : { image: body.image }),
    ...(body.flags === undefined ? {} : { flags: [...new Set(body.flags)] }),
    ...(body.info === undefined ? {} : { info: [...body.info, ...inherited] }),
    ...(body.suppliers === undefined ? {} : { suppliers: body.suppliers }),
    ...(body.documents === undefined ? {} : { documents: body.documents.map((document) => document.documentid) }),
    ...(body.table_of_contents === undefined ? {} : { tableOfContents: body.table_of_contents }),
    ...(body.repairability_score === undefined ? {} : { repairability: body.repairability_score }),
    ...(body.page_title === undefined ? {} : { pageTitle: body.page_title }),
  };
}
