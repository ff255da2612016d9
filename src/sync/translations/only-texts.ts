import type { GuideItem } from "../../core/model/item.js";

/** A translation with nothing but what is written of it: its texts. What a site would not take of the rest is told of its guide. */
export function onlyTexts(item: GuideItem): GuideItem {
  const { body } = item;
  const nothing = { flags: [], tags: [], documents: [], parts: [], tools: [], prerequisites: [], releases: [] };
  const nobody = { author: null, viewers: null, comments: [] };
  const noMedia = { image: null, introductionVideo: null, featuredDocument: null };
  const steps = body.steps.map((step) => ({ ...step, media: { type: "none" } as const, comments: [] }));
  return { ...item, media: [], body: { ...body, ...nothing, ...nobody, ...noMedia, archived: false, steps } };
}
