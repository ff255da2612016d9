import type { SiteState } from "../../src/sandbox/index.js";

type Row = Readonly<Record<string, unknown>>;

/**
 * The content of a site with names in place of ids, so that two sites that were filled in another order can be compared:
 * a guide is its title, a step its place in it. Media are hashes of their bytes in the state already.
 */
export function canonicalState(state: SiteState): unknown {
  const names = namesOf(state);
  const guides = state.guides.map((guide) => named(guide, names)).toSorted(byText);
  const wikis = state.wikis.map((wiki) => named(wiki, names)).toSorted(byText);
  return {
    guides,
    wikis,
    hierarchy: sortedValues(state.hierarchy),
    tags: [...state.tags].sort(),
    media: mediaOf(state),
  };
}

interface Names {
  readonly guides: ReadonlyMap<string, string>;
  readonly steps: ReadonlyMap<string, string>;
}

function namesOf(state: SiteState): Names {
  const guides = new Map<string, string>();
  const steps = new Map<string, string>();
  for (const guide of state.guides) {
    const title = String(guide["title"]);
    guides.set(String(guide["guideid"]), title);
    for (const [index, step] of (guide["steps"] as readonly Row[]).entries())
      steps.set(String(step["stepid"]), `${title} #${index + 1}`);
  }
  return { guides, steps };
}

const IDS: ReadonlySet<string> = new Set([
  "guideid",
  "stepid",
  "wikiid",
  "id",
  "imageid",
  "documentid",
  "videoid",
  "objectid",
  "bullet_styleid",
]);

function named(value: unknown, names: Names, field = ""): unknown {
  if (typeof value === "string") return namedText(value, names);
  if (Array.isArray(value)) {
    return field === "prerequisites"
      ? value.map((id) => names.guides.get(String(id)) ?? `unknown ${String(id)}`)
      : value.map((entry) => named(entry, names));
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !IDS.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, named(inner, names, name)]));
}

function namedText(text: string, names: Names): string {
  return text
    .replace(/\[guide\|(\d+)/g, (_all, id: string) => `[guide|${names.guides.get(id) ?? `unknown ${id}`}`)
    .replace(
      /(stepid=|#s)(\d+)/g,
      (_all, before: string, id: string) => `${before}${names.steps.get(id) ?? `unknown ${id}`}`,
    )
    .replace(
      /(\/Guide\/[^/\s|\]]*\/)(\d+)/g,
      (_all, before: string, id: string) => `${before}${names.guides.get(id) ?? id}`,
    )
    .replace(/\[(image|document|video|summary_image)\|\d+/g, "[$1|*");
}

function mediaOf(state: SiteState): readonly string[] {
  return state.media
    .map((media) => `${String(media["kind"])} ${String(media["filename"])} ${String(media["sha256"])}`)
    .sort();
}

function sortedValues(hierarchy: SiteState["hierarchy"]): Row {
  return Object.fromEntries(Object.entries(hierarchy).map(([title, below]) => [title, [...below].sort()]));
}

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
