import { type Answer, numberAt } from "../site/answer.js";
import { type GuideRecord, guideKey, type UserRecord } from "../site/records.js";
import type { Site } from "../site/site.js";
import { lightUser } from "../views/summaries.js";

/**
 * Creates a release of the current guide (facts, 6.1). With a later `release_date` it is pending
 * until then. Other fields are stored unchanged.
 */
export function addRelease(site: Site, guide: GuideRecord, fields: Answer, caller: UserRecord): Answer {
  const now = site.now();
  const date = numberAt(fields, "release_date") ?? now;
  const release: Answer = {
    title: `${guide.releases.length + 1}.0`,
    notes: "",
    type: "major",
    ...fields,
    releaseid: site.next("release"),
    guideid: guide.guideid,
    langid: guide.langid,
    revisionid: guide.revisions.guide,
    user: lightUser(site, caller.userid),
    status: date > now ? "pending" : "released",
    init_date: now,
    release_date: date,
    publish_date: date > now ? null : now,
  };
  site.releasedGuides.set(Number(release["releaseid"]), guide);
  store(site, guide, [release, ...guide.releases]);
  return release;
}

export function changeRelease(site: Site, guide: GuideRecord, release: Answer, changed: Answer): Answer {
  const next = { ...release, ...changed };
  const { releaseid } = release;
  store(
    site,
    guide,
    guide.releases.map((one) => (one["releaseid"] === releaseid ? next : one)),
  );
  return next;
}

/** A release as it reads now: a pending one is published from its date on. */
export function releaseView(site: Site, release: Answer): Answer {
  const date = numberAt(release, "release_date") ?? site.now();
  const isDue = release["status"] === "pending" && date <= site.now();
  return isDue ? { ...release, status: "released", publish_date: date } : release;
}

function store(site: Site, guide: GuideRecord, releases: readonly Answer[]): void {
  const isSource = site.guides.get(guideKey(guide.guideid))?.langid === guide.langid;
  const key = isSource ? guideKey(guide.guideid) : guideKey(guide.guideid, guide.langid);
  site.guides.set(key, { ...guide, releases });
}
