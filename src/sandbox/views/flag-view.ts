import type { Answer } from "../state/answer.js";
import type { Site } from "../state/site.js";

/** The flag objects of a full guide or wiki, in order. */
export function flagViews(site: Site, flags: readonly string[]): readonly Answer[] {
  return flags.map((flagid) => flagView(site, flagid));
}

/** One flag: `{title, flagid, text}`, on dozuki with `image`; texts as a loaded answer had them. */
export function flagView(site: Site, flagid: string): Answer {
  const words = flagid
    .replace(/^(GUIDE|WIKI)_/, "")
    .toLowerCase()
    .replaceAll("_", " ");
  const dozuki = site.settings.dialect === "dozuki" ? { image: null } : {};
  return { ...dozuki, title: words, text: `This page is marked: ${words}.`, ...site.flagTexts.get(flagid), flagid };
}
