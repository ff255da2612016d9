import { z } from "zod";
import { checked } from "../server/check.js";
import { invalidValue } from "../server/service-error.js";
import type { Site } from "../state/site.js";
import { type WikiRecord, wikiKey } from "../state/wiki.js";
import { newRevision } from "./wiki-writes.js";

const PARENT = z.strictObject({ parent: z.string().nullable() });

/**
 * Sets the parent of a CATEGORY or WIKI by the body `{"parent": title | null}` (architecture: the plainest form, since
 * nothing public says more). The moved page becomes the last of its new siblings. Throws 422.
 */
export function setParent(site: Site, wiki: WikiRecord, value: unknown): WikiRecord {
  const { parent } = checked(PARENT, value);
  const parents = wiki.namespace === "CATEGORY" ? site.categoryParents : site.wikiParents;
  const title = parent === null ? null : parent.replaceAll("_", " ");
  if (title !== null && !site.wikis.has(wikiKey(wiki.namespace, title))) {
    throw invalidValue("parent", `«${title}» does not exist`);
  }
  if (title !== null && isBelow(parents, title, wiki.title)) {
    throw invalidValue("parent", `«${title}» is «${wiki.title}» itself or below it`);
  }
  if ((parents.get(wiki.title) ?? null) === title) return wiki;
  parents.delete(wiki.title);
  parents.set(wiki.title, title);
  return newRevision(site, wiki, wiki);
}

function isBelow(parents: ReadonlyMap<string, string | null>, title: string, above: string): boolean {
  for (let one: string | null = title; one !== null; one = parents.get(one) ?? null) {
    if (one === above) return true;
  }
  return false;
}
