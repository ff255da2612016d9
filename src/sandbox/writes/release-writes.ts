import { type Answer, numberAt, objectAt } from "../state/answer.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { lightUser } from "../views/user-view.js";

/** What a new release says of itself. */
export interface ReleaseFields {
  readonly title: string;
  readonly notes: string;
  readonly type: "major" | "minor";
  /** UNIX seconds; null for "now". */
  readonly release_date: number | null;
}

/**
 * A new release of the guide as it is now. One of a guide with an approval process waits for the signatures, one with a
 * date to come for that day; else it is out at once.
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
