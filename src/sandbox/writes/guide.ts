import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { characters, checked, invalidValue, lineCount, maySee, mustHold, savedText, savedTitle } from "../rules.js";
import { type GuideRecord, guideKey, type PartRecord, type UserRecord, wikiKey } from "../site/records.js";
import type { Dialect } from "../site/settings.js";
import type { Site } from "../site/site.js";
import { attachedImage, mayAttach } from "./media.js";
import { addWiki } from "./wiki.js";

/** Set on every new guide by the server (facts, 4.8). */
const FLAGS_OF_NEW_GUIDES = ["GUIDE_USER_CONTRIBUTED", "GUIDE_IN_PROGRESS"] as const;

/** Creates a guide from the body of `POST /guides`. Throws 422. */
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

/** `PATCH /guides/{guideid}`; equal values make no revision. Throws 422. */
export function patchGuide(site: Site, guide: GuideRecord, value: unknown, caller: UserRecord): GuideRecord {
  const body = checked(GUIDE_PATCH[site.settings.dialect], value);
  mustRefer(site, body, caller, guide);
  return reviseGuide(site, guide, withFields(site, guide, body, caller));
}

/** Replaces the guide with the changed one, with new revisions and date, unless nothing changed. */
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

/** Deletes every language of a guide. Nothing is lost: a restore brings it back unchanged. */
export function deleteGuide(site: Site, guideid: number): void {
  for (const [key, guide] of site.guides) {
    if (guide.guideid === guideid) site.guides.set(key, { ...guide, deleted: true });
  }
  site.pendingGuides.delete(guideid);
}

/** The other languages stay deleted. Undefined: the guide never had that language. */
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

/** Arrays of the body replace the stored ones completely (facts, 4.2). */
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
 * Starts a translation of a guide in a new language, with the fields of the body; its steps start
 * with the source's texts. Throws 422.
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

/** A translation has its own texts; everything else, including the set of steps, is its guide's. */
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

/** Three revision numbers that are never equal (facts, 3.10). */
function newRevisions(site: Site): GuideRecord["revisions"] {
  return { guide: site.next("revision"), full: site.next("revision"), list: site.next("revision") };
}

const SUMMARY_BELOW = 156;
const INTRODUCTION_BELOW = 50;

const id = z.int().positive();
const text = z.string().transform(savedText);
const seconds = z.int().nonnegative();

const part = z.strictObject({
  name: z
    .string()
    .transform(savedTitle)
    .refine((name) => name !== "", "a part needs a name"),
  type: z.string().transform(savedTitle).optional(),
  quantity: z.int().positive().optional(),
  notes: text.optional(),
  isoptional: z.boolean().optional(),
  featured: z.boolean().optional(),
  summary: text.optional(),
  url: z.string().optional(),
});
type PartBody = z.infer<typeof part>;

const fields = {
  category: z.string().optional(),
  type: z.string().optional(),
  subject: z.string().transform(savedTitle).optional(),
  title: z.string().transform(savedTitle).optional(),
  summary: text
    .refine(
      (summary) => characters(summary) < SUMMARY_BELOW,
      `summary must have fewer than ${SUMMARY_BELOW} characters`,
    )
    .optional(),
  introduction: text
    .refine(
      (introduction) => lineCount(introduction) < INTRODUCTION_BELOW,
      `introduction must have fewer than ${INTRODUCTION_BELOW} lines`,
    )
    .optional(),
  conclusion: text.optional(),
  difficulty: z.enum(["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"]).optional(),
  time_required_min: seconds.optional(),
  time_required_max: seconds.optional(),
  /** Accepted and ignored (facts, 4.1). */
  time_required: z.unknown().optional(),
  image: id.optional(),
  flags: z.array(z.string()).optional(),
  prerequisites: z.array(id).optional(),
  documents: z.array(id).optional(),
  featured_documentid: id.optional(),
  parts: z.array(part).optional(),
  tools: z.array(part).optional(),
  objectid: id.nullable().optional(),
  public: z.boolean().optional(),
  langid: z.string().optional(),
};

const dozukiFields = {
  author: id.optional(),
  work_log_enabled: z.boolean().optional(),
  /** null: the most recent release (specification, POST /guides). */
  prerequisite_releases: z.array(z.strictObject({ guideid: id, releaseid: id.nullable() })).optional(),
};

const ifixitGuide = z.strictObject(fields);
const dozukiGuide = z.strictObject({ ...fields, ...dozukiFields });
type GuideBody = z.infer<typeof dozukiGuide>;

/**
 * The body of `PATCH /guides/{guideid}` (facts, 4.1 and 4.2). Unknown fields are refused. A site of
 * the specification also accepts `objectid` and `isoptional`, which its table of POST /guides
 * lacks: an introduction video needs them.
 */
const GUIDE_PATCH: Readonly<Record<Dialect, z.ZodType<GuideBody>>> = {
  specification: dozukiGuide,
  dozuki: dozukiGuide,
  ifixit: ifixitGuide,
};

const required = { category: z.string(), type: z.string() };

/** The body of `POST /guides`: the same with `category` and `type` required. */
const GUIDE_CREATION: Readonly<Record<Dialect, z.ZodType<GuideBody & { category: string; type: string }>>> = {
  specification: dozukiGuide.extend(required),
  dozuki: dozukiGuide.extend(required),
  ifixit: ifixitGuide.extend(required),
};

/** The category of guides without one. It has no page, and no list has it (api-facts 8.5). */
const ROOT = "Root";

type Check = (site: Site, body: GuideBody, caller: UserRecord, before: GuideRecord | undefined) => readonly string[];

const CHECKS: Readonly<Record<string, Check>> = {
  category: (site, { category }) =>
    category !== undefined && category !== ROOT && !site.wikis.has(wikiKey("CATEGORY", category))
      ? [`category «${category}» does not exist`]
      : [],
  type: (site, { type }) =>
    type !== undefined && !Object.hasOwn(site.settings.guideTypes, type)
      ? [`Invalid guide type, accepted are: ${Object.keys(site.settings.guideTypes).join(", ")}`]
      : [],
  subject: (site, body, _caller, before) => {
    const type = body.type ?? before?.type ?? "";
    const prompt = site.settings.guideTypes[type]?.prompt;
    const subject = body.subject ?? before?.subject ?? "";
    return prompt !== undefined && subject === "" ? [`guides of type ${type} need a subject: ${prompt}`] : [];
  },
  flags: flagProblems,
  image: (site, { image }, caller, before) =>
    image !== undefined && image !== before?.image && !mayAttach(site.media.images.get(image), caller)
      ? [`image ${image} is not in your media manager`]
      : [],
  documents: (site, { documents }, caller, before) =>
    (documents ?? [])
      .filter((id) => before?.documents.includes(id) !== true && !mayAttach(site.media.documents.get(id), caller))
      .map((id) => `document ${id} is not in your media manager`),
  featured_documentid: (_site, body, _caller, before) => {
    const documents = body.documents ?? before?.documents ?? [];
    const featured = body.featured_documentid;
    return featured !== undefined && !documents.includes(featured) ? ["it must be one of the guide's documents"] : [];
  },
  objectid: (site, { objectid }, caller, before) =>
    typeof objectid === "number" &&
    objectid !== before?.introVideo &&
    !mayAttach(site.media.videos.get(objectid), caller)
      ? [`object ${objectid} is not in your media manager`]
      : [],
  prerequisites: (site, { prerequisites }, caller, before) =>
    (prerequisites ?? [])
      .filter((guideid) => guideid === before?.guideid || !isVisible(site, guideid, caller))
      .map((guideid) => `guide ${guideid} cannot be a prerequisite`),
  prerequisite_releases: (site, { prerequisite_releases }, caller, before) => {
    if (prerequisite_releases === undefined) return [];
    if (site.settings.disabled.has("releases")) return ["releases are switched off on this site"];
    return prerequisite_releases
      .filter(({ guideid, releaseid }) => {
        const releases = site.guides.get(guideKey(guideid))?.releases ?? [];
        const isThere = releaseid === null || releases.some((release) => release["releaseid"] === releaseid);
        return !isThere || guideid === before?.guideid || !isVisible(site, guideid, caller);
      })
      .map(({ guideid, releaseid }) => `release ${releaseid} of guide ${guideid} cannot be a prerequisite`);
  },
  author: (site, { author }) =>
    author !== undefined && !site.users.has(author) ? [`user ${author} does not exist`] : [],
  langid: (site, { langid }, _caller, before) => {
    if (langid === undefined || langid === before?.langid) return [];
    if (before !== undefined) return ["the language of a guide cannot be changed"];
    return site.settings.languages.includes(langid) ? [] : [`langid «${langid}» is not a language of this site`];
  },
};

/** Throws 422 that names every wrong reference of a guide body. */
function mustRefer(site: Site, body: GuideBody, caller: UserRecord, before?: GuideRecord): void {
  const problems = Object.entries(CHECKS).map(([field, check]) => [field, check(site, body, caller, before)]);
  mustHold(Object.fromEntries(problems));
}

/** Parts and tools as they will read; missing items get their own page (facts, 4.1). */
function partRecords(site: Site, parts: readonly PartBody[], caller: UserRecord): readonly PartRecord[] {
  return parts.map((part) => {
    const text = resolveItem(site, part.name, part, caller);
    const marks =
      site.settings.dialect === "dozuki"
        ? {}
        : { isoptional: part.isoptional ?? false, featured: part.featured ?? false };
    return {
      text,
      type: part.type ?? "",
      quantity: part.quantity ?? 1,
      notes: part.notes === undefined || part.notes === "" ? null : part.notes,
      url: `/Item/${encodeURIComponent(text.replaceAll(" ", "_"))}`,
      thumbnail: null,
      ...marks,
    };
  });
}

function flagProblems(
  site: Site,
  { flags }: GuideBody,
  _caller: UserRecord,
  before: GuideRecord | undefined,
): readonly string[] {
  if (flags === undefined) return [];
  const settable = site.settings.settableFlags;
  const refused = flags.filter((flag) => !settable.includes(flag) && before?.flags.includes(flag) !== true);
  const dropped = (before?.flags ?? []).filter((flag) => !settable.includes(flag) && !flags.includes(flag));
  return [
    ...refused.map((flag) => `you may not set ${flag}`),
    ...dropped.map((flag) => `you may not remove ${flag}: list it`),
  ];
}

function isVisible(site: Site, guideid: number, caller: UserRecord): boolean {
  const guide = site.guides.get(guideKey(guideid));
  return guide !== undefined && !guide.deleted && maySee(guide, caller);
}

/**
 * The canonical title of an item. A missing one gets an ITEM page from `summary` and `url`; for an
 * existing one both are ignored (facts, 4.1).
 */
function resolveItem(site: Site, name: string, part: PartBody, caller: UserRecord): string {
  const title = name.replaceAll("_", " ");
  if (!site.wikis.has(wikiKey("ITEM", title))) {
    addWiki(site, {
      namespace: "ITEM",
      title,
      author: caller.userid,
      description: part.summary ?? "",
      suppliers: part.url === undefined ? [] : [{ "part_#": "", type: "", supplier: "", url: part.url }],
    });
  }
  return title;
}
