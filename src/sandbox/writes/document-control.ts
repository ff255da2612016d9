import { forbidden, invalidValue } from "../rules.js";
import { type Answer, numberAt, objectAt, objectsAt } from "../site/answer.js";
import { type GuideRecord, guideKey, type UserRecord, wikiKey } from "../site/records.js";
import type { Site } from "../site/site.js";
import { lightUser } from "../views/summaries.js";

/** What a new release says of itself. */
export interface ReleaseFields {
  readonly title: string;
  readonly notes: string;
  readonly type: "major" | "minor";
  /** UNIX seconds; null for "now". */
  readonly release_date: number | null;
}

/**
 * A new release of the guide as it is now. One of a guide with an approval process waits for the
 * signatures, one with a date to come for that day; else it is out at once.
 */
export function addRelease(site: Site, guide: GuideRecord, fields: ReleaseFields, caller: UserRecord): Answer {
  const now = site.now();
  const process = site.rows.guideProcesses.get(guide.guideid);
  const waits = process !== undefined || (fields.release_date ?? now) > now;
  const release: Answer = {
    releaseid: site.next("release"),
    guideid: guide.guideid,
    langid: guide.langid,
    revisionid: guide.revisions.guide,
    user: lightUser(site, caller.userid),
    status: waits ? "pending" : "released",
    title: fields.title,
    init_date: now,
    release_date: fields.release_date ?? now,
    publish_date: waits ? null : now,
    notes: fields.notes,
    type: fields.type,
  };
  site.releasedGuides.set(Number(release["releaseid"]), guide);
  store(site, guide, [release, ...guide.releases]);
  if (process !== undefined) askForApproval(site, release, Number(process["approval_processid"]), caller);
  return release;
}

/** Puts a changed release in the old one's place. */
export function changeRelease(site: Site, guide: GuideRecord, release: Answer, changed: Answer): Answer {
  const next = { ...release, ...changed };
  store(
    site,
    guide,
    guide.releases.map((one) => (one["releaseid"] === release["releaseid"] ? next : one)),
  );
  return next;
}

/** A release as it reads now: one that waited for its day is out from that day on. */
export function releaseView(site: Site, release: Answer): Answer {
  const date = numberAt(release, "release_date");
  const isDue = release["status"] === "pending" && date !== undefined && date <= site.now();
  return isDue && !isAsked(site, release) ? { ...release, status: "released", publish_date: date } : release;
}

/** The guide that has a release, and the release; deleted guides are left out. */
export function findRelease(site: Site, releaseid: number): { guide: GuideRecord; release: Answer } | undefined {
  for (const guide of site.guides.values()) {
    const release = guide.releases.find((one) => one["releaseid"] === releaseid);
    if (release !== undefined && !guide.deleted) return { guide, release: releaseView(site, release) };
  }
  return undefined;
}

/** The userid of a release's author. */
export function releaseAuthor(release: Answer): number | undefined {
  return numberAt(objectAt(release, "user"), "userid");
}

function isAsked(site: Site, release: Answer): boolean {
  return site.rows.requests
    .all()
    .some((request) => request["releaseid"] === release["releaseid"] && request["status"] === "pending");
}

function askForApproval(site: Site, release: Answer, approval_processid: number, caller: UserRecord): void {
  site.rows.requests.put({
    approval_processid,
    doctype: "guide",
    docid: release["guideid"],
    releaseid: release["releaseid"],
    userid: caller.userid,
    status: "pending",
    stage: 1,
    signatures: [],
    init_date: site.now(),
    end_date: null,
  });
}

function store(site: Site, guide: GuideRecord, releases: readonly Answer[]): void {
  const isSource = site.guides.get(guideKey(guide.guideid))?.langid === guide.langid;
  const key = isSource ? guideKey(guide.guideid) : guideKey(guide.guideid, guide.langid);
  site.guides.set(key, { ...guide, releases });
}

/** Gives a new guide the default process of its category, if that has one. */
export function useDefaultProcess(site: Site, guide: GuideRecord): void {
  const category = site.wikis.get(wikiKey("CATEGORY", guide.category));
  const found = category === undefined ? undefined : site.rows.categoryProcesses.get(category.wikiid);
  if (found === undefined) return;
  site.rows.guideProcesses.put({ guideid: guide.guideid, approval_processid: found["approval_processid"] });
}

/**
 * The stage of a request, counted from 1, in which this person may sign; undefined when there is
 * none.
 */
export function stageOf(site: Site, request: Answer, user: UserRecord): number | undefined {
  const index = stagesOf(site, request).findIndex((stage) => signs(site, stage, user));
  return index === -1 ? undefined : index + 1;
}

/**
 * Signs or rejects the current stage of a request. The last signature of the last stage approves it
 * and publishes its release; a rejection cancels the release. Throws 403 and 422.
 */
export function signRequest(
  site: Site,
  request: Answer,
  user: UserRecord,
  { approved, note }: { readonly approved: boolean; readonly note: string },
): Answer {
  if (request["status"] !== "pending") throw invalidValue("approval_requestid", "the request is not pending");
  const stages = stagesOf(site, request);
  const number = numberAt(request, "stage") ?? 1;
  const stage = stages[number - 1];
  if (stage === undefined || !signs(site, stage, user)) throw forbidden("You may not sign this stage.");
  const done = objectsAt(request, "signatures");
  if (done.some((one) => one["stage"] === number && one["userid"] === user.userid)) {
    throw invalidValue("approval_requestid", "you have signed this stage already");
  }
  const now = site.now();
  const signatures = [...done, { stage: number, userid: user.userid, approved, note, date: now }];
  const count = done.filter((one) => one["stage"] === number).length + 1;
  const full = count >= (numberAt(stage, "signatures") ?? 1);
  const isLast = number === stages.length;
  const status = approved ? (full && isLast ? "approved" : "pending") : "rejected";
  const next = full && !isLast ? number + 1 : number;
  const end_date = status === "pending" ? null : now;
  const signed = site.rows.requests.put({ ...request, signatures, stage: next, status, end_date });
  if (status !== "pending") settleRelease(site, signed, now);
  return signed;
}

/** Throws 403 unless this is the password that the person signs in with. */
export function mustHavePassword(site: Site, user: UserRecord, password: string): void {
  const accounts = [...site.accounts.values()].filter((account) => account.userid === user.userid);
  if (!accounts.some((account) => account.password === password)) throw forbidden("The password is wrong.");
}

function settleRelease(site: Site, request: Answer, now: number): void {
  const found = findRelease(site, Number(request["releaseid"]));
  if (found === undefined) return;
  const out = { status: "released", publish_date: Math.max(now, numberAt(found.release, "release_date") ?? 0) };
  changeRelease(site, found.guide, found.release, request["status"] === "approved" ? out : { status: "cancelled" });
}

function stagesOf(site: Site, request: Answer): readonly Answer[] {
  return objectsAt(site.rows.processes.get(Number(request["approval_processid"])) ?? {}, "stages");
}

function signs(site: Site, stage: Answer, user: UserRecord): boolean {
  if (stage["userid"] === user.userid) return true;
  return site.teams.get(numberAt(stage, "teamid") ?? -1)?.members.includes(user.userid) === true;
}
