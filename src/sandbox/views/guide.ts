import { mayEdit, maySee } from "../rules.js";
import { type Answer, objectsAt, without } from "../site/answer.js";
import {
  type CommentRecord,
  type GuideRecord,
  guideKey,
  type LineRecord,
  type StepMedia,
  type StepRecord,
  type UserRecord,
} from "../site/records.js";
import type { Site } from "../site/site.js";
import { addressOf, documentViews, imageView, videoView } from "./media.js";
import { renderLine, renderText, textTree } from "./render.js";
import {
  asSpecified,
  flagViews,
  guideAddress,
  guidePath,
  isFavorite,
  lightUser,
  prerequisiteViews,
} from "./summaries.js";

/**
 * A full guide (facts, 3.3), without tags. Steps of prerequisites come before its own if requested.
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

/** The number of guides with this one as a prerequisite, without translations. */
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

/** A step (facts, 3.4) with its position in its own guide, counted from 1. */
export function stepView(site: Site, guide: GuideRecord, step: StepRecord): Answer {
  const dozuki =
    site.settings.dialect === "dozuki" ? { imageURL: previewAddress(site, step.media), time_estimate: 0 } : {};
  return asSpecified(site, "step", {
    ...dozuki,
    ...step.loaded,
    stepid: step.stepid,
    guideid: guide.guideid,
    orderby: guide.steps.findIndex((one) => one.stepid === step.stepid) + 1,
    revisionid: step.revisionid,
    title: step.title,
    lines: step.lines.map((line) => asSpecified(site, "line", line)),
    media: mediaView(site, step.media),
    comments: commentsOf(site, "step", step.stepid),
    ...("imageURL" in dozuki ? { imageURL: dozuki.imageURL } : {}),
  });
}

/** A new line as it reads; a bullet without a name is shown by its style. */
export function lineRecord(site: Site, text: string, bullet: string, level: number, styleid: number): LineRecord {
  const line = { text_raw: text, text_rendered: renderLine(site, text), bullet, level, lineid: null };
  if (site.settings.dialect !== "dozuki") return line;
  const style = site.bulletStyles.get(styleid) ?? { bullet_styleid: styleid };
  return { ...line, bullet_styleid: styleid, bullet_style: style };
}

function mediaView(site: Site, media: StepMedia): Answer {
  if (media.type === "kept") return media.answer;
  if (media.type === "image") return { type: "image", data: media.ids.map((id) => imageView(site, id)) };
  const video = site.media.videos.get(media.id);
  return { type: "video", data: video === undefined ? null : videoView(site, video) };
}

function previewAddress(site: Site, media: StepMedia): string | null {
  if (media.type === "image") return addressOf(site, media.ids[0] ?? null, "mini");
  if (media.type === "video") return addressOf(site, site.media.videos.get(media.id)?.image ?? null, "mini");
  return null;
}

/** The comments on one item without deleted ones, replies inside, newest reply first (facts, 7). */
function commentsOf(site: Site, context: string, contextid: number): readonly Answer[] {
  return [...site.comments.values()]
    .filter((comment) => comment.context === context && comment.contextid === contextid)
    .filter((comment) => comment.parentid === null && comment.status !== "deleted")
    .map((comment) => commentView(site, comment));
}

export function commentView(site: Site, comment: CommentRecord): Answer {
  const replies = [...site.comments.values()]
    .filter((reply) => reply.parentid === comment.commentid && reply.status !== "deleted")
    .toReversed();
  const dozuki = site.settings.dialect === "dozuki" ? { numberOfReplies: replies.length, status_reason: "manual" } : {};
  return asSpecified(site, "comment", {
    title: "",
    rating: 0,
    ...dozuki,
    ...comment.loaded,
    commentid: comment.commentid,
    locale: comment.langid,
    context: comment.context,
    contextid: comment.contextid,
    parentid: comment.parentid,
    author: authorOf(site, comment),
    text_raw: comment.text,
    text_rendered: comment.loaded["text_rendered"] ?? renderText(site, comment.text),
    date: comment.date,
    modified_date: comment.modified,
    status: comment.status,
    replies: replies.map((reply) => commentView(site, reply)),
  });
}

function authorOf(site: Site, { author }: CommentRecord): Answer {
  const user = lightUser(site, author);
  if (site.settings.dialect !== "specification") return user;
  return asSpecified(site, "commentAuthor", { privileges: ["User"], ...user });
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [604_800, "week"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** Rounded down to one unit, a range if the two ends read differently (facts, 3.3). */
function timeLabel(minimum: number, maximum: number): string {
  if (maximum <= 0) return "No estimate";
  const [least, most] = [duration(minimum), duration(maximum)];
  if (minimum <= 0 || least === most) return most;
  const [count, unit] = least.split(" ");
  const [mostCount, mostUnit] = most.split(" ");
  return unit?.replace(/s$/, "") === mostUnit?.replace(/s$/, "")
    ? `${count} - ${mostCount} ${mostUnit}`
    : `${least} - ${most}`;
}

function duration(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, "second"];
  const count = Math.floor(seconds / size);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
