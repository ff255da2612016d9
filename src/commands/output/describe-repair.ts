import type { Displaced } from "../../storage/repository/read/archive-locations.js";
import type { RepairSummary } from "../../backup/repair/repair.js";
import type { Hit } from "../../backup/verify/repository-check.js";
import { count } from "./words.js";

/** What a repair did, and how it was asked. */
export interface ToldRepair extends RepairSummary {
  /** Archives that got their own file names again. */
  readonly renamed: readonly Displaced[];
  readonly wasSiteAsked: boolean;
}

/** What a repair did, in plain words: what came back, and what is lost for ever. */
export function describeRepair(folder: string, summary: ToldRepair): readonly string[] {
  const { wanted, salvaged, fetched, lost, unreadable, indexes, index, renamed, wasSiteAsked } = summary;
  const written = indexes.map((snapshot) => `The lost index of ${snapshot} was written again, from its archives.`);
  if (wanted + unreadable.length === 0)
    return written.length + renamed.length > 0
      ? [...written, `${folder} is whole.`]
      : [`${folder} is whole: there is nothing to repair.`];
  return [
    ...written,
    ...named("Found in other archives", salvaged),
    ...named("Fetched from the site again", fetched),
    ...named(
      wasSiteAsked
        ? "LOST FOR EVER (of these only what the site has today comes with the next backup)"
        : `In no archive (\`guideferry repair ${folder} SITE\` fetches what the site still has)`,
      lost,
    ),
    ...unreadable.map((snapshot) => `The snapshot ${snapshot} can't be read, and what it alone had can't be told.`),
    index === null
      ? `${folder}: nothing could be brought back.`
      : `${folder}: ${count(salvaged.length + fetched.length, "content")} back, in ${index.archives.map(({ name }) => name).join(", ")}; ${count(lost.length, "content")} ${wasSiteAsked ? "lost" : "missing"}.`,
  ];
}

function named(title: string, hits: readonly Hit[]): readonly string[] {
  if (hits.length === 0) return [];
  return [`${title}:`, ...hits.map((hit) => `  ${nameOf(hit)}, in the snapshots ${hit.snapshots.join(", ")}`)];
}

function nameOf({ kind, name, title, items }: Hit): string {
  if (kind === "media") return `${items.length === 0 ? "media" : items.join(", ")} (${name.slice(0, 12)}…)`;
  return title === null ? name : `${name} ${JSON.stringify(title)}`;
}
