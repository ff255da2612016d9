import type { JsonObject } from "../core/util/json.js";
import { contentHash } from "./media-bytes.js";
import { type Answer, isAnswer, numberAt, objectAt, textAt, without } from "./site/answer.js";
import type { GuideRecord, StepMedia, WikiRecord } from "./site/records.js";
import type { Site } from "./site/site.js";

/** Plain data: no dates and no revisions, media as hashes of their files. */
export interface SiteState {
  readonly guides: readonly JsonObject[];
  readonly wikis: readonly JsonObject[];
  /** Category title to the titles below it, in order; "" is the top level. */
  readonly hierarchy: Readonly<Record<string, readonly string[]>>;
  readonly tags: readonly string[];
  readonly comments: readonly JsonObject[];
  /** Of media managers: kind, file name, sha256, size. */
  readonly media: readonly JsonObject[];
  /** Title, draft's title, and imports with version, source, sha256, status, isCurrent. */
  readonly modules: readonly JsonObject[];
}

/** Guides by id, wikis by namespace and title, without deleted ones. */
export function siteState(site: Site): SiteState {
  return {
    guides: [...site.guides]
      .filter(([, guide]) => !guide.deleted)
      .toSorted(([one], [other]) => compare(one, other))
      .map(([, guide]) => guideState(site, guide)),
    wikis: [...site.wikis].toSorted(([one], [other]) => compare(one, other)).map(([, wiki]) => wikiState(site, wiki)),
    hierarchy: hierarchyState(site),
    tags: [...site.tags],
    comments: [...site.comments.values()]
      .filter((comment) => comment.status !== "deleted")
      .map(({ context, contextid, parentid, text, status }) => ({ context, contextid, parentid, text, status })),
    media: mediaState(site),
    modules: trainingState(site),
  };
}

function guideState(site: Site, guide: GuideRecord): JsonObject {
  const { revisions: _revisions, dates: _dates, loaded: _loaded, deleted: _deleted, ...fields } = guide;
  return {
    ...fields,
    image: imageHash(site, guide.image),
    documents: guide.documents.map((id) => documentState(site, id)),
    featuredDocument: guide.featuredDocument === null ? null : documentState(site, guide.featuredDocument),
    introVideo: guide.introVideo === null ? null : videoState(site, guide.introVideo),
    parts: guide.parts.map(partState),
    tools: guide.tools.map(partState),
    steps: guide.steps.map((step) => ({
      stepid: step.stepid,
      title: step.title,
      lines: step.lines.map(({ text_raw, bullet, level }) => ({ text: text_raw, bullet, level })),
      media: mediaOf(site, step.media),
    })),
  };
}

function wikiState(site: Site, wiki: WikiRecord): JsonObject {
  const { revisionid: _revision, sourceRevisionid: _source, dates: _dates, loaded: _loaded, ...fields } = wiki;
  const parents = wiki.namespace === "CATEGORY" ? site.categoryParents : site.wikiParents;
  return {
    ...fields,
    // Without one, a page shows its title.
    displayTitle: wiki.displayTitle === wiki.title ? null : wiki.displayTitle,
    image: imageHash(site, wiki.image),
    documents: wiki.documents.map((id) => documentState(site, id)),
    parent: parents.get(wiki.title) ?? null,
  };
}

function partState(part: GuideRecord["parts"][number]): JsonObject {
  const { text, type, quantity, notes, isoptional = false, featured = false } = part;
  return { text, type, quantity, notes, isoptional, featured };
}

function mediaOf(site: Site, media: StepMedia): unknown {
  if (media.type === "image") return { type: "image", images: media.ids.map((id) => imageHash(site, id)) };
  return media.type === "video" ? { type: "video", video: videoState(site, media.id) } : media;
}

function imageHash(site: Site, id: number | null): string | null {
  const image = id === null ? undefined : site.media.images.get(id);
  return image === undefined ? null : contentHash(image);
}

function videoState(site: Site, id: number): unknown {
  const video = site.media.videos.get(id);
  return video === undefined ? null : { filename: video.filename, sha256: contentHash(video) };
}

function documentState(site: Site, id: number): unknown {
  const document = site.media.documents.get(id);
  return document === undefined ? null : { filename: document.filename, sha256: contentHash(document) };
}

function mediaState(site: Site): SiteState["media"] {
  const { images, videos, documents } = site.media;
  const managed = (["image", "video", "document"] as const).flatMap((kind) =>
    [...{ image: images, video: videos, document: documents }[kind].values()]
      .filter((medium) => medium.inManager)
      .map((medium) => ({ kind, filename: medium.filename, sha256: contentHash(medium), owner: medium.owner })),
  );
  return managed.toSorted((one, other) =>
    compare(one.kind + one.filename + one.sha256, other.kind + other.filename + other.sha256),
  );
}

function hierarchyState(site: Site): SiteState["hierarchy"] {
  const below: Record<string, readonly string[]> = {};
  for (const [title, parent] of site.categoryParents) below[parent ?? ""] = [...(below[parent ?? ""] ?? []), title];
  return below;
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/**
 * The state with names instead of the site's numbers, so that two sites with the same content in
 * another order are equal. Guides are named by title, steps by guide and position, media by the
 * hash of their files. References in texts and addresses on the site's own origin are named in the
 * same way.
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
  const sorted = (list: readonly JsonObject[], field: string) =>
    (list.map((entry) => named(entry, field)) as JsonObject[]).toSorted(byJson);
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
      // The address of another site has that site's numbers.
      return name === undefined || !isOwn(site, origin) ? all : (origin ?? "") + before + name;
    })
    .replaceAll(site.mediaOrigin, "site:")
    .replaceAll(site.origin, "site:");
}

const ADDRESSES = /(https?:\/\/[^\s/"|\]]+)?((?:\/(?:Guide|Teardown)\/[^/\s]*|\/guides|\/api\/2\.0\/guides)\/)(\d+)/g;

function isOwn(site: Site, origin: string | undefined): boolean {
  return origin === undefined || origin === site.origin || origin === site.mediaOrigin;
}

function contextNamed(comment: JsonObject): JsonObject {
  const { context, contextid, ...rest } = comment;
  return { ...rest, [`${String(context)}Context`]: contextid };
}

function byJson(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/** By title, each with its imports in the order of creation; no dates. */
function trainingState(site: Site): readonly Answer[] {
  const imports = site.rows.moduleImports.all();
  const modules = site.rows.modules.all().map((module) => ({
    id: module["id"],
    title: module["title"],
    draft: isAnswer(module["draft"]) ? textAt(module["draft"], "title") : null,
    versions: imports
      .filter((one) => one["moduleid"] === module["id"])
      .map((one) => versionState(one, numberAt(objectAt(module, "current"), "importid"))),
  }));
  return modules.toSorted(byTitle);
}

function namedTrainingState(site: Site): readonly Answer[] {
  return trainingState(site).map(({ id: _id, versions, ...module }) => ({
    ...module,
    versions: (versions as readonly Answer[]).map((version) => without(version, ["importid"])),
  }));
}

function versionState(one: Answer, current: number | undefined): Answer {
  const source = objectAt(one, "source");
  return {
    importid: one["importid"],
    version: numberAt(one, "version") ?? 1,
    source: sourceName(source),
    sha256: textAt(source, "sha256"),
    status: one["status"],
    isCurrent: one["importid"] === current,
  };
}

/** The file's name, or the last part of an address without its host. Empty: not started. */
function sourceName(source: Answer): string {
  const url = textAt(source, "url");
  return textAt(source, "filename", URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : "");
}

function byTitle(one: Answer, other: Answer): number {
  return String(one["title"]).localeCompare(String(other["title"]), "en") || Number(one["id"]) - Number(other["id"]);
}
