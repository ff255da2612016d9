import { lost } from "../change.js";
import type { FitRow } from "../rule.js";
import { imagesOf } from "../step-division.js";
import type { CrowdRule } from "./crowd-rule.js";

const ROW = {
  code: "step-too-many-images",
  what: "Images of a step",
  limit: "3",
  refuse: "refused",
  split: "the rest goes to the steps behind it that take its lines, or to new ones with the line `…` (note)",
  trim: "the first 3 (loss for each image that is left out)",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** A step with more images than the service takes. */
export const tooManyImages: CrowdRule = {
  row: ROW,
  breachOf(step, path, { imagesPerStep }) {
    const count = imagesOf(step).length;
    if (count <= imagesPerStep) return undefined;
    return {
      code: ROW.code,
      path: `${path}.media`,
      message: `the step has ${count} images, and may have ${imagesPerStep}`,
      remedy: "Make two steps of it at the source.",
    };
  },
  trim(step, breach, { imagesPerStep }) {
    const images = imagesOf(step);
    const findings = images.slice(imagesPerStep).map((image) => lost(breach, `${image} was left out`));
    return { value: { ...step, media: { type: "images", images: images.slice(0, imagesPerStep) } }, findings };
  },
};
