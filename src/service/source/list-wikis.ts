import type { Listed } from "../../core/contracts.js";
import { StatusError } from "../../core/errors.js";
import type { Key, Namespace } from "../../core/model/key.js";
import { wikiKey } from "../../core/model/key.js";
import { type LightWiki, ROW_FIELDS_IN_WIKI, readLightWiki } from "../wire/light-wiki.js";
import { isObject, type Place } from "../wire/place.js";
import type { WikiExtras } from "../wire/wiki.js";
import { changeToken } from "./change-token.js";
import { listPages } from "./list-pages.js";
import { listTranslations, type TranslationRows } from "./list-translations.js";
import { once } from "./once.js";
import { askRecord } from "./record-answer.js";
import type { SiteSession } from "./site-session.js";
import { modifiedSince, versionToken } from "./source-settings.js";

/**
 * The wikis of a namespace, each once. A namespace that the site refuses to list gives one row, `record/wikis/{namespace}`:
 * what is known of its pages from before is neither changed nor gone.
 */
export async function* listWikis(
  session: SiteSession,
  namespace: Namespace,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const path = `wikis/${namespace}`;
  if (!(await isListable(session, path, signal))) {
    session.listing().refused.add(namespace);
    yield { key: `record/${path}`, revision: "", title: path, category: null, modified: null };
    return;
  }
  const places = namespace === "CATEGORY" ? (await session.listing().hierarchy(signal)).places : NO_PLACES;
  const changed = once((asked) => changedKeys(session, namespace, asked));
  const translations = await listTranslations(session, namespace, signal);
  const unlisted = new Set(places.keys());
  const read = (row: Place) => readLightWiki(row, namespace);
  for await (const { summary, place, issues } of listPages(session, { path, query: {}, read }, signal)) {
    unlisted.delete(summary.title);
    const extras = places.get(summary.title);
    const token = tokenOf(session, namespace, summary, extras, translations.get(summary.key));
    const id = place.at("wikiid").integer();
    const row = { id, token, tags: undefined, archived: false, public: false, rest: restOf(place), issues };
    session.listing().rows.set(summary.key, row);
    const dated = summary.revision !== null || summary.modified !== null;
    const stale = !dated && (await changed(signal)).has(summary.key);
    yield listed(summary, stale ? "" : token, extras);
  }
  // Lists leave out what trees show on some sites (stubs); a title that turns out not to be there costs one read.
  for (const title of unlisted) {
    const bare = { key: wikiKey(namespace, title), title, modified: null };
    yield { ...listed(bare, "", places.get(title)), perhaps: true };
  }
}

const NO_PLACES: ReadonlyMap<string, WikiExtras> = new Map();

function listed(
  row: Pick<LightWiki, "key" | "title" | "modified">,
  revision: string,
  place: WikiExtras | undefined,
): Listed {
  return { key: row.key, revision, title: row.title, category: place?.parent ?? null, modified: row.modified };
}

/** README.md has the rule with its reasons. */
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
  // A page without any keeps the token that it had before translations were taken.
  return changeToken(...own, ...(translations === undefined ? [] : [translations]));
}

/** A server that fails on one list shall not keep us from all others; reading its record says what is wrong. */
async function isListable({ client }: SiteSession, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await askRecord(client, path, { limit: 1 }, signal)).status === 200;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/** The pages that changed since the last extract, where rows carry neither a revision nor a date. */
async function changedKeys(session: SiteSession, namespace: Namespace, signal: AbortSignal): Promise<ReadonlySet<Key>> {
  const { since } = session.listing();
  if (since === null) return new Set();
  const query = modifiedSince(since);
  const read = (row: Place) => readLightWiki(row, namespace);
  const keys = new Set<Key>();
  for await (const { summary } of listPages(session, { path: `wikis/${namespace}`, query, read }, signal))
    keys.add(summary.key);
  return keys;
}

function restOf({ value }: Place): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !ROW_FIELDS_IN_WIKI.has(name)))
    : {};
}
