import { mayEdit, maySee } from "../rules/rights.js";
import { type Answer, objectsAt, without } from "../state/answer.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { commentsOf } from "./comment-view.js";
import { documentViews } from "./document-view.js";
import { isFavorite } from "./favorite-view.js";
import { flagViews } from "./flag-view.js";
import { guideAddress, guidePath, prerequisiteViews } from "./guide-summary-view.js";
import { imageView } from "./image-view.js";
import { renderText, textTree } from "./render-text.js";
import { stepView } from "./step-view.js";
import { timeLabel } from "./time-label.js";
import { lightUser } from "./user-view.js";
import { videoView } from "./video-view.js";

/**
 * A full guide (facts, 3.3). Steps of prerequisites stand before its own ones when asked for; full guides carry no tags.
 * Unknown fields of a loaded answer are served with it.
 */
export function guideView(
  site: Site,
  guide: GuideRecord,
  caller: UserRecord | undefined,
  inlinePrerequisites = false,
): Answer {
  const { dialect } = site.settings;
  const revisions =
    dialect === "ifixit" ? { available_langids: langids(site, guide) } : { guide_revisionid: guide.revisions.guide };
  return {
    ...(dialect === "dozuki" ? dozukiFields(site, guide, caller) : {}),
    ...(dialect === "specification" ? { work_log_enabled: guide.workLog } : {}),
    ...without(guide.loaded, ["guide_revisionid"]),
    ...ownFields(site, guide),
    ...(site.settings.granularPermissions ? { should_use_granular_permissions: true } : {}),
    favorited: caller !== undefined && isFavorite(site, caller.userid, guide.guideid),
    ...revisions,
    revisionid: guide.revisions.full,
    can_edit: mayEdit(guide, caller),
    completed: caller !== undefined && guide.completedBy.includes(caller.userid),
    prerequisites: prerequisiteViews(site, guide, objectsAt(guide.loaded, "prerequisites")),
    steps: inlinePrerequisites ? inlinedSteps(site, guide, caller, new Set()) : ownSteps(site, guide),
  };
}

function ownFields(site: Site, guide: GuideRecord): Answer {
  const video = guide.introVideo === null ? undefined : site.media.videos.get(guide.introVideo);
  return {
    guideid: guide.guideid,
    langid: guide.langid,
    locale: guide.langid,
    title: guide.title,
    category: guide.category,
    subject: guide.subject,
    type: guide.type,
    summary: guide.summary,
    url: guideAddress(site, guide),
    ...texts(site, guide),
    difficulty: guide.difficulty,
    time_required: timeLabel(guide.timeRequiredMin, guide.timeRequiredMax),
    time_required_min: guide.timeRequiredMin,
    time_required_max: guide.timeRequiredMax,
    flags: site.settings.dialect === "specification" ? guide.flags : flagViews(site, guide.flags),
    image: imageView(site, guide.image),
    documents: documentViews(site, guide.documents),
    featured_documentid: guide.featuredDocument,
    featured_document_embed_url: guide.featuredDocument === null ? "" : `/Document/embed/${guide.featuredDocument}`,
    featured_document_thumbnail_url: "",
    intro_video: video === undefined ? (guide.loaded["intro_video"] ?? null) : videoView(site, video),
    intro_video_url: guide.loaded["intro_video_url"] ?? null,
    parts: guide.parts,
    tools: guide.tools,
    comments: commentsOf(site, "guide", guide.guideid),
    author: lightUser(site, guide.author),
    created_date: guide.dates.created,
    published_date: guide.dates.published,
    modified_date: guide.dates.modified,
    prereq_modified_date: guide.dates.prerequisites,
    public: guide.public,
    patrol_threshold: 100_000_000,
  };
}

function texts(site: Site, guide: GuideRecord): Answer {
  const { loaded } = guide;
  const same = loaded["introduction_raw"] === guide.introduction;
  const sameConclusion = loaded["conclusion_raw"] === guide.conclusion;
  return {
    introduction_raw: guide.introduction,
    introduction_rendered: (same && loaded["introduction_rendered"]) || renderText(site, guide.introduction),
    conclusion_raw: guide.conclusion,
    conclusion_rendered: (sameConclusion && loaded["conclusion_rendered"]) || renderText(site, guide.conclusion),
    ...(same || !("introduction_json" in loaded) ? {} : { introduction_json: textTree(guide.introduction) }),
  };
}

function dozukiFields(site: Site, guide: GuideRecord, caller: UserRecord | undefined): Answer {
  return {
    introduction_json: textTree(guide.introduction),
    intro_video_media_item: null,
    body_url_path: guidePath(guide),
    can_delete: mayEdit(guide, caller),
    can_edit_language: mayEdit(guide, caller),
    can_edit_permissions: mayEdit(guide, caller),
    should_use_granular_permissions: false,
    number_of_dependent_guides: dependents(site, guide.guideid),
    ogdc_enabled: "inherit",
    per_step_time_enabled: false,
    work_log_enabled: guide.workLog,
    work_log_url: `${site.origin}/Guide/data-capture/${guide.guideid}`,
  };
}

/** How many guides use this one as a prerequisite; translations do not count. */
function dependents(site: Site, guideid: number): number {
  return site.guides.dependents(guideid).filter((key) => !key.includes("@")).length;
}

function langids(site: Site, guide: GuideRecord): readonly string[] {
  return [...site.guides.values()]
    .filter((one) => one.guideid === guide.guideid && !one.deleted)
    .map((one) => one.langid);
}

function ownSteps(site: Site, guide: GuideRecord): readonly Answer[] {
  return guide.steps.map((step) => stepView(site, guide, step));
}

/** Prerequisites first, each guide once, so that a cycle ends. */
function inlinedSteps(
  site: Site,
  guide: GuideRecord,
  caller: UserRecord | undefined,
  seen: Set<number>,
): readonly Answer[] {
  seen.add(guide.guideid);
  const before = guide.prerequisites.flatMap((guideid) => {
    const found = site.guides.get(guideKey(guideid));
    if (found === undefined || found.deleted || seen.has(guideid) || !maySee(found, caller)) return [];
    return inlinedSteps(site, found, caller, seen);
  });
  return [...before, ...ownSteps(site, guide)];
}
