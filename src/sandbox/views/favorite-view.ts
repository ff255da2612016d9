import type { Answer } from "../state/answer.js";
import type { Site } from "../state/site.js";

/** The row of a person's favourite; undefined when the guide is none. */
export function favoriteOf(site: Site, userid: number, guideid: number): Answer | undefined {
  return site.rows.favorites.find((row) => row["userid"] === userid && row["guideid"] === guideid);
}

export function isFavorite(site: Site, userid: number, guideid: number): boolean {
  return favoriteOf(site, userid, guideid) !== undefined;
}
