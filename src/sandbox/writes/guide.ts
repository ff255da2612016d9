import { isDeepStrictEqual } from "node:util";
import { checked, invalidValue } from "../rules.js";
import { type GuideRecord, guideKey, type UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { GUIDE_CREATION, GUIDE_PATCH, type GuideBody, mustRefer, partRecords } from "./guide-body.js";
import { attachedImage } from "./media.js";

/** Put on every new guide by the server (facts, 4.8). */
const FLAGS_OF_NEW_GUIDES = ["GUIDE_USER_CONTRIBUTED", "GUIDE_IN_PROGRESS"] as const;

/** Makes a guide from the body of `POST /guides`. Throws 422. */
export function createGuide(site: Site, value: unknown, caller: UserRecord): GuideRecord {
  const body = checked(GUIDE_CREATION[site.settings.dialect], value);
  mustRefer(site, body, caller);
  const now = site.now();
  const blank = blankGuide(site, body, caller, now);
  const guide = withFields(site, blank, body, caller);
  const flags = [...guide.flags, ...FLAGS_OF_NEW_GUIDES.filter((flag) => !guide.flags.includes(flag))];
  const published = guide.public ? now : null;
  const title = guide.title === "" ? titleFor(site, guide) : guide.title;
  const record = { ...guide, title, flags, dates: { ...guide.dates, published } };
  site.guides.set(guideKey(record.guideid), record);
  return record;
}

/**
 * Changes a guide by the body of `PATCH /guides/{guideid}`; equal values make no revision. Throws
 * 422.
 */
export function patchGuide(site: Site, guide: GuideRecord, value: unknown, caller: UserRecord): GuideRecord {
  const body = checked(GUIDE_PATCH[site.settings.dialect], value);
  mustRefer(site, body, caller, guide);
  return reviseGuide(site, guide, withFields(site, guide, body, caller));
}

/**
 * Puts the changed guide in the old one's place with new revisions and date, unless nothing
 * changed.
 */
export function reviseGuide(site: Site, before: GuideRecord, after: GuideRecord): GuideRecord {
  if (isDeepStrictEqual(before, after)) return before;
  const now = site.now();
  const published = after.public && !before.public ? now : after.dates.published;
  const record = {
    ...after,
    revisions: newRevisions(site),
    dates: { ...after.dates, modified: now, published },
  };
  const key = keyOf(site, before);
  site.guides.set(key, record);
  if (key !== guideKey(record.guideid)) return record;
  site.pendingGuides.delete(record.guideid);
  touchDependents(site, record.guideid, now);
  followSource(site, record);
  return record;
}

/**
 * Takes every language of a guide out of the site. Nothing of it is lost: a restore brings it back
 * as it was.
 */
export function deleteGuide(site: Site, guideid: number): void {
  for (const [key, guide] of site.guides) {
    if (guide.guideid === guideid) site.guides.set(key, { ...guide, deleted: true });
  }
  site.pendingGuides.delete(guideid);
}

/**
 * Brings one language of a guide back; the others stay deleted. Undefined when the guide never had
 * that language.
 */
export function restoreGuide(site: Site, guideid: number, langid: string): GuideRecord | undefined {
  const found = [...site.guides].find(([, guide]) => guide.guideid === guideid && guide.langid === langid);
  if (found === undefined) return undefined;
  const [key, guide] = found;
  const restored = { ...guide, deleted: false };
  site.guides.set(key, restored);
  return restored;
}

function blankGuide(site: Site, body: GuideBody, caller: UserRecord, now: number): GuideRecord {
  return {
    guideid: site.next("guide"),
    langid: body.langid ?? site.settings.languages[0],
    title: "",
    category: "",
    subject: "",
    type: "",
    summary: "",
    introduction: "",
    conclusion: "",
    difficulty: site.settings.dialect === "ifixit" ? null : "Moderate",
    timeRequiredMin: 0,
    timeRequiredMax: 0,
    flags: [],
    image: null,
    documents: [],
    featuredDocument: null,
    introVideo: null,
    prerequisites: [],
    parts: [],
    tools: [],
    public: false,
    author: caller.userid,
    workLog: false,
    steps: [],
    tags: [],
    viewers: { users: [], teams: [] },
    completedBy: [],
    releases: [],
    revisions: newRevisions(site),
    dates: { created: now, modified: now, published: null, prerequisites: 0 },
    deleted: false,
    loaded: {},
  };
}

/**
 * The guide with the fields that the body names; arrays replace the stored ones completely (facts,
 * 4.2).
 */
function withFields(site: Site, guide: GuideRecord, body: GuideBody, caller: UserRecord): GuideRecord {
  const documents = body.documents ?? guide.documents;
  const featured = body.featured_documentid ?? guide.featuredDocument;
  return {
    ...guide,
    title: body.title ?? guide.title,
    category: body.category ?? guide.category,
    subject: body.subject ?? guide.subject,
    type: body.type ?? guide.type,
    summary: body.summary ?? guide.summary,
    introduction: body.introduction ?? guide.introduction,
    conclusion: body.conclusion ?? guide.conclusion,
    difficulty: body.difficulty ?? guide.difficulty,
    timeRequiredMin: body.time_required_min ?? guide.timeRequiredMin,
    timeRequiredMax: body.time_required_max ?? guide.timeRequiredMax,
    flags: body.flags === undefined ? guide.flags : [...new Set(body.flags)],
    image: body.image === undefined ? guide.image : attachedImage(site, body.image),
    documents: [...new Set(documents)],
    featuredDocument: featured !== null && documents.includes(featured) ? featured : null,
    introVideo: body.objectid === undefined ? guide.introVideo : body.objectid,
    prerequisites: [
      ...new Set([
        ...(body.prerequisites ?? guide.prerequisites),
        ...(body.prerequisite_releases ?? []).map(({ guideid }) => guideid),
      ]),
    ],
    parts: body.parts === undefined ? guide.parts : partRecords(site, body.parts, caller),
    tools: body.tools === undefined ? guide.tools : partRecords(site, body.tools, caller),
    public: body.public ?? guide.public,
    author: body.author ?? guide.author,
    workLog: body.work_log_enabled ?? guide.workLog,
  };
}

function titleFor(site: Site, guide: GuideRecord): string {
  const type = site.settings.guideTypes[guide.type]?.title ?? guide.type;
  return [guide.category, guide.subject, type].filter((part) => part !== "").join(" ");
}

function keyOf(site: Site, guide: GuideRecord): string {
  const key = guideKey(guide.guideid);
  return site.guides.get(key)?.langid === guide.langid ? key : guideKey(guide.guideid, guide.langid);
}

function touchDependents(site: Site, guideid: number, now: number): void {
  for (const key of site.guides.dependents(guideid)) {
    const guide = site.guides.get(key);
    if (guide !== undefined) site.guides.set(key, { ...guide, dates: { ...guide.dates, prerequisites: now } });
  }
}

/**
 * Starts a translation of a guide in a language that it does not have yet, with the fields of the
 * body; its steps begin in the words of the source. Throws 422.
 */
export function startGuideTranslation(
  site: Site,
  source: GuideRecord,
  langid: string,
  value: unknown,
  caller: UserRecord,
): GuideRecord {
  if (!site.settings.languages.includes(langid)) {
    throw invalidValue("langid", `langid «${langid}» is not a language of this site`);
  }
  const body = checked(GUIDE_PATCH[site.settings.dialect], value);
  mustRefer(site, body, caller, source);
  const record: GuideRecord = {
    ...withFields(site, source, body, caller),
    langid,
    loaded: {},
    releases: [],
    steps: source.steps.map((step) => ({ ...step, revisionid: site.next("revision") })),
    revisions: newRevisions(site),
    dates: { ...source.dates, modified: site.now() },
  };
  site.guides.set(guideKey(source.guideid, langid), record);
  return record;
}

/**
 * A translation has texts of its own; everything else, also which steps there are, it has from its
 * guide.
 */
function followSource(site: Site, source: GuideRecord): void {
  if (site.settings.guideTranslations !== "yes") return;
  for (const langid of site.settings.languages) {
    const key = guideKey(source.guideid, langid);
    const own = langid === source.langid ? undefined : site.guides.get(key);
    if (own !== undefined && !own.deleted) site.guides.set(key, following(site, own, source));
  }
}

function following(site: Site, own: GuideRecord, source: GuideRecord): GuideRecord {
  const { langid, title, subject, summary, introduction, conclusion, revisions, dates, releases, loaded } = own;
  const steps = source.steps.map((step) => {
    const translated = own.steps.find(({ stepid }) => stepid === step.stepid);
    return translated === undefined
      ? { ...step, revisionid: site.next("revision") }
      : { ...translated, media: step.media };
  });
  const isSame = steps.length === own.steps.length && steps.every((step, at) => step.stepid === own.steps[at]?.stepid);
  const texts = { langid, title, subject, summary, introduction, conclusion, releases, loaded };
  return { ...source, ...texts, dates, steps, revisions: isSame ? revisions : newRevisions(site) };
}

/** Three revision numbers that never coincide (facts, 3.10). */
function newRevisions(site: Site): GuideRecord["revisions"] {
  return { guide: site.next("revision"), full: site.next("revision"), list: site.next("revision") };
}
