import type { Media } from "../../../src/core/model/media.js";
import { unchanged, unfit } from "../change.js";
import type { FitPolicy } from "../context.js";
import { isSmaller, type Size } from "../limits.js";
import type { Change, FitRow, FitRule } from "../rule.js";

const IMAGE_ROW = {
  code: "upload-too-small",
  what: "Pixels of an image",
  limit: "50 x 50 at least",
  refuse: "refused",
  split:
    "refused (loss), but a step shows it in another size by `--small-images` (note); whoever else uses it does without",
  trim: "refused (loss), but a step shows it in another size by `--small-images` (note); whoever else uses it does without",
  source: "api-facts 5.2",
} as const satisfies FitRow;

const VIDEO_ROW = {
  ...IMAGE_ROW,
  code: "video-too-small",
  split: "refused (loss); whoever uses it does without",
  trim: "refused (loss); whoever uses it does without",
  what: "Pixels of a video",
  limit: "480 x 360 at least",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** An image so small that it can't even be uploaded. */
export const imagePixels: FitRule<Media> = {
  rows: [IMAGE_ROW],
  fit: (media, { limits, policy }) => fitPixels(media, IMAGE_ROW.code, limits.minimumUpload, policy),
};

/** A video that no step may show. */
export const videoPixels: FitRule<Media> = {
  rows: [VIDEO_ROW],
  fit: (media, { limits, policy }) => fitPixels(media, VIDEO_ROW.code, limits.minimumVideo, policy),
};

function fitPixels(media: Media, code: string, least: Size, policy: FitPolicy): Change<Media> {
  const { width, height } = media;
  if (width === null || height === null || !isSmaller({ width, height }, least)) return unchanged(media);
  return unfit(policy, media, {
    code,
    path: "width",
    message: `it has ${width} x ${height} pixels, and the service takes ${least.width} x ${least.height} at least`,
    remedy: "Put a larger one in its place at the source.",
  });
}
