import { conflict, forbidden, invalidValue, maySee, mustEdit, notFound } from "../rules.js";
import type { AccountCall, Call } from "../server/route.js";
import { isPresent, revisionOf } from "../server/route.js";
import { type GuideRecord, guideKey, type StepRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { guideView, stepView } from "../views/guide.js";
import { releaseView } from "../writes/releases.js";

/**
 * The guide of the path in its source language. 404 when there is none, 403 when the caller may not
 * see it.
 */
export function guideOf(call: Call): GuideRecord {
  const guide = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (guide === undefined || guide.deleted) throw notFound("Guide not found.");
  if (!maySee(guide, call.caller)) throw forbidden("Guide is private.");
  // Archived guides stand in lists but do not open for the public (facts, 3.1).
  const archived = guide.flags.includes("GUIDE_ARCHIVED");
  if (archived && call.caller === undefined) throw forbidden("Guide is archived.");
  return guide;
}

/** The same for tags, viewers: a missing guide looks like a forbidden one (facts, 3.1 and 4.7). */
export function guideOrForbidden(call: Call): GuideRecord {
  const guide = call.site.guides.get(guideKey(Number(call.parameter("guideid"))));
  if (guide === undefined || guide.deleted || !maySee(guide, call.caller)) throw forbidden("Guide is private.");
  return guide;
}

/**
 * The guide in the language of the query: else its source language, but with `unpatrolled` there is
 * no such fallback and the answer is 404 (facts, 3.1).
 */
export function guideInLanguage(call: Call): GuideRecord {
  const approved = guideOf(call);
  const newest = isPresent(call.query, "unpatrolled") ? call.site.pendingGuides.get(approved.guideid) : undefined;
  const source = newest ?? (isPresent(call.query, "released") ? releasedOf(call.site, approved) : approved);
  const langid = call.query.get("langid");
  if (langid === null || langid === source.langid) return source;
  const found = call.site.guides.get(guideKey(source.guideid, langid));
  const translation = found?.deleted === true ? undefined : found;
  if (translation === undefined && isPresent(call.query, "unpatrolled")) throw notFound("No such translation.");
  return translation ?? source;
}

/**
 * As it was released last (service-api, GET /guides/{guideid}); one without a release is shown as
 * it is (inf).
 */
function releasedOf(site: Site, guide: GuideRecord): GuideRecord {
  const last = guide.releases.find((release) => releaseView(site, release)["status"] === "released");
  const then = last === undefined ? undefined : site.releasedGuides.get(Number(last["releaseid"]));
  if (then === undefined) return guide;
  const { public: isPublic, releases, viewers, tags, revisions } = guide;
  return { ...then, public: isPublic, releases, viewers, tags, revisions };
}

/**
 * The guide of a write: the caller must be allowed to edit it. Edits are made to the newest edit,
 * also a pending one.
 */
export function editableGuide(call: AccountCall): GuideRecord {
  const guide = guideOf(call);
  mustEdit(guide, call.caller);
  return call.site.pendingGuides.get(guide.guideid) ?? guide;
}

/**
 * The same with the guide's current revision in the query: 422 without one, 409 with the current
 * guide for another.
 */
export function guideAtRevision(call: AccountCall): GuideRecord {
  return atRevision(call, editableGuide(call));
}

function atRevision(call: AccountCall, guide: GuideRecord): GuideRecord {
  const { dialect, revisionField } = call.site.settings;
  const current =
    dialect !== "ifixit" && revisionField === "guide_revisionid" ? guide.revisions.guide : guide.revisions.full;
  if (revisionOf(call.query) !== current) throw conflict(guideView(call.site, guide, call.caller));
  return guide;
}

/**
 * The step of the path; one of a prerequisite is edited through its owner, here it gives 404
 * (facts, 4.4).
 */
export function stepAtRevision(
  call: AccountCall,
  guide = editableGuide(call),
): { readonly guide: GuideRecord; readonly step: StepRecord } {
  const step = guide.steps.find((one) => one.stepid === Number(call.parameter("stepid")));
  if (step === undefined) throw notFound("Step not found.");
  if (revisionOf(call.query) !== step.revisionid) throw conflict(stepView(call.site, guide, step));
  return { guide, step };
}

/**
 * The language that a write of a guide or step is for. undefined: the guide's own, or the site does
 * not look at `langid`. Throws 422.
 */
export function languageOfWrite(call: AccountCall): string | undefined {
  const langid = call.query.get("langid");
  const { guideTranslations } = call.site.settings;
  if (guideTranslations === "no" || langid === null || langid === guideOf(call).langid) return undefined;
  if (guideTranslations === "refused") throw invalidValue("langid", "guides can't be translated here");
  return langid;
}

/**
 * The translation that a write is for; one that is not there yet starts from the guide's own
 * revision, as a page's does (facts, 8.1).
 */
export function translationAtRevision(
  call: AccountCall,
  langid: string,
): { readonly source: GuideRecord; readonly translation: GuideRecord | undefined } {
  const source = editableGuide(call);
  const found = call.site.guides.get(guideKey(source.guideid, langid));
  const translation = found?.deleted === true ? undefined : found;
  atRevision(call, translation ?? source);
  return { source, translation };
}

/**
 * The guide in the language of a write of one of its steps. Throws 404 where it has no such
 * translation.
 */
export function guideOfStep(call: AccountCall): GuideRecord {
  const source = editableGuide(call);
  const langid = languageOfWrite(call);
  if (langid === undefined) return source;
  const translation = call.site.guides.get(guideKey(source.guideid, langid));
  if (translation === undefined || translation.deleted) throw notFound("No such translation.");
  return translation;
}
