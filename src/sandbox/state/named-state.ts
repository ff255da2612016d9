import { contentHash } from "../bytes/content-bytes.js";
import type { Site } from "./site.js";
import { type SiteState, siteState } from "./site-state.js";
import { namedTrainingState } from "./training-state.js";

/**
 * The state with names in place of the numbers that the site gave: two sites that were filled with the same content in
 * another order are equal in it. Guides are named by title, steps by guide and position, media by the hash of their
 * bytes; references in texts and addresses on the site's own origin are named the same way.
 */
export function namedState(site: Site): SiteState {
  const names = namesOf(site);
  const named = (value: unknown, field: string): unknown => {
    if (typeof value === "number") return names.get(NUMBERED[field] ?? "", value) ?? value;
    if (typeof value === "string") return namedText(site, names, value);
    if (Array.isArray(value)) return value.map((inner) => named(inner, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, named(inner, name)]));
  };
  const state = siteState(site);
  const sorted = (list: readonly Readonly<Record<string, unknown>>[], field: string) =>
    (list.map((entry) => named(entry, field)) as Readonly<Record<string, unknown>>[]).toSorted(byJson);
  return {
    ...state,
    guides: sorted(state.guides, "guides"),
    wikis: sorted(state.wikis, "wikis"),
    hierarchy: Object.fromEntries(Object.entries(state.hierarchy).map(([title, below]) => [title, below.toSorted()])),
    tags: state.tags.toSorted(),
    comments: sorted(state.comments.map(contextNamed), "comments"),
    modules: namedTrainingState(site),
  };
}

/** Which kind of number a field of the state holds. */
const NUMBERED: Readonly<Record<string, string>> = {
  guideid: "guide",
  prerequisites: "guide",
  stepid: "step",
  wikiid: "wiki",
  guideContext: "guide",
  stepContext: "step",
  wikiContext: "wiki",
};

interface Names {
  get(kind: string, id: number): string | undefined;
}

function namesOf(site: Site): Names {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  const guides = [...site.guides.values()].filter((guide) => !guide.deleted);
  for (const guide of guides.toSorted((one, other) => one.guideid - other.guideid)) {
    if (names.has(`guide ${guide.guideid}`)) continue;
    const count = (taken.get(guide.title) ?? 0) + 1;
    taken.set(guide.title, count);
    const name = count === 1 ? guide.title : `${guide.title} (${count})`;
    names.set(`guide ${guide.guideid}`, name);
    for (const [index, step] of guide.steps.entries()) names.set(`step ${step.stepid}`, `${name}, step ${index + 1}`);
  }
  for (const wiki of site.wikis.values()) names.set(`wiki ${wiki.wikiid}`, `${wiki.namespace}/${wiki.title}`);
  const { images, videos, documents } = site.media;
  for (const [kind, table] of [
    ["image", images],
    ["video", videos],
    ["document", documents],
  ] as const) {
    for (const medium of table.values()) {
      names.set(`${kind} ${medium.id}`, contentHash(medium));
    }
  }
  return { get: (kind, id) => names.get(`${kind} ${id}`) };
}

/** References by number: `[guide|12`, `stepid=34`, `/Guide/Some+title/12`, `#s34`. */
function namedText(site: Site, names: Names, text: string): string {
  return text
    .replaceAll(/\[(guide|image|document|video|summary_image)\|(\d+)/g, (all, kind: string, id: string) => {
      const name = names.get(kind === "summary_image" ? "image" : kind, Number(id));
      return name === undefined ? all : `[${kind}|${name}`;
    })
    .replaceAll(/(stepid=|#s)(\d+)/g, (all, before: string, id: string) => {
      const name = names.get("step", Number(id));
      return name === undefined ? all : before + name;
    })
    .replaceAll(ADDRESSES, (all, origin: string | undefined, before: string, id: string) => {
      const name = names.get("guide", Number(id));
      // Behind another site's name stands another site's number.
      return name === undefined || !isOwn(site, origin) ? all : (origin ?? "") + before + name;
    })
    .replaceAll(site.mediaOrigin, "site:")
    .replaceAll(site.origin, "site:");
}

const ADDRESSES = /(https?:\/\/[^\s/"|\]]+)?((?:\/(?:Guide|Teardown)\/[^/\s]*|\/guides|\/api\/2\.0\/guides)\/)(\d+)/g;

function isOwn(site: Site, origin: string | undefined): boolean {
  return origin === undefined || origin === site.origin || origin === site.mediaOrigin;
}

function contextNamed(comment: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { context, contextid, ...rest } = comment;
  return { ...rest, [`${String(context)}Context`]: contextid };
}

function byJson(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
