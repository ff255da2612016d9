import type { GuideRecord } from "../state/guide.js";
import type { Site } from "../state/site.js";

/** Three revision numbers that never coincide (facts, 3.10). */
export function newRevisions(site: Site): GuideRecord["revisions"] {
  return { guide: site.next("revision"), full: site.next("revision"), list: site.next("revision") };
}
