import { idIn, type Key } from "../../core/model/key.js";
import type { SiteSession } from "./site-session.js";

/** `guide/12` for `guide/12@de`: lists know guides by their number only. */
export function sourceKey(key: Key): Key {
  return `guide/${idIn(key)}`;
}

/**
 * The languages that a guide may be there in beside its own: those that the site says, else all that might be; which of them
 * are there shows when they are read.
 */
export async function otherLanguages(
  session: SiteSession,
  guide: { readonly id: number; readonly language: string },
  available: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly Key[]> {
  const wanted = session.options.languages;
  const candidates = available ?? (wanted.length > 0 ? wanted : await siteLanguages(session, signal));
  return [...new Set(candidates)]
    .filter((language) => language !== guide.language && (wanted.length === 0 || wanted.includes(language)))
    .map((language): Key => `guide/${guide.id}@${language}`);
}

/** What the site says of itself, and what its pages showed in this run. */
async function siteLanguages(session: SiteSession, signal: AbortSignal): Promise<readonly string[]> {
  return [...(await session.identify(signal)).languages, ...session.listing().languages];
}
