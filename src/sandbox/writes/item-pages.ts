import type { PartBody } from "../rules/guide-body.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { wikiKey } from "../state/wiki.js";
import { addWiki } from "./add-wiki.js";

/**
 * The canonical title of an item. A missing one gets an ITEM page made from `summary` and `url`; for an existing one both
 * are ignored (facts, 4.1).
 */
export function resolveItem(site: Site, name: string, part: PartBody, caller: UserRecord): string {
  const title = name.replaceAll("_", " ");
  if (!site.wikis.has(wikiKey("ITEM", title))) {
    addWiki(site, {
      namespace: "ITEM",
      title,
      author: caller.userid,
      description: part.summary ?? "",
      suppliers: part.url === undefined ? [] : [{ "part_#": "", type: "", supplier: "", url: part.url }],
    });
  }
  return title;
}
