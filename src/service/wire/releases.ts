import { Place, type Reading } from "./place.js";

/** What the list of releases says of each guide: its release ids, and a text that changes with any of them. */
export interface GuideReleases {
  readonly ids: readonly number[];
  readonly states: readonly string[];
  /** Is one of them out? */
  readonly isReleased: boolean;
}

/** The rows of `GET guides/releases`: in an object (api-facts 6.1), or bare as other lists are. */
export function releaseRows(answer: Place): readonly Place[] {
  return Array.isArray(answer.value) ? answer.items() : answer.at("releases").items();
}

/** One release stands in the list once for each of its statuses (api-facts 6.1). */
export function releaseKey(row: Place): string {
  return `${String(row.at("releaseid").value)} ${String(row.at("status").value)}`;
}

/** Releases by guide id. */
export function readReleases(rows: readonly Place[]): ReadonlyMap<number, GuideReleases> {
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

/** What a ledger says of a release. */
export interface ReleaseLine {
  readonly id: number;
  readonly title: string;
  /** UNIX seconds; null: it is not out. */
  readonly publishDate: number | null;
}

const QUIET: Reading = { key: "record/releases", endpoint: "GET guides/releases", origin: "", report: () => undefined };

/** The releases of a stored list, each once, as the last of its rows says. */
export function readReleaseLines(answer: unknown): readonly ReleaseLine[] {
  const lines = new Map<number, ReleaseLine>();
  for (const row of releaseRows(new Place(answer, QUIET))) {
    const id = row.at("releaseid").integer();
    if (id === null) continue;
    const publishDate = row.at("publish_date").number() ?? lines.get(id)?.publishDate ?? null;
    lines.set(id, { id, title: row.at("title").text(), publishDate });
  }
  return [...lines.values()];
}
