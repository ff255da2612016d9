import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import { newRevisions } from "./new-revisions.js";

/** A translation has texts of its own; everything else, also which steps there are, it has from its guide. */
export function followSource(site: Site, source: GuideRecord): void {
  if (site.settings.guideTranslations !== "yes") return;
  for (const langid of site.settings.languages) {
    const key = guideKey(source.guideid, langid);
    const own = langid === source.langid ? undefined : site.guides.get(key);
    if (own !== undefined && !own.deleted) site.guides.set(key, following(site, own, source));
  }
}

function following(site: Site, own: GuideRecord, source: GuideRecord): GuideRecord {
  const { langid, title, subject, summary, introduction, conclusion, revisions, dates, releases, loaded } = own;
  const steps = source.steps.map((step) => {
    const translated = own.steps.find(({ stepid }) => stepid === step.stepid);
    return translated === undefined
      ? { ...step, revisionid: site.next("revision") }
      : { ...translated, media: step.media };
  });
  const isSame = steps.length === own.steps.length && steps.every((step, at) => step.stepid === own.steps[at]?.stepid);
  const texts = { langid, title, subject, summary, introduction, conclusion, releases, loaded };
  return { ...source, ...texts, dates, steps, revisions: isSame ? revisions : newRevisions(site) };
}
