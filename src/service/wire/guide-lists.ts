import type { Key } from "../../core/model/key.js";
import { JsonCursor, type ParseContext } from "./json-cursor.js";
import { readFlags, readRevisions } from "./shared-fields.js";

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
  /** undefined: this site's summaries have none (iFixit); they are read separately. */
  readonly tags: readonly string[] | undefined;
  /** `guide_revisionid`, or `revisionid` on sites without it (api-facts 3.10). */
  readonly revision: string | null;
  readonly author: number | null;
}

/** undefined: the row has no id. */
export function readGuideSummary(place: JsonCursor): GuideSummary | undefined {
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

/** Fields that the full guide has too; others are kept in the item's `raw`. */
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

/** The releases of a guide, and values that change with them. */
export interface GuideReleases {
  readonly ids: readonly number[];
  readonly states: readonly string[];
  readonly isReleased: boolean;
}

/** The rows of `GET guides/releases`: in an object (api-facts 6.1), or a bare list. */
export function releaseRows(answer: JsonCursor): readonly JsonCursor[] {
  return Array.isArray(answer.value) ? answer.items() : answer.at("releases").items();
}

/** A release is in the list once for each of its statuses (api-facts 6.1). */
export function releaseKey(row: JsonCursor): string {
  return `${String(row.at("releaseid").value)} ${String(row.at("status").value)}`;
}

export function readReleases(rows: readonly JsonCursor[]): ReadonlyMap<number, GuideReleases> {
  const byGuide = new Map<number, GuideReleases>();
  for (const row of rows) {
    const guide = row.at("guideid").integer();
    const release = row.at("releaseid").integer();
    if (guide === null || release === null) continue;
    const known = byGuide.get(guide) ?? { ids: [], states: [], isReleased: false };
    const isReleased = known.isReleased || row.at("status").value === "released";
    const state = `${release} ${row.at("status").text()} ${row.at("publish_date").number() ?? ""}`;
    byGuide.set(guide, { ids: [...new Set([...known.ids, release])], states: [...known.states, state], isReleased });
  }
  return byGuide;
}

/** A release as it is listed as a loss. */
export interface ReleaseLine {
  readonly id: number;
  readonly title: string;
  /** UNIX seconds; null: not published. */
  readonly publishDate: number | null;
}

const QUIET: ParseContext = {
  key: "record/releases",
  endpoint: "GET guides/releases",
  origin: "",
  report: () => undefined,
};

/** The releases of a stored list, each once, from the last of its rows. */
export function readReleaseLines(answer: unknown): readonly ReleaseLine[] {
  const lines = new Map<number, ReleaseLine>();
  for (const row of releaseRows(new JsonCursor(answer, QUIET))) {
    const id = row.at("releaseid").integer();
    if (id === null) continue;
    const publishDate = row.at("publish_date").number() ?? lines.get(id)?.publishDate ?? null;
    lines.set(id, { id, title: row.at("title").text(), publishDate });
  }
  return [...lines.values()];
}
