import { z } from "zod";
import { characters, lineCount, maySee, mustHold, savedText, savedTitle } from "../rules.js";
import { type GuideRecord, guideKey, type PartRecord, type UserRecord, wikiKey } from "../site/records.js";
import type { Dialect } from "../site/settings.js";
import type { Site } from "../site/site.js";
import { mayAttach } from "./media.js";
import { addWiki } from "./wiki.js";

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
  /** null stands for the most recent release (specification, POST /guides). */
  prerequisite_releases: z.array(z.strictObject({ guideid: id, releaseid: id.nullable() })).optional(),
};

const ifixitGuide = z.strictObject(fields);
const dozukiGuide = z.strictObject({ ...fields, ...dozukiFields });
export type GuideBody = z.infer<typeof dozukiGuide>;

/**
 * The body of `PATCH /guides/{guideid}` (facts, 4.1 and 4.2). Unknown fields are refused. A site of
 * the specification takes `objectid` and `isoptional` too, which its table of POST /guides lacks:
 * without them an introduction video has no way in.
 */
export const GUIDE_PATCH: Readonly<Record<Dialect, z.ZodType<GuideBody>>> = {
  specification: dozukiGuide,
  dozuki: dozukiGuide,
  ifixit: ifixitGuide,
};

const required = { category: z.string(), type: z.string() };

/** The body of `POST /guides`: the same with `category` and `type` required. */
export const GUIDE_CREATION: Readonly<Record<Dialect, z.ZodType<GuideBody & { category: string; type: string }>>> = {
  specification: dozukiGuide.extend(required),
  dozuki: dozukiGuide.extend(required),
  ifixit: ifixitGuide.extend(required),
};

/**
 * Guides outside of every category have this one. It has no page, and no list or tree shows it
 * (api-facts 8.5).
 */
const ROOT = "Root";

type Check = (site: Site, body: GuideBody, caller: UserRecord, before: GuideRecord | undefined) => readonly string[];

/**
 * What a guide body may refer to; each check gives the messages of what is wrong with its field.
 */
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
      .map((guideid) => `guide ${guideid} can't be a prerequisite`),
  prerequisite_releases: (site, { prerequisite_releases }, caller, before) => {
    if (prerequisite_releases === undefined) return [];
    if (site.settings.disabled.has("releases")) return ["releases are switched off on this site"];
    return prerequisite_releases
      .filter(({ guideid, releaseid }) => {
        const releases = site.guides.get(guideKey(guideid))?.releases ?? [];
        const isThere = releaseid === null || releases.some((release) => release["releaseid"] === releaseid);
        return !isThere || guideid === before?.guideid || !isVisible(site, guideid, caller);
      })
      .map(({ guideid, releaseid }) => `release ${releaseid} of guide ${guideid} can't be a prerequisite`);
  },
  author: (site, { author }) =>
    author !== undefined && !site.users.has(author) ? [`user ${author} does not exist`] : [],
  langid: (site, { langid }, _caller, before) => {
    if (langid === undefined || langid === before?.langid) return [];
    if (before !== undefined) return ["the language of a guide can't be changed"];
    return site.settings.languages.includes(langid) ? [] : [`langid «${langid}» is not a language of this site`];
  },
};

/** Throws 422 that names every reference of a guide body that the site can't follow. */
export function mustRefer(site: Site, body: GuideBody, caller: UserRecord, before?: GuideRecord): void {
  const problems = Object.entries(CHECKS).map(([field, check]) => [field, check(site, body, caller, before)]);
  mustHold(Object.fromEntries(problems));
}

/**
 * Parts and tools as they will read; items that are missing get a page of their own (facts, 4.1).
 */
export function partRecords(site: Site, parts: readonly PartBody[], caller: UserRecord): readonly PartRecord[] {
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
 * The canonical title of an item. A missing one gets an ITEM page made from `summary` and `url`;
 * for an existing one both are ignored (facts, 4.1).
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
