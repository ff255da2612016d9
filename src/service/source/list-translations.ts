import { StatusError } from "../../core/errors.js";
import type { Key, Namespace } from "../../core/model/key.js";
import { type LightWiki, readLightWiki } from "../wire/light-wiki.js";
import type { Place } from "../wire/place.js";
import { listPages } from "./list-pages.js";
import type { SiteSession } from "./site-session.js";

/** How the translations of a page stand, for its change token: a row for each language. */
export type TranslationRows = readonly (readonly unknown[])[];

/**
 * The translations of a namespace's pages, by page: in a list of another language a page stands with its own where it is not there in that
 * one. One sweep for each language that is wanted, or that the site tells of.
 */
export async function listTranslations(
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

/** Of a translation into another one no list shows a change: its page is read each time. */
export async function sweptLanguages(session: SiteSession, signal: AbortSignal): Promise<readonly string[]> {
  const { language: own, languages } = await session.identify(signal);
  const wanted = session.options.languages;
  const known = wanted.length > 0 ? wanted : languages;
  return [...new Set(known)].filter((language) => language !== own).sort();
}

interface Translated {
  readonly key: Key;
  readonly row: readonly unknown[];
}

async function rowsIn(
  session: SiteSession,
  namespace: Namespace,
  language: string,
  signal: AbortSignal,
): Promise<readonly Translated[]> {
  const read = (row: Place): LightWiki | undefined => readLightWiki(row, namespace);
  const list = { path: `wikis/${namespace}`, query: { langid: language }, read };
  const rows: Translated[] = [];
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
