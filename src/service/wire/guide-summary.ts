import type { Key } from "../../core/model/key.js";
import { readFlags } from "./flags.js";
import type { Place } from "./place.js";
import { readRevisions } from "./revisions.js";

/** One row of `GET guides` (api-facts 3.2). */
export interface GuideSummary {
  readonly key: Key;
  readonly id: number;
  readonly title: string;
  readonly category: string;
  readonly language: string;
  readonly modified: number | null;
  readonly public: boolean;
  readonly archived: boolean;
  readonly flags: readonly string[];
  /** undefined: this site's summaries have none (iFixit); they are asked for. */
  readonly tags: readonly string[] | undefined;
  /** `guide_revisionid`, or on sites without it `revisionid`; on the others the list's `revisionid` is no token (api-facts 3.10). */
  readonly revision: string | null;
  readonly author: number | null;
}

/** A row of a list of guides, or undefined for one without an id. */
export function readGuideSummary(place: Place): GuideSummary | undefined {
  const row = place.object();
  const id = row?.at("guideid").integer() ?? null;
  if (row === undefined || id === null) return undefined;
  const { guideRevision, revision } = readRevisions(row);
  return {
    key: `guide/${id}`,
    id,
    title: row.at("title").text(),
    category: row.at("category").text(),
    language: row.at("locale").textOrNull() ?? row.at("langid").text(),
    modified: row.at("modified_date").number(),
    public: row.at("public").flag() ?? true,
    archived: row.at("isArchived").flag() ?? false,
    flags: readFlags(row.at("flags")),
    tags: row.at("tags").value === undefined ? undefined : row.at("tags").texts(),
    revision: guideRevision ?? revision,
    author: row.at("userid").integer(),
  };
}

/** What of a summary the full guide has too; the rest is kept in the item's `raw`. */
export const SUMMARY_FIELDS_IN_GUIDE: ReadonlySet<string> = new Set([
  "guideid",
  "guide_revisionid",
  "locale",
  "modified_date",
  "prereq_modified_date",
  "url",
  "type",
  "category",
  "subject",
  "title",
  "username",
  "userid",
  "summary",
  "difficulty",
  "time_required_max",
  "public",
  "flags",
  "image",
]);
