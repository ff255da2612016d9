import {
  badRequest,
  conflict,
  forbidden,
  invalidValue,
  maySee,
  missingField,
  mustEdit,
  mustModerate,
  notFound,
} from "../rules.js";
import {
  type AccountCall,
  answerType,
  type Call,
  created,
  hasFlag,
  isTrue,
  NO_CONTENT,
  ok,
  ordered,
  paged,
  type Reply,
  type Route,
  revisionOf,
  route,
  wholeNumber,
} from "../server/route.js";
import { isAnswer } from "../site/answer.js";
import { type GuideRecord, guideKey, type StepRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { guideView, stepView } from "../views/guide.js";
import { renderLine } from "../views/render.js";
import { guideSummary } from "../views/summaries.js";
import { guideXml } from "../views/xml.js";
import {
  createGuide,
  deleteGuide,
  patchGuide,
  restoreGuide,
  reviseGuide,
  startGuideTranslation,
} from "../writes/guide.js";
import { releaseView } from "../writes/releases.js";
import { createStep, deleteStep, orderSteps, patchStep } from "../writes/step.js";
import { alphabetically, withoutTag, withTag } from "../writes/tags.js";

const GUIDE = "/guides/:guideid{[0-9]+}";

/** One guide: read, write, delete, restore, publish (facts, 3.1, 4.1 to 4.3). */
const GUIDES: readonly Route[] = [
  route("anyone", `GET ${GUIDE}`, readGuide),
  route("account", "POST /guides", (call) =>
    created(guideView(call.site, createGuide(call.site, call.json(), call.caller), call.caller)),
  ),
  route("account", `PATCH ${GUIDE}`, changeGuide),
  route("account", `DELETE ${GUIDE}`, (call) => {
    deleteGuide(call.site, guideAtRevision(call).guideid);
    return NO_CONTENT;
  }),
  route("admin", `POST ${GUIDE}/:langid/restore`, restore),
  route("account", `PUT ${GUIDE}/public`, (call) => setPublic(call, true)),
  route("account", `DELETE ${GUIDE}/public`, (call) => setPublic(call, false)),
];

function readGuide(call: Call): Reply {
  const type = answerType(call.query);
  const guide = guideInLanguage(call);
  const revision = wholeNumber(call.query, "revisionid");
  const known = Object.values(guide.revisions);
  if (revision !== undefined && !known.includes(revision)) throw forbidden("You may not read old revisions.");
  const inlined = !hasFlag(call.query, "excludePrerequisiteSteps");
  if (type === "XML") return { status: 200, xml: guideXml(guideView(call.site, guide, call.caller)) };
  return ok(guideView(call.site, guide, call.caller, inlined));
}

/** A new `langid` starts a translation, if the site allows it. */
function changeGuide(call: AccountCall): Reply {
  const langid = languageOfWrite(call);
  if (langid === undefined) return shown(call, patchGuide(call.site, guideAtRevision(call), call.json(), call.caller));
  const { source, translation } = translationAtRevision(call, langid);
  const changed =
    translation === undefined
      ? startGuideTranslation(call.site, source, langid, call.json(), call.caller)
      : patchGuide(call.site, translation, call.json(), call.caller);
  return shown(call, changed);
}

/** Only a revision in the query counts, not one in the body (facts, 4.3). */
function setPublic(call: AccountCall, isPublic: boolean): Reply {
  const guide = guideAtRevision(call);
  call.json();
  return shown(call, reviseGuide(call.site, guide, { ...guide, public: isPublic }));
}

/** A translation needs its restored source. A language that is not deleted stays unchanged. */
function restore(call: AccountCall): Reply {
  const source = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (source === undefined) throw notFound("Guide not found.");
  const langid = call.parameter("langid");
  if (!call.site.settings.languages.includes(langid)) throw badRequest("No such language.");
  if (source.deleted && langid !== source.langid) {
    throw invalidValue("langid", `the guide itself is deleted: restore «${source.langid}» first`);
  }
  const restored = restoreGuide(call.site, source.guideid, langid);
  if (restored === undefined) throw notFound("The guide has no such language.");
  return shown(call, restored);
}

function shown(call: AccountCall, guide: GuideRecord): Reply {
  return ok(guideView(call.site, guide, call.caller));
}

const ALL_STEPS = "/guides/:guideid{[0-9]+}/steps";
const STEP = `${ALL_STEPS}/:stepid{[0-9]+}`;

/** Steps (facts, 4.4): create and delete answer with the guide, an edit with the step. */
const STEPS: readonly Route[] = [
  route("account", "POST /guides/steps/lines/preview", preview),
  route("account", `POST ${ALL_STEPS}`, addStep),
  route("account", `PATCH ${STEP}`, changeStep),
  route("account", `DELETE ${STEP}`, removeStep),
  route("account", "PUT /guides/:guideid{[0-9]+}/steporder", reorder),
];

/** No revision is needed: two writers can interleave (facts, 4.4). */
function addStep(call: AccountCall): Reply {
  const guide = createStep(call.site, editableGuide(call), call.json(), call.caller);
  return created(guideView(call.site, guide, call.caller));
}

function changeStep(call: AccountCall): Reply {
  const { guide, step } = stepAtRevision(call, guideOfStep(call));
  const changed = patchStep(call.site, guide, step, call.json(), call.caller);
  return ok(stepView(call.site, guideOfStep(call), changed));
}

function removeStep(call: AccountCall): Reply {
  const { guide, step } = stepAtRevision(call);
  return ok(guideView(call.site, deleteStep(call.site, guide, step), call.caller));
}

function reorder(call: AccountCall): Reply {
  const guide = guideAtRevision(call);
  return ok(guideView(call.site, orderSteps(call.site, guide, call.json()), call.caller));
}

/** Neither body nor answer is public (facts, 12): a JSON string or `{text}` in, `{html}` out. */
function preview(call: AccountCall): Reply {
  const body = call.json();
  const text = isAnswer(body) ? body["text"] : body;
  if (text === undefined) throw missingField("text");
  if (typeof text !== "string") throw invalidValue("text", "text must be a string");
  return ok({ html: renderLine(call.site, text) });
}

/** The tags of a guide, which are outside its object (facts, 4.6). */
const GUIDE_TAGS: readonly Route[] = [
  route("anyone", `GET ${GUIDE}/tags`, (call) => ok(guideOrForbidden(call).tags)),
  route("account", `PUT ${GUIDE}/tag`, (call) => setTags(call, true)),
  route("account", `DELETE ${GUIDE}/tag`, (call) => setTags(call, false)),
];

/** Tags change and need no revision; the answer is the guide, without tags (facts, 4.6). */
function setTags(call: AccountCall, add: boolean): Reply {
  mustModerate(call.caller);
  const guide = guideOf(call);
  const tags = add
    ? withTag(call.site, guide.tags, call.json()).toSorted(alphabetically)
    : withoutTag(guide.tags, call.json());
  const tagged = { ...guide, tags };
  call.site.guides.set(guideKey(guide.guideid), tagged);
  return ok(guideView(call.site, tagged, call.caller));
}

const MOST_GUIDEIDS = 50;
const FEATURED = ["GUIDE_STARRED", "GUIDE_FEATURED_STUDENT"];

/** Lists of guides (facts, 3.1): of the site, featured, of the caller, of a user. */
const GUIDE_LISTS: readonly Route[] = [
  route("anyone", "GET /guides", listGuides),
  route("anyone", "GET /guides/featured", listFeatured),
  route("account", "GET /user/guides", (call) => listOfUser(call, call.caller.userid, true)),
  route("anyone", "GET /users/:userid{[0-9]+}/guides", (call) =>
    listOfUser(call, Number(call.parameter("userid")), false),
  ),
];

async function listGuides(call: Call) {
  await call.beforeList();
  const { site, query } = call;
  const guideids = query.get("guideids");
  const shown = sourceGuides(site).filter((guide) => guide.public || takesPrivate(call));
  if (guideids !== null) {
    // Only the first 50 count, and every other filter is ignored (facts, 1.2).
    const wanted = guideids.split(",").slice(0, MOST_GUIDEIDS).map(Number);
    return ok(shown.filter((guide) => wanted.includes(guide.guideid)).map((guide) => guideSummary(site, guide)));
  }
  const types = query.get("filter")?.split(",");
  const since = wholeNumber(query, "modifiedSince") ?? 0;
  const list = shown
    .filter((guide) => types === undefined || types.includes(guide.type))
    .filter((guide) => guide.dates.modified >= since);
  return ok(paged(ordered(list, query), query).map((guide) => guideSummary(site, guide)));
}

async function listFeatured(call: Call) {
  await call.beforeList();
  const list = sourceGuides(call.site).filter(
    (guide) => guide.public && guide.flags.some((flag) => FEATURED.includes(flag)),
  );
  return ok(paged(list, call.query).map((guide) => guideSummary(call.site, guide)));
}

/** One row per language; hidden guides are left out after paging (facts, 1.2). */
async function listOfUser(call: Call | AccountCall, userid: number, own: boolean) {
  await call.beforeList();
  const { site, query } = call;
  const list = [...site.guides.values()].filter((guide) => guide.author === userid).toSorted(byId);
  const page = paged(ordered(list, query), query);
  const shown = page.filter((guide) => !guide.deleted && (own || maySee(guide, call.caller)));
  return ok(shown.map((guide) => guideSummary(site, guide)));
}

/** In id order. */
function sourceGuides(site: Site): readonly GuideRecord[] {
  return [...site.guides]
    .filter(([key, guide]) => key === guideKey(guide.guideid) && !guide.deleted)
    .map(([, guide]) => guide)
    .toSorted(byId);
}

/** `includePrivate` works for admins; for others it is ignored. */
function takesPrivate(call: Call): boolean {
  return call.caller?.admin === true && isTrue(call.query, "includePrivate");
}

function byId(one: GuideRecord, other: GuideRecord): number {
  return one.guideid - other.guideid;
}

export const GUIDE_ROUTES: readonly Route[] = [...GUIDE_LISTS, ...GUIDES, ...GUIDE_TAGS, ...STEPS];

/** In its source language. Throws 404 for none, 403 if the caller may not see it. */
export function guideOf(call: Call): GuideRecord {
  const guide = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (guide === undefined || guide.deleted) throw notFound("Guide not found.");
  if (!maySee(guide, call.caller)) throw forbidden("Guide is private.");
  // Lists show archived guides, but the public can't open them (facts, 3.1).
  const archived = guide.flags.includes("GUIDE_ARCHIVED");
  if (archived && call.caller === undefined) throw forbidden("Guide is archived.");
  return guide;
}

/** For tags and viewers: a missing guide looks like a forbidden one (facts, 3.1 and 4.7). */
export function guideOrForbidden(call: Call): GuideRecord {
  const guide = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (guide === undefined || guide.deleted || !maySee(guide, call.caller)) throw forbidden("Guide is private.");
  return guide;
}

/**
 * The guide in the language of the query, else in its source language. With `unpatrolled` there is
 * no such fallback, and the answer is 404 (facts, 3.1).
 */
function guideInLanguage(call: Call): GuideRecord {
  const approved = guideOf(call);
  const newest = hasFlag(call.query, "unpatrolled") ? call.site.pendingGuides.get(approved.guideid) : undefined;
  const source = newest ?? (hasFlag(call.query, "released") ? releasedOf(call.site, approved) : approved);
  const langid = call.query.get("langid");
  if (langid === null || langid === source.langid) return source;
  const found = call.site.guides.get(guideKey(source.guideid, langid));
  const translation = found?.deleted === true ? undefined : found;
  if (translation === undefined && hasFlag(call.query, "unpatrolled")) throw notFound("No such translation.");
  return translation ?? source;
}

/** The last release (service-api, GET /guides/{guideid}); without one, the current guide (inf). */
function releasedOf(site: Site, guide: GuideRecord): GuideRecord {
  const last = guide.releases.find((release) => releaseView(site, release)["status"] === "released");
  const then = last === undefined ? undefined : site.releasedGuides.get(Number(last["releaseid"]));
  if (then === undefined) return guide;
  const { public: isPublic, releases, viewers, tags, revisions } = guide;
  return { ...then, public: isPublic, releases, viewers, tags, revisions };
}

/** The guide of a write, if the caller may edit it: its newest edit, also a pending one. */
export function editableGuide(call: AccountCall): GuideRecord {
  const guide = guideOf(call);
  mustEdit(guide, call.caller);
  return call.site.pendingGuides.get(guide.guideid) ?? guide;
}

/** The same at its current revision: 422 without one in the query, 409 for another. */
function guideAtRevision(call: AccountCall): GuideRecord {
  return atRevision(call, editableGuide(call));
}

function atRevision(call: AccountCall, guide: GuideRecord): GuideRecord {
  const { dialect, revisionField } = call.site.settings;
  const current =
    dialect !== "ifixit" && revisionField === "guide_revisionid" ? guide.revisions.guide : guide.revisions.full;
  if (revisionOf(call.query) !== current) throw conflict(guideView(call.site, guide, call.caller));
  return guide;
}

/** A step of a prerequisite is edited through its owner: 404 here (facts, 4.4). */
function stepAtRevision(
  call: AccountCall,
  guide = editableGuide(call),
): { readonly guide: GuideRecord; readonly step: StepRecord } {
  const step = guide.steps.find((one) => one.stepid === Number(call.parameter("stepid")));
  if (step === undefined) throw notFound("Step not found.");
  if (revisionOf(call.query) !== step.revisionid) throw conflict(stepView(call.site, guide, step));
  return { guide, step };
}

/** undefined: the guide's own language, or the site ignores `langid`. Throws 422. */
function languageOfWrite(call: AccountCall): string | undefined {
  const langid = call.query.get("langid");
  const { guideTranslations } = call.site.settings;
  if (guideTranslations === "no" || langid === null || langid === guideOf(call).langid) return undefined;
  if (guideTranslations === "refused") throw invalidValue("langid", "guides cannot be translated here");
  return langid;
}

/** A new one starts from the guide's own revision, as a page's does (facts, 8.1). */
function translationAtRevision(
  call: AccountCall,
  langid: string,
): { readonly source: GuideRecord; readonly translation: GuideRecord | undefined } {
  const source = editableGuide(call);
  const found = call.site.guides.get(guideKey(source.guideid, langid));
  const translation = found?.deleted === true ? undefined : found;
  atRevision(call, translation ?? source);
  return { source, translation };
}

/** The guide in the language of a write of a step. Throws 404 without such a translation. */
function guideOfStep(call: AccountCall): GuideRecord {
  const source = editableGuide(call);
  const langid = languageOfWrite(call);
  if (langid === undefined) return source;
  const translation = call.site.guides.get(guideKey(source.guideid, langid));
  if (translation === undefined || translation.deleted) throw notFound("No such translation.");
  return translation;
}
