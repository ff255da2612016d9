import { type Key, type Namespace, wikiKey, wikiOf } from "../../src/core/model/key.js";

/**
 * Words before a colon, `[[Item:X]]`, lower case (wiki-syntax 2.3); a category has older words too.
 */
export const NAMESPACE_WORDS: ReadonlyMap<string, Namespace> = new Map([
  ["topic", "CATEGORY"],
  ["category", "CATEGORY"],
  ["device", "CATEGORY"],
  ["item", "ITEM"],
  ["info", "INFO"],
  ["user", "USER"],
  ["team", "TEAM"],
  ["wiki", "WIKI"],
]);

/** First path segments of wiki pages; a number, not a title, follows `/User/` and `/Team/`. */
const PATHS = {
  CATEGORY: "c",
  ITEM: "Item",
  INFO: "Info",
  USER: "User",
  TEAM: "Team",
  WIKI: "Wiki",
} as const satisfies Record<Namespace, string>;

/** The key of a wiki by a written title, where `_` is a space; undefined for an empty title. */
export function titleKey(namespace: Namespace, written: string): Key | undefined {
  const title = written.replaceAll("_", " ").trim();
  return title === "" ? undefined : wikiKey(namespace, title);
}

/** The site-relative path of a category or wiki: `/c/…` on Dozuki, `/Device/…` on iFixit. */
export function wikiPath(key: Key, dialect: string | undefined): string {
  const { namespace, title } = wikiOf(key);
  const folder = namespace === "CATEGORY" && dialect === "ifixit" ? "Device" : PATHS[namespace];
  return `/${folder}/${encodeTitle(title)}`;
}

/**
 * `MacBook_Pro_15%22_Unibody` (real, wiki-syntax 2.3). Lone surrogates become U+FFFD for the URL.
 */
export function encodeTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(" ", "_").replace(/\p{Surrogate}/gu, "\uFFFD"));
}
