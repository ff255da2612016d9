import { segment } from "../client.js";
import { isObject } from "../wire/place.js";
import { revisionIn, tokensIn } from "../wire/write/revision.js";
import type { Ask, Told } from "./ask.js";
import { isRefusal, saysOf } from "./probe-thing.js";

/** A page that a probe makes. Pages can't be private: it is visible until the probe deletes it. */
export interface ProbePage {
  readonly namespace: "INFO" | "WIKI" | "CATEGORY";
  readonly title: string;
}

/** Below the API root. */
export function pagePath({ namespace, title }: ProbePage): string {
  return `wikis/${namespace}/${segment(title)}`;
}

export function makeProbePage(ask: Ask, page: ProbePage, contents: string, signal: AbortSignal): Promise<Told> {
  return ask({ method: "POST", path: "wikis", json: { ...page, contents }, tries: 1 }, signal);
}

/** Without a language: the page in its own. */
export function readProbePage(ask: Ask, page: ProbePage, signal: AbortSignal, language?: string): Promise<Told> {
  const query = language === undefined ? "" : `?langid=${encodeURIComponent(language)}`;
  return ask({ path: `${pagePath(page)}${query}` }, signal);
}

/** The query of a write; a category's read answer may have no revision (api-facts 8.2), so that of a write stands in for it. */
export function revisionQuery(...answers: readonly unknown[]): string {
  const known = answers.map((json) => tokensIn(revisionIn(json))[0]?.value);
  return `revisionid=${known.find((value) => value !== undefined) ?? 0}`;
}

/** The revision that moved while it was deleted, and once more. */
const TRIES = 3;

/**
 * Deletes a page by its title, which no other page has, and checks that it is deleted.
 *
 * @param written the answer to the last write, undefined where there is none
 * @returns why it is still there; null: it is not
 */
export async function removeProbePage(
  ask: Ask,
  page: ProbePage,
  written: unknown,
  signal: AbortSignal,
): Promise<string | null> {
  const path = pagePath(page);
  let look = await readProbePage(ask, page, signal);
  let last = written;
  for (let tries = 1; ; tries += 1) {
    if (look.status === 404 || look.status === 410) return null;
    if (look.status !== 200) return saysOf(look);
    const told = await ask({ method: "DELETE", path: `${path}?${revisionQuery(look.json, last)}`, json: {} }, signal);
    last = isObject(told.json) ? told.json : last;
    look = await readProbePage(ask, page, signal);
    if (look.status === 404 || look.status === 410) return null;
    if (tries === TRIES || told.status !== 409)
      return isRefusal(told) || told.status === null
        ? saysOf(told)
        : "the site reported it deleted, and still shows it";
  }
}
