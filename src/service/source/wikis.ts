import type { Listed } from "../../core/contracts.js";
import { StatusError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Wiki, WikiItem, WikiTranslation } from "../../core/model/item.js";
import { type Key, kindOf, type Namespace, wikiKey, wikiOf } from "../../core/model/key.js";
import { canonicalJson, isObject, type JsonObject } from "../../core/util/json.js";
import { segment } from "../http/client.js";
import { isInLanguage, readAvailableLanguages } from "../wire/guide.js";
import { JsonCursor, type ParseContext } from "../wire/json-cursor.js";
import { type LightWiki, ROW_FIELDS_IN_WIKI, readLightWiki, readWiki, type WikiExtras } from "../wire/wiki.js";
import { readTags } from "./guides.js";
import { listPages } from "./list-pages.js";
import { modifiedSince, PAGE } from "./paged-list.js";
import { askRecord } from "./record-answer.js";
import { changeToken, once, parseContextOf, type SiteSession } from "./session.js";
import { askVersion, UnreleasedError, versionToken } from "./version.js";
import { readCategoryXmlOnly, withXml } from "./xml.js";

/**
 * The wikis of a namespace, each once. A refused namespace gives one row,
 * `record/wikis/{namespace}`: its pages count as neither changed nor deleted.
 */
export async function* listWikis(
  session: SiteSession,
  namespace: Namespace,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const path = `wikis/${namespace}`;
  const first = await firstPage(session, path, signal);
  if (first === undefined) {
    session.listing().refused.add(namespace);
    yield { key: `record/${path}`, revision: "", title: path, category: null, modified: null };
    return;
  }
  const places = namespace === "CATEGORY" ? (await session.listing().hierarchy(signal)).places : NO_PLACES;
  const changed = once((asked) => changedKeys(session, namespace, asked));
  const translations = await listTranslations(session, namespace, signal);
  const unlisted = new Set(places.keys());
  const read = (row: JsonCursor) => readLightWiki(row, namespace);
  const list = { path, query: {}, order: "fixed", first, read } as const;
  for await (const { summary, place, issues } of listPages(session, list, signal)) {
    unlisted.delete(summary.title);
    const extras = places.get(summary.title);
    const token = tokenOf(session, namespace, summary, extras, translations.get(summary.key));
    const id = place.at("wikiid").integer();
    const row = { id, token, tags: undefined, archived: false, public: false, rest: restOf(place), issues };
    session.listing().rows.set(summary.key, row);
    const dated = summary.revision !== null || summary.modified !== null;
    const stale = !dated && (await changed(signal)).has(summary.key);
    yield listedWiki(summary, stale ? "" : token, extras);
  }
  // Some trees show pages that lists lack (stubs); a title without a page costs one read.
  for (const title of unlisted) {
    const bare = { key: wikiKey(namespace, title), title, modified: null };
    yield { ...listedWiki(bare, "", places.get(title)), perhaps: true };
  }
}

const NO_PLACES: ReadonlyMap<string, WikiExtras> = new Map();

function listedWiki(
  row: Pick<LightWiki, "key" | "title" | "modified">,
  revision: string,
  place: WikiExtras | undefined,
): Listed {
  return { key: row.key, revision, title: row.title, category: place?.parent ?? null, modified: row.modified };
}

/** docs/design/reading-a-site.md has the rule with its reasons. */
function tokenOf(
  { options }: SiteSession,
  namespace: Namespace,
  row: LightWiki,
  place: WikiExtras | undefined,
  translations: TranslationRows | undefined,
): string {
  const format = namespace === "CATEGORY" ? options.format : "json";
  const own = [
    row.revision,
    row.modified,
    row.shown,
    place?.parent ?? null,
    place?.position ?? null,
    format,
    ...versionToken(options),
  ];
  // A page without translations keeps the token that it had before guideferry read any.
  return changeToken(...own, ...(translations === undefined ? [] : [translations]));
}

/**
 * undefined: the site refuses the list. A server error on one list must not end the others; reading
 * its record reports it.
 */
async function firstPage({ client }: SiteSession, path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const { status, answer } = await askRecord(client, path, { limit: PAGE, offset: 0 }, signal);
    return status === 200 ? answer : undefined;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Pages changed since the last extract, for rows without revision and date. */
async function changedKeys(session: SiteSession, namespace: Namespace, signal: AbortSignal): Promise<ReadonlySet<Key>> {
  const { since } = session.listing();
  if (since === null) return new Set();
  const read = (row: JsonCursor) => readLightWiki(row, namespace);
  // Changed pages come by their latest revision.
  const list = { path: `wikis/${namespace}`, query: modifiedSince(since), order: "moving", read } as const;
  const keys = new Set<Key>();
  for await (const { summary } of listPages(session, list, signal)) keys.add(summary.key);
  return keys;
}

function restOf({ value }: JsonCursor): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !ROW_FIELDS_IN_WIKI.has(name)))
    : {};
}

type TranslationRows = readonly (readonly unknown[])[];

/**
 * The translations of a namespace's pages, one sweep for each language. Without a translation, the
 * list shows the page in its own language.
 */
async function listTranslations(
  session: SiteSession,
  namespace: Namespace,
  signal: AbortSignal,
): Promise<ReadonlyMap<Key, TranslationRows>> {
  const found = new Map<Key, TranslationRows>();
  for (const language of await sweptLanguages(session, signal)) {
    for (const { key, row } of await rowsIn(session, namespace, language, signal))
      found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

/** No list shows a change of a translation into another language: its page is read each time. */
async function sweptLanguages(session: SiteSession, signal: AbortSignal): Promise<readonly string[]> {
  const { language: own, languages } = await session.identify(signal);
  const wanted = session.options.languages;
  const known = wanted.length > 0 ? wanted : languages;
  return [...new Set(known)].filter((language) => language !== own).sort();
}

interface TranslationRow {
  readonly key: Key;
  readonly row: readonly unknown[];
}

async function rowsIn(
  session: SiteSession,
  namespace: Namespace,
  language: string,
  signal: AbortSignal,
): Promise<readonly TranslationRow[]> {
  const read = (row: JsonCursor): LightWiki | undefined => readLightWiki(row, namespace);
  const list = { path: `wikis/${namespace}`, query: { langid: language }, order: "fixed", read } as const;
  const rows: TranslationRow[] = [];
  try {
    for await (const { summary, place } of listPages(session, list, signal)) {
      if (place.at("langid").value !== language) continue;
      const { key, revision, modified, shown } = summary;
      rows.push({ key, row: [language, revision, modified, shown] });
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return [];
  }
  return rows;
}

/** undefined: no such wiki. Throws UnreleasedError for a missing released version. */
export async function readWikiItem(session: SiteSession, key: Key, signal: AbortSignal): Promise<WikiItem | undefined> {
  const isCategory = kindOf(key) === "category";
  if (isCategory && session.options.format === "xml-only") return readCategoryXmlOnly(session, key, signal);
  const { namespace, title } = wikiOf(key);
  const path = `wikis/${namespace}/${segment(title)}`;
  const issues: Issue[] = [];
  const reading = parseContextOf(session, key, path, (issue) => issues.push(issue));
  const asked = { key, kind: "page", path, query: {}, expect: [404], reading } as const;
  const { status, json } = await askVersion(session, asked, signal);
  if (status === 404) return undefined;
  const place = new JsonCursor(json, reading);
  const places = isCategory ? (await session.listing().hierarchy(signal)).places : undefined;
  const { wiki, media } = readWiki(json, reading, places?.get(title));
  const available = readAvailableLanguages(json, reading) ?? [];
  for (const language of available) session.listing().languages.add(language);
  noteOtherTitle(wiki.title, title, place);
  const translated = await readTranslations(session, { key, path, page: wiki, languages: available, reading }, signal);
  const facts = session.listing().rows.get(key);
  const tags =
    isObject(json) && json["tags"] === undefined ? await readTags(session, path, reading, signal) : undefined;
  const item: WikiItem = {
    key,
    kind: isCategory ? "category" : "wiki",
    // Without a list that shows its changes, it is read each time.
    revision: translated.listed && session.options.version !== "pending" ? (facts?.token ?? "") : "",
    raw: {
      json,
      ...(facts === undefined ? {} : { summary: facts.rest }),
      ...(tags === undefined ? {} : { tags }),
      ...translated.raw,
    },
    media,
    translations: [],
    issues: [...(facts?.issues ?? []), ...issues],
    // The requested title is its identity; an answer may spell it differently.
    body: { ...wiki, namespace, title, tags: tags ?? wiki.tags, ...translated.body },
  };
  return isCategory ? withXml(session, item, { key, path, query: {} }, signal) : item;
}

function noteOtherTitle(answered: string, asked: string, place: JsonCursor): void {
  if (answered === asked) return;
  place
    .at("title")
    .report("other-title", "note", `is "${answered}", although "${asked}" was requested; "${asked}" is kept`);
}

interface Page {
  readonly key: Key;
  readonly path: string;
  readonly page: Wiki;
  readonly languages: readonly string[];
  readonly reading: ParseContext;
}

/** What translations add to a page; nothing if there are none. */
interface WikiTranslations {
  readonly body: Pick<Wiki, "translations">;
  readonly raw: { readonly translations?: JsonObject };
  /** Does the list of pages show when one of them changes? */
  readonly listed: boolean;
}

const NONE: WikiTranslations = { body: {}, raw: {}, listed: true };

/** One request each; a missing language is left out. */
async function readTranslations(session: SiteSession, asked: Page, signal: AbortSignal): Promise<WikiTranslations> {
  const { languages: chosen } = session.options;
  const others = [...new Set(asked.languages)]
    .filter((language) => language !== asked.page.language && (chosen.length === 0 || chosen.includes(language)))
    .sort();
  const translations: WikiTranslation[] = [];
  const raw: Record<string, unknown> = {};
  for (const language of others) {
    const { key, path, reading } = asked;
    const query = { langid: language };
    const wanted = { key, kind: "page", path, query, expect: [404], reading } as const;
    const { status, json } = await askVersion(session, wanted, signal).catch(unlessUnreleased);
    if (status === 404 || !isInLanguage(language, json, asked.reading)) continue;
    const { wiki } = readWiki(json, asked.reading);
    noteOwnFields(asked, language, wiki);
    translations.push(translationOf(wiki, language));
    raw[language] = json;
  }
  if (translations.length === 0) return NONE;
  const swept = await sweptLanguages(session, signal);
  const listed = translations.every(({ language }) => swept.includes(language));
  return { body: { translations }, raw: { translations: raw }, listed };
}

/** The page may be released, and this language of it not. */
function unlessUnreleased(error: unknown): { readonly status: number; readonly json: unknown } {
  if (error instanceof UnreleasedError) return { status: 404, json: null };
  throw error;
}

function translationOf(wiki: Wiki, language: string): WikiTranslation {
  const { displayTitle, contents, description, pageTitle, modifiedDate } = wiki;
  return { language, displayTitle, contents, description, pageTitle, modifiedDate };
}

/** Fields that a translation shares with its page; its own are in the raw answer only. */
const SHARED = ["image", "flags", "documents", "info", "suppliers"] as const satisfies readonly (keyof Wiki)[];

function noteOwnFields({ page, reading }: Page, language: string, wiki: Wiki): void {
  const own = SHARED.filter((field) => canonicalJson([wiki[field]]) !== canonicalJson([page[field]]));
  if (own.length === 0) return;
  reading.report({
    code: "translation-field",
    level: "loss",
    key: reading.key,
    path: `translations.${language}`,
    message: `The translation into ${language} has ${own.join(", ")} of its own, which guideferry does not use.`,
    remedy: "guideferry uses those of the page itself. The workspace has the whole answer.",
  });
}
