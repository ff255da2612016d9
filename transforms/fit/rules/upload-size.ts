import type { Media } from "../../../src/core/model/media.js";
import { unchanged, unfit } from "../change.js";
import type { FitRow, FitRule } from "../rule.js";

const ROW = {
  code: "upload-too-large",
  what: "Size of an image",
  limit: "80 MB",
  refuse: "refused",
  split: "refused (loss); whoever uses it does without",
  trim: "refused (loss); whoever uses it does without",
  source: "api-facts 5.2",
} as const satisfies FitRow;

/** An image with more bytes than an upload may have; for videos and documents no limit is public. */
export const uploadSize: FitRule<Media> = {
  rows: [ROW],
  fit(media, { limits, policy }) {
    const size = media.content?.size ?? 0;
    if (size <= limits.uploadBytes) return unchanged(media);
    return unfit(policy, media, {
      code: ROW.code,
      path: "content.size",
      message: `the image has ${size} bytes, and may have ${limits.uploadBytes}`,
      remedy: "Put a smaller image in its place at the source.",
    });
  },
};
