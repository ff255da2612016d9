import { type Answer, without } from "../site/answer.js";
import { type GuideRecord, guideKey, type UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { imageView } from "./media.js";

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
    // A boolean means "none": a peculiarity of the real service (facts, 3.2).
    tags: guide.tags.length === 0 ? false : guide.tags,
    isArchived: guide.flags.includes("GUIDE_ARCHIVED"),
    attachedQuiz: attachedQuiz(site, guide.guideid),
    periodicReviewSchedule: reviewSchedule(site, guide.guideid),
  };
}

/** Null or an object whose format is not public (facts, 3.2). */
function attachedQuiz(site: Site, guideid: number): Answer | null {
  const quiz = site.rows.quizzes.find((row) => row["guideid"] === guideid && row["deleted"] !== true);
  return quiz === undefined ? null : { quizid: quiz["quizid"], quiz_title: quiz["quiz_title"] };
}

function reviewSchedule(site: Site, guideid: number): Answer | null {
  return site.rows.scheduledDocuments.find((row) => row["doctype"] === "guide" && row["docid"] === guideid) ?? null;
}

/** The prerequisite objects of a guide; a missing guide reads as in its loaded answer. */
export function prerequisiteViews(site: Site, guide: GuideRecord, loaded: readonly Answer[]): readonly Answer[] {
  return guide.prerequisites.flatMap((guideid) => {
    const found = site.guides.get(guideKey(guideid));
    if (found !== undefined) return found.deleted ? [] : [asSpecified(site, "prerequisite", wholeSummary(site, found))];
    return loaded.filter((answer) => answer["guideid"] === guideid);
  });
}

export function guideAddress(site: Site, guide: GuideRecord): string {
  return `${site.origin}${guidePath(guide)}`;
}

export function guidePath(guide: GuideRecord): string {
  const folder = guide.type === "teardown" ? "Teardown" : "Guide";
  const title = encodeURIComponent(guide.title).replaceAll("%20", "+").replaceAll("%2C", ",").replaceAll("%3A", ":");
  return `/${folder}/${title}/${guide.guideid}`;
}

/** Dozuki adds `banned` and `enabled` (facts, 2.3). An unknown id is a disabled account. */
export function lightUser(site: Site, userid: number): Answer {
  const user = site.users.get(userid) ?? { userid, username: "Deleted user", admin: false, loaded: { enabled: false } };
  const dozuki = site.settings.dialect === "dozuki" ? { banned: null, enabled: true } : {};
  return {
    unique_username: null,
    join_date: 0,
    image: null,
    reputation: 1,
    teams: [...site.teams.values()].filter((team) => team.members.includes(userid)).map((team) => team.teamid),
    ...dozuki,
    ...without(user.loaded, ["authToken"]),
    userid: user.userid,
    username: user.username,
    url: `${site.origin}/User/${user.userid}/${encodeURIComponent(user.username)}`,
  };
}

/** The full user object; `privileges` only for the caller's own record. */
export function fullUser(site: Site, user: UserRecord, own: boolean): Answer {
  return {
    certification_count: 0,
    badge_counts: { bronze: 0, silver: 0, gold: 0, total: 0 },
    summary: null,
    about_raw: false,
    about_rendered: false,
    ...lightUser(site, user.userid),
    ...(own ? { privileges: user.admin ? ["User", "Moderator", "Admin"] : ["User"] } : {}),
  };
}

/** With `email`, `employee_id` and `sso_userid`, for admins and the person only. */
export function privateUser(site: Site, user: UserRecord, own: boolean): Answer {
  return { ...fullUser(site, user, own), ...site.rows.identities.get(user.userid) };
}

export function flagViews(site: Site, flags: readonly string[]): readonly Answer[] {
  return flags.map((flagid) => flagView(site, flagid));
}

/** One flag: `{title, flagid, text}`, on dozuki with `image`; texts from a loaded answer. */
export function flagView(site: Site, flagid: string): Answer {
  const words = flagid
    .replace(/^(GUIDE|WIKI)_/, "")
    .toLowerCase()
    .replaceAll("_", " ");
  const dozuki = site.settings.dialect === "dozuki" ? { image: null } : {};
  return { ...dozuki, title: words, text: `This page is marked: ${words}.`, ...site.flagTexts.get(flagid), flagid };
}

/** The row of a person's favourite; undefined: not a favourite. */
export function favoriteOf(site: Site, userid: number, guideid: number): Answer | undefined {
  return site.rows.favorites.find((row) => row["userid"] === userid && row["guideid"] === guideid);
}

export function isFavorite(site: Site, userid: number, guideid: number): boolean {
  return favoriteOf(site, userid, guideid) !== undefined;
}

/** The fields that the specification lists completely ("Resources and their fields"). */
const FIELDS = {
  guideSummary: [
    ...["dataType", "guideid", "category", "subject", "title", "type", "locale", "flags", "image", "modified_date"],
    ...["prereq_modified_date", "public", "revisionid", "url", "userid", "username"],
  ],
  prerequisite: [
    ...["dataType", "guideid", "locale", "revisionid", "modified_date", "prereq_modified_date", "url", "type"],
    ...["category", "subject", "title", "summary", "difficulty", "time_required_max", "public", "userid", "username"],
    ...["flags", "image"],
  ],
  step: ["title", "lines", "guideid", "stepid", "orderby", "revisionid", "media", "comments"],
  line: ["text_raw", "text_rendered", "bullet", "level", "lineid"],
  comment: [
    ...["commentid", "locale", "context", "contextid", "parentid", "author", "title", "text_raw", "text_rendered"],
    ...["date", "modified_date", "status", "replies"],
  ],
  commentAuthor: [
    ...["userid", "username", "unique_username", "join_date", "image", "reputation", "url", "teams", "privileges"],
  ],
  lightWiki: ["dataType", "wikiid", "title", "display_title", "namespace", "summary", "url", "text", "image"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** In the dialect `specification`, only its fields; else unchanged. */
export function asSpecified(site: Site, of: keyof typeof FIELDS, view: Answer): Answer {
  if (site.settings.dialect !== "specification") return view;
  return Object.fromEntries(FIELDS[of].flatMap((field) => (field in view ? [[field, view[field]]] : [])));
}
