import { extensionOf, type Media } from "../../../src/core/model/item.js";
import type { FitContext, FitPolicy } from "../context.js";
import { isSmaller, type Size } from "../limits.js";
import { type Breach, type Change, type FitRow, type FitRule, lost, refused, unchanged } from "../rule.js";

const SITE_ROW = {
  code: "upload-extension",
  what: "File name extension of an image, video or document",
  limit: "the site's own list, where it tells it",
  refuse: "refused",
  split: "refused (loss); whoever uses it does without",
  trim: "refused (loss); whoever uses it does without",
  source: "api-facts 5.2",
} as const satisfies FitRow;

const IMAGE_EXTENSION_ROW = {
  ...SITE_ROW,
  code: "upload-image-type",
  what: "File name extension of an image",
  limit: "jpg, jpeg, png, gif, bmp, tif, tiff, heic, webp, avif",
} as const satisfies FitRow;

/** The allow-list that a site keeps for all uploads. */
export const uploadExtension: FitRule<Media> = {
  rows: [SITE_ROW],
  fit: (media, context) => fitExtension(media, SITE_ROW.code, context.limits.extensions, context),
};

/** What the service takes as an image. */
export const uploadImageType: FitRule<Media> = {
  rows: [IMAGE_EXTENSION_ROW],
  fit: (media, context) => fitExtension(media, IMAGE_EXTENSION_ROW.code, context.limits.imageExtensions, context),
};

function fitExtension(
  media: Media,
  code: string,
  allowed: readonly string[] | null,
  { policy }: FitContext,
): Change<Media> {
  const extension = extensionOf(media);
  if (allowed === null || extension === undefined || allowed.includes(extension)) return unchanged(media);
  return unfit(policy, media, {
    code,
    path: "fileName",
    message: `the site takes no files of the kind ".${extension}", but ${allowed.join(", ") || "none at all"}`,
    remedy: "Let an administrator allow the kind in the site's settings, or convert the file at the source.",
  });
}

const IMAGE_PIXELS_ROW = {
  code: "upload-too-small",
  what: "Pixels of an image",
  limit: "50 x 50 at least",
  refuse: "refused",
  split:
    "refused (loss), but a step shows it in another size by `--small-images` (note); whoever else uses it does without",
  trim: "refused (loss), but a step shows it in another size by `--small-images` (note); whoever else uses it does without",
  source: "api-facts 5.2",
} as const satisfies FitRow;

const VIDEO_PIXELS_ROW = {
  ...IMAGE_PIXELS_ROW,
  code: "video-too-small",
  split: "refused (loss); whoever uses it does without",
  trim: "refused (loss); whoever uses it does without",
  what: "Pixels of a video",
  limit: "480 x 360 at least",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** An image so small that it can't even be uploaded. */
export const imagePixels: FitRule<Media> = {
  rows: [IMAGE_PIXELS_ROW],
  fit: (media, { limits, policy }) => fitPixels(media, IMAGE_PIXELS_ROW.code, limits.minimumUpload, policy),
};

/** A video that no step may show. */
export const videoPixels: FitRule<Media> = {
  rows: [VIDEO_PIXELS_ROW],
  fit: (media, { limits, policy }) => fitPixels(media, VIDEO_PIXELS_ROW.code, limits.minimumVideo, policy),
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

const UPLOAD_SIZE_ROW = {
  code: "upload-too-large",
  what: "Size of an image",
  limit: "80 MB",
  refuse: "refused",
  split: "refused (loss); whoever uses it does without",
  trim: "refused (loss); whoever uses it does without",
  source: "api-facts 5.2",
} as const satisfies FitRow;

/**
 * An image with more bytes than an upload may have; for videos and documents no limit is public.
 */
export const uploadSize: FitRule<Media> = {
  rows: [UPLOAD_SIZE_ROW],
  fit(media, { limits, policy }) {
    const size = media.content?.size ?? 0;
    if (size <= limits.uploadBytes) return unchanged(media);
    return unfit(policy, media, {
      code: UPLOAD_SIZE_ROW.code,
      path: "content.size",
      message: `the image has ${size} bytes, and may have ${limits.uploadBytes}`,
      remedy: "Put a smaller image in its place at the source.",
    });
  },
};

/**
 * Refuses something that no policy can make fit: an error where the whole item was to stay as it
 * is, else a loss.
 */
function unfit<T>(policy: FitPolicy, value: T, breach: Breach): Change<T> {
  return { value, findings: [policy === "refuse" ? refused(breach, "") : lost(breach, "it can't be uploaded")] };
}
