import { extensionOf } from "../../../src/core/model/extension-of.js";
import type { Media } from "../../../src/core/model/media.js";
import { unchanged, unfit } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, FitRow, FitRule } from "../rule.js";

const SITE_ROW = {
  code: "upload-extension",
  what: "File name extension of an image, video or document",
  limit: "the site's own list, where it tells it",
  refuse: "refused",
  split: "refused (loss); whoever uses it does without",
  trim: "refused (loss); whoever uses it does without",
  source: "api-facts 5.2",
} as const satisfies FitRow;

const IMAGE_ROW = {
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
  rows: [IMAGE_ROW],
  fit: (media, context) => fitExtension(media, IMAGE_ROW.code, context.limits.imageExtensions, context),
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
