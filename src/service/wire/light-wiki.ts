import { type Key, type Namespace, wikiKey } from "../../core/model/key.js";
import { readImageObject } from "./image.js";
import type { Place } from "./place.js";
import { readRevisions } from "./revisions.js";

/** One row of `GET wikis/{namespace}` (api-facts 8.3). */
export interface LightWiki {
  readonly key: Key;
  readonly title: string;
  readonly modified: number | null;
  /** Null where the list has none, as on live sites. */
  readonly revision: string | null;
  /** What else of the page shows in the list. */
  readonly shown: readonly (string | number | null)[];
}

/** A row of a list of wikis, or undefined for one without a title. */
export function readLightWiki(place: Place, namespace: Namespace): LightWiki | undefined {
  const row = place.object();
  const title = row?.at("title").textOrNull() ?? null;
  if (row === undefined || title === null || title === "") return undefined;
  return {
    key: wikiKey(namespace, title),
    title,
    modified: row.at("modified_date").number(),
    revision: readRevisions(row).revision,
    shown: [
      row.at("display_title").textOrNull(),
      row.at("summary").textOrNull(),
      row.at("text").textOrNull(),
      readImageObject(row.at("image"))?.id ?? null,
    ],
  };
}

/** What of a row the full wiki has too (`text` and `summary` are cut from its text); the rest is kept in the item's `raw`. */
export const ROW_FIELDS_IN_WIKI: ReadonlySet<string> = new Set([
  "dataType",
  "wikiid",
  "namespace",
  "title",
  "display_title",
  "langid",
  "summary",
  "text",
  "url",
  "image",
  "modified_date",
  "revisionid",
]);
