import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { newRevisions } from "./new-revisions.js";

/** A private copy of a guide, with ids of its own, without releases, viewers and comments. */
export function duplicateGuide(site: Site, guide: GuideRecord, caller: UserRecord): GuideRecord {
  const now = site.now();
  const copy: GuideRecord = {
    ...guide,
    guideid: site.next("guide"),
    author: caller.userid,
    public: false,
    steps: guide.steps.map((step) => ({ ...step, stepid: site.next("step"), revisionid: site.next("revision") })),
    viewers: { users: [], teams: [] },
    completedBy: [],
    releases: [],
    revisions: newRevisions(site),
    dates: { created: now, modified: now, published: null, prerequisites: 0 },
  };
  site.guides.set(guideKey(copy.guideid), copy);
  return copy;
}
