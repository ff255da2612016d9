import { GUIDE_PATCH } from "../rules/guide-body.js";
import { checked } from "../server/check.js";
import { invalidValue } from "../server/service-error.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { mustRefer } from "./guide-references.js";
import { withFields } from "./guide-writes.js";
import { newRevisions } from "./new-revisions.js";

/** Starts a translation of a guide in a language that it does not have yet, with the fields of the body; its steps begin in the words of the source. Throws 422. */
export function startGuideTranslation(
  site: Site,
  source: GuideRecord,
  langid: string,
  value: unknown,
  caller: UserRecord,
): GuideRecord {
  if (!site.settings.languages.includes(langid)) {
    throw invalidValue("langid", `langid «${langid}» is not a language of this site`);
  }
  const body = checked(GUIDE_PATCH[site.settings.dialect], value);
  mustRefer(site, body, caller, source);
  const record: GuideRecord = {
    ...withFields(site, source, body, caller),
    langid,
    loaded: {},
    releases: [],
    steps: source.steps.map((step) => ({ ...step, revisionid: site.next("revision") })),
    revisions: newRevisions(site),
    dates: { ...source.dates, modified: site.now() },
  };
  site.guides.set(guideKey(source.guideid, langid), record);
  return record;
}
