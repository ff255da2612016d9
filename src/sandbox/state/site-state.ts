import { contentHash } from "../bytes/content-bytes.js";
import type { GuideRecord, StepMedia } from "./guide.js";
import type { Site } from "./site.js";
import { trainingState } from "./training-state.js";
import type { WikiRecord } from "./wiki.js";

/** A site's whole content as plain data: no dates and no revisions, media as hashes of their bytes. */
export interface SiteState {
  readonly guides: readonly Readonly<Record<string, unknown>>[];
  readonly wikis: readonly Readonly<Record<string, unknown>>[];
  /** Category title to the titles below it, in order; "" is the top. */
  readonly hierarchy: Readonly<Record<string, readonly string[]>>;
  readonly tags: readonly string[];
  readonly comments: readonly Readonly<Record<string, unknown>>[];
  /** What stands in media managers: kind, file name, sha256, size. */
  readonly media: readonly Readonly<Record<string, unknown>>[];
  /** External training modules: title, title of the draft, and imports with version, source, sha256, status, isCurrent. */
  readonly modules: readonly Readonly<Record<string, unknown>>[];
}

/** Guides by id, wikis by namespace and title; deleted ones are left out. */
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

function guideState(site: Site, guide: GuideRecord): Readonly<Record<string, unknown>> {
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

function wikiState(site: Site, wiki: WikiRecord): Readonly<Record<string, unknown>> {
  const { revisionid: _revision, sourceRevisionid: _source, dates: _dates, loaded: _loaded, ...fields } = wiki;
  const parents = wiki.namespace === "CATEGORY" ? site.categoryParents : site.wikiParents;
  return {
    ...fields,
    image: imageHash(site, wiki.image),
    documents: wiki.documents.map((id) => documentState(site, id)),
    parent: parents.get(wiki.title) ?? null,
  };
}

function partState(part: GuideRecord["parts"][number]): Readonly<Record<string, unknown>> {
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
