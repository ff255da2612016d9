import type { Place } from "./place.js";

/** What the list of releases says of each guide: its release ids, and a text that changes with any of them. */
export interface GuideReleases {
  readonly ids: readonly number[];
  readonly states: readonly string[];
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
    const known = byGuide.get(guide) ?? { ids: [], states: [] };
    const state = `${release} ${row.at("status").text()} ${row.at("publish_date").number() ?? ""}`;
    byGuide.set(guide, { ids: [...new Set([...known.ids, release])], states: [...known.states, state] });
  }
  return byGuide;
}
