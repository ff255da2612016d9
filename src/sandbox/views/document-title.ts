import { guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";

/** The title of a guide or wiki by its number; undefined when there is none. */
export function documentTitle(site: Site, doctype: string, docid: number): string | undefined {
  if (doctype === "wiki") return [...site.wikis.values()].find((wiki) => wiki.wikiid === docid)?.title;
  const guide = doctype === "guide" ? site.guides.get(guideKey(docid)) : undefined;
  return guide?.deleted === false ? guide.title : undefined;
}
