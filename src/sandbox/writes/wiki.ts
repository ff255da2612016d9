import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { bodyObject, checked, invalidValue, missingField, mustHold, savedText, savedTitle } from "../rules.js";
import { NAMESPACES, type Namespace, type UserRecord, type WikiRecord, wikiKey } from "../site/records.js";
import type { Dialect } from "../site/settings.js";
import type { Site } from "../site/site.js";
import { mayAttach } from "./media.js";

/** `POST /wikis`; with `source_revisionid` it starts a translation. Throws 422. */
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

/** Starts a translation of a wiki in a new language, with the fields of the body. */
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

/** Replaces the wiki with the changed one, with a new revision and date, unless nothing changed. */
export function reviseWiki(site: Site, before: WikiRecord, after: WikiRecord): WikiRecord {
  return isDeepStrictEqual(before, after) ? before : newRevision(site, before, after);
}

/** The same, also if nothing changed. */
function newRevision(site: Site, before: WikiRecord, after: WikiRecord): WikiRecord {
  const dates = { ...after.dates, modified: site.now() };
  const record = { ...after, revisionid: site.next("revision"), dates };
  const master = site.wikis.get(wikiKey(before.namespace, before.title));
  storeWiki(site, record, master?.langid !== before.langid);
  if (master?.langid === before.langid) site.pendingWikis.delete(record.wikiid);
  return record;
}

/** Deletes a wiki; the source language takes its translations with it (facts, 8.1). */
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

/**
 * Refuses characters that no known title has and that an address can't contain (facts, 1.1); titles
 * of team and user pages are ids.
 */
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

/**
 * The fields of a body for the record. `info`: the current rows; a body has the page's own rows,
 * and inherited ones stay.
 */
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

const PARENT = z.strictObject({ parent: z.string().nullable() });

/**
 * Sets the parent of a CATEGORY or WIKI by the body `{"parent": title | null}` (the plainest form,
 * since no public text describes it). The moved page becomes the last of its new siblings. Throws
 * 422.
 */
export function setParent(site: Site, wiki: WikiRecord, value: unknown): WikiRecord {
  const { parent } = checked(PARENT, value);
  const parents = wiki.namespace === "CATEGORY" ? site.categoryParents : site.wikiParents;
  const title = parent === null ? null : parent.replaceAll("_", " ");
  if (title !== null && !site.wikis.has(wikiKey(wiki.namespace, title))) {
    throw invalidValue("parent", `«${title}» does not exist`);
  }
  if (title !== null && isBelow(parents, title, wiki.title)) {
    throw invalidValue("parent", `«${title}» is «${wiki.title}» itself or below it`);
  }
  if ((parents.get(wiki.title) ?? null) === title) return wiki;
  parents.delete(wiki.title);
  parents.set(wiki.title, title);
  return newRevision(site, wiki, wiki);
}

function isBelow(parents: ReadonlyMap<string, string | null>, title: string, above: string): boolean {
  for (let one: string | null = title; one !== null; one = parents.get(one) ?? null) {
    if (one === above) return true;
  }
  return false;
}

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

/** Adds a new wiki with an id and a revision; a CATEGORY starts at the top level. */
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

function storeWiki(site: Site, wiki: WikiRecord, isTranslation: boolean): void {
  site.wikis.set(wikiKey(wiki.namespace, wiki.title, isTranslation ? wiki.langid : undefined), wiki);
  site.wikiHistory.set(wiki.revisionid, wiki);
}

const text = z.string().transform(savedText).optional();
const title = z.string().transform(savedTitle);

/** Every writable field of a wiki (facts, 8.4). */
const FIELDS = {
  contents: text,
  image: z.int().positive().nullable().optional(),
  display_title: title.nullable().optional(),
  description: text,
  flags: z.array(z.string()).optional(),
  info: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  suppliers: z
    .array(
      z.strictObject({
        "part_#": z.string().optional(),
        type: z.string().optional(),
        supplier: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .optional(),
  documents: z.array(z.strictObject({ documentid: z.int().positive() })).optional(),
  table_of_contents: z.boolean().optional(),
  repairability_score: z.number().nullable().optional(),
  page_title: z.string().max(255).transform(savedTitle).optional(),
  source_revisionid: z.int().positive().optional(),
};

const wiki = z.strictObject(FIELDS);
type WikiBody = z.infer<typeof wiki>;

/** The fields of a namespace; one of another namespace gives 422. */
const FIELDS_OF: Readonly<Record<Namespace, readonly (keyof typeof FIELDS)[]>> = {
  CATEGORY: ["contents", "image", "display_title", "description", "flags", "info", "documents", "source_revisionid"],
  ITEM: ["contents", "image", "display_title", "description", "flags", "info", "suppliers", "source_revisionid"],
  WIKI: [
    "contents",
    "image",
    "display_title",
    "description",
    "flags",
    "documents",
    "table_of_contents",
    "source_revisionid",
  ],
  INFO: ["contents", "image", "display_title", "description", "flags", "source_revisionid"],
  TEAM: ["contents", "image", "flags", "source_revisionid"],
  USER: ["contents", "image", "flags", "source_revisionid"],
};

/** The body of `PATCH /wikis/{namespace}/{title}`; namespace and title can't be changed. */
function wikiPatch(namespace: Namespace, dialect: Dialect): z.ZodType<WikiBody> {
  return wiki.pick(masks([...fieldsOf(namespace, dialect), "page_title"])).strict();
}

/** `POST /wikis`: namespace, title and contents are required, `contents` may be empty. */
function wikiCreation(
  namespace: Namespace,
  dialect: Dialect,
): z.ZodType<WikiBody & { namespace: string; title: string; contents: string; langid?: string | undefined }> {
  return wiki
    .pick(masks(fieldsOf(namespace, dialect)))
    .extend({
      namespace: z.string(),
      title: title.refine((one) => one !== "", "a wiki needs a title"),
      contents: z.string().transform(savedText),
      langid: z.string().optional(),
    })
    .strict();
}

function fieldsOf(namespace: Namespace, dialect: Dialect): readonly (keyof typeof FIELDS)[] {
  const scored = namespace === "CATEGORY" && dialect === "ifixit";
  return scored ? [...FIELDS_OF.CATEGORY, "repairability_score"] : FIELDS_OF[namespace];
}

function masks(fields: readonly (keyof typeof FIELDS)[]): Partial<Record<keyof typeof FIELDS, true>> {
  return Object.fromEntries(fields.map((field) => [field, true]));
}

/** Throws 422 that names every wrong reference of a wiki body: image, documents, flags. */
function mustReferFromWiki(site: Site, body: WikiBody, caller: UserRecord, before: WikiRecord | undefined): void {
  const { image, documents = [], flags = [] } = body;
  const isNew = typeof image === "number" && image !== before?.image;
  mustHold({
    image:
      isNew && !mayAttach(site.media.images.get(image), caller) ? [`image ${image} is not in your media manager`] : [],
    documents: documents
      .map(({ documentid }) => documentid)
      .filter((id) => before?.documents.includes(id) !== true && !mayAttach(site.media.documents.get(id), caller))
      .map((id) => `document ${id} is not in your media manager`),
    flags: flags
      .filter((flag) => !WIKI_FLAGS.has(flag) && before?.flags.includes(flag) !== true)
      .map((flag) => `you may not set ${flag}`),
  });
}

/** Known wiki flag ids (facts, 4.8). */
const WIKI_FLAGS: ReadonlySet<string> = new Set([
  "WIKI_STUB",
  "WIKI_DEVICE_STUB",
  "WIKI_DEVICE_INCOMPLETE",
  "WIKI_DUPLICATE_DEVICE",
  "WIKI_DONATE_DEVICE",
  "WIKI_USER_CONTRIBUTED",
  "WIKI_STUDENT_OWNED",
  "WIKI_TEACHER_OWNED",
  "WIKI_MIRO_OWNED",
  "WIKI_PRIVATE",
  "WIKI_DELETE",
  "WIKI_DICTIONARY",
  "WIKI_DOCS_NEEDED",
  "WIKI_BAD_IMAGE",
  "WIKI_GRAMMAR_ERRORS",
  "WIKI_IMPROPER_FORMATTING",
  "WIKI_INCORRECT_TEXT",
]);
