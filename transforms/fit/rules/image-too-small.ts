import type { Key } from "../../../src/model/key.js";
import { cure, lost } from "../change.js";
import { isSmaller } from "../limits.js";
import type { ElementRule, FitRow } from "../rule.js";
import type { Path } from "./place.js";

const ROW = {
  code: "image-too-small",
  what: "Pixels of an image of a step",
  limit: "800 x 600 at least",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** The service takes a small image in, but refuses a step that shows it. */
export const imageTooSmall: ElementRule<Key, Path> = {
  row: ROW,
  fit(key, path, { imageSize, limits, policy }) {
    const size = imageSize(key);
    const least = limits.minimumImage;
    if (size === undefined || !isSmaller(size, least)) return undefined;
    const breach = {
      code: ROW.code,
      path,
      message: `the image ${key} has ${size.width} x ${size.height} pixels, and a step takes ${least.width} x ${least.height} at least`,
      remedy: "Put an image of that size or more into the step, at the source or at the target.",
    };
    const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
    return cure<readonly Key[]>(policy, [key], breach, { split: leaveOut, trim: leaveOut });
  },
};
