import type { Answer } from "../state/answer.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import { asSpecified } from "./as-specified.js";
import { imageView } from "./image-view.js";
import { lightUser } from "./user-view.js";

/** A guide as lists show it (facts, 3.2; specification, "Guide summary"). */
export function guideSummary(site: Site, guide: GuideRecord): Answer {
  return asSpecified(site, "guideSummary", wholeSummary(site, guide));
}

function wholeSummary(site: Site, guide: GuideRecord): Answer {
  const shared = {
    dataType: "guide",
    guideid: guide.guideid,
    locale: guide.langid,
    modified_date: guide.dates.modified,
    prereq_modified_date: guide.dates.prerequisites,
    url: guideAddress(site, guide),
    type: guide.type,
    category: guide.category,
    subject: guide.subject,
    title: guide.title,
    summary: guide.summary,
    difficulty: guide.difficulty,
    time_required_max: guide.timeRequiredMax,
    public: guide.public,
    userid: guide.author,
    username: lightUser(site, guide.author)["username"],
    flags: guide.flags,
    image: imageView(site, guide.image),
  };
  if (site.settings.dialect === "ifixit") return { ...shared, revisionid: guide.revisions.full };
  return {
    ...shared,
    revisionid: guide.revisions.list,
    guide_revisionid: guide.revisions.guide,
    // A boolean stands for "none": a trap of the real service (facts, 3.2).
    tags: guide.tags.length === 0 ? false : guide.tags,
    isArchived: guide.flags.includes("GUIDE_ARCHIVED"),
    attachedQuiz: attachedQuiz(site, guide.guideid),
    periodicReviewSchedule: reviewSchedule(site, guide.guideid),
  };
}

/** Null or an object whose shape is not public (facts, 3.2). */
function attachedQuiz(site: Site, guideid: number): Answer | null {
  const quiz = site.rows.quizzes.find((row) => row["guideid"] === guideid && row["deleted"] !== true);
  return quiz === undefined ? null : { quizid: quiz["quizid"], quiz_title: quiz["quiz_title"] };
}

function reviewSchedule(site: Site, guideid: number): Answer | null {
  const row = site.rows.scheduledDocuments.find((one) => one["doctype"] === "guide" && one["docid"] === guideid);
  const schedule = site.rows.schedules.get(Number(row?.["prsid"]));
  return schedule === undefined ? null : { prsid: schedule["prsid"], title: schedule["title"] };
}

/** The prerequisite objects of a guide; a guide that is not here reads as its loaded answer showed it. */
export function prerequisiteViews(site: Site, guide: GuideRecord, loaded: readonly Answer[]): readonly Answer[] {
  return guide.prerequisites.flatMap((guideid) => {
    const found = site.guides.get(guideKey(guideid));
    if (found !== undefined) return found.deleted ? [] : [asSpecified(site, "prerequisite", wholeSummary(site, found))];
    return loaded.filter((answer) => answer["guideid"] === guideid);
  });
}

/** The page of a guide. */
export function guideAddress(site: Site, guide: GuideRecord): string {
  return `${site.origin}${guidePath(guide)}`;
}

/** The site-relative path of a guide's page. */
export function guidePath(guide: GuideRecord): string {
  const folder = guide.type === "teardown" ? "Teardown" : "Guide";
  const title = encodeURIComponent(guide.title).replaceAll("%20", "+").replaceAll("%2C", ",").replaceAll("%3A", ":");
  return `/${folder}/${title}/${guide.guideid}`;
}
