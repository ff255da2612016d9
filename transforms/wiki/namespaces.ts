import { type Key, type Namespace, wikiKey, wikiOf } from "../../src/core/model/key.js";

/**
 * The six namespaces as words before a colon, `[[Item:X]]`, lower case (wiki-syntax 2.3). Older
 * words for a category stay in old texts.
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

/**
 * First path segments of wiki pages; `/User/` and `/Team/` are followed by a number, not by a
 * title.
 */
const PATHS = {
  CATEGORY: "c",
  ITEM: "Item",
  INFO: "Info",
  USER: "User",
  TEAM: "Team",
  WIKI: "Wiki",
} as const satisfies Record<Namespace, string>;

/**
 * The key of a wiki by a title as it stands in a text, where `_` is a space. undefined for a title
 * without characters.
 */
export function titleKey(namespace: Namespace, written: string): Key | undefined {
  const title = written.replaceAll("_", " ").trim();
  return title === "" ? undefined : wikiKey(namespace, title);
}

/**
 * The site-relative path of a category or wiki: `/Topic/…` has become `/c/…` on Dozuki and
 * `/Device/…` on iFixit.
 */
export function wikiPath(key: Key, dialect: string | undefined): string {
  const { namespace, title } = wikiOf(key);
  const folder = namespace === "CATEGORY" && dialect === "ifixit" ? "Device" : PATHS[namespace];
  return `/${folder}/${encodeTitle(title)}`;
}

/**
 * A title as a path segment: `MacBook_Pro_15%22_Unibody` (real, wiki-syntax 2.3). Half characters
 * become U+FFFD, since no URL can hold them.
 */
export function encodeTitle(title: string): string {
  return encodeURIComponent(title.replaceAll(" ", "_").replace(/\p{Surrogate}/gu, "\uFFFD"));
}
