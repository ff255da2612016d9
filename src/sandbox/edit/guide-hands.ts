import { bodyObject } from "../server/check.js";
import { type GuideRecord, guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import { startGuideTranslation } from "../writes/guide-translations.js";
import { createGuide, deleteGuide, patchGuide, restoreGuide, reviseGuide } from "../writes/guide-writes.js";
import { addRelease, type ReleaseFields } from "../writes/release-writes.js";
import { createStep, deleteStep, orderSteps, patchStep } from "../writes/step-writes.js";
import { alphabetically } from "../writes/tag-writes.js";
import type { Editor } from "./editor.js";
import { newImage } from "./new-image.js";
import { found, OTHER_EDITOR } from "./other-editor.js";
import { vandalised } from "./vandalised.js";

export function guideHands(site: Site) {
  /** A change that makes no revision. */
  const change = (guideid: number, fields: Partial<GuideRecord>) => {
    site.guides.set(guideKey(guideid), { ...guideAt(site, guideid), ...fields });
  };
  const revise = (guideid: number, fields: Partial<GuideRecord>) => {
    const guide = guideAt(site, guideid);
    reviseGuide(site, guide, { ...guide, ...fields });
  };
  return {
    createGuide: (body) => createGuide(site, bodyObject(body), OTHER_EDITOR).guideid,
    guide: (guideid, body) => void patchGuide(site, guideAt(site, guideid), body, OTHER_EDITOR),
    pendGuide: (guideid, body) => {
      const approved = guideAt(site, guideid);
      const pending = patchGuide(site, approved, body, OTHER_EDITOR);
      change(guideid, approved);
      site.pendingGuides.set(guideid, pending);
    },
    setPublic: (guideid, isPublic) => revise(guideid, { public: isPublic }),
    moveGuide: (guideid, category) => void patchGuide(site, guideAt(site, guideid), { category }, OTHER_EDITOR),
    setGuideFlags: (guideid, flags) => revise(guideid, { flags: [...new Set(flags)] }),
    setGuideTags: (guideid, tags) => {
      for (const tag of tags) site.tags.add(tag);
      change(guideid, { tags: tags.toSorted(alphabetically) });
    },
    setViewers: (guideid, viewers) => change(guideid, { viewers: { ...guideAt(site, guideid).viewers, ...viewers } }),
    vandaliseGuide: (guideid) => revise(guideid, vandalised(site, guideAt(site, guideid))),
    deleteGuide: (guideid) => deleteGuide(site, guideAt(site, guideid).guideid),
    restoreGuide: (guideid) => {
      for (const { langid } of [...site.guides.values()].filter(
        (one) => one.guideid === guideAt(site, guideid).guideid,
      )) {
        restoreGuide(site, guideid, langid);
      }
    },
    translateGuide: (guideid, langid, body) => {
      const translation = site.guides.get(guideKey(guideid, langid));
      if (translation === undefined) startGuideTranslation(site, guideAt(site, guideid), langid, body, OTHER_EDITOR);
      else patchGuide(site, translation, body, OTHER_EDITOR);
    },
    releaseGuide: (guideid, fields = {}) => {
      const usual: ReleaseFields = { title: "1.0", notes: "", type: "major", release_date: null };
      return Number(addRelease(site, guideAt(site, guideid), { ...usual, ...fields }, OTHER_EDITOR)["releaseid"]);
    },
  } satisfies Partial<Editor>;
}

export function stepHands(site: Site) {
  const stepAt = (guideid: number, stepid: number) =>
    found(
      guideAt(site, guideid).steps.find((step) => step.stepid === stepid),
      `step ${stepid} of guide ${guideid}`,
    );
  return {
    addStep: (guideid, body) => {
      const before = new Set(guideAt(site, guideid).steps.map((step) => step.stepid));
      const { steps } = createStep(site, guideAt(site, guideid), body, OTHER_EDITOR);
      return found(
        steps.find((step) => !before.has(step.stepid)),
        "the new step",
      ).stepid;
    },
    step: (guideid, stepid, body) =>
      void patchStep(site, guideAt(site, guideid), stepAt(guideid, stepid), body, OTHER_EDITOR),
    translateStep: (guideid, stepid, langid, body) => {
      const guide = found(site.guides.get(guideKey(guideid, langid)), `guide ${guideid} in ${langid}`);
      const step = found(
        guide.steps.find((one) => one.stepid === stepid),
        `step ${stepid} of guide ${guideid} in ${langid}`,
      );
      patchStep(site, guide, step, body, OTHER_EDITOR);
    },
    orderSteps: (guideid, stepids) => void orderSteps(site, guideAt(site, guideid), { stepids }),
    deleteStep: (guideid, stepid) => void deleteStep(site, guideAt(site, guideid), stepAt(guideid, stepid)),
    exchangeImage: (guideid, stepid, seed) => {
      const media = { type: "image", data: [newImage(site, seed).id] };
      const step = patchStep(site, guideAt(site, guideid), stepAt(guideid, stepid), { media }, OTHER_EDITOR);
      return found(step.media.type === "image" ? step.media.ids[0] : undefined, "new image");
    },
  } satisfies Partial<Editor>;
}

function guideAt(site: Site, guideid: number): GuideRecord {
  return found(site.guides.get(guideKey(guideid)), `guide ${guideid}`);
}
