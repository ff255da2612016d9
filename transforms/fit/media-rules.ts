import type { MediaItem } from "../../src/core/model/item.js";
import type { Media } from "../../src/core/model/media.js";
import type { FitRule } from "./rule.js";
import { uploadExtension, uploadImageType } from "./rules/upload-extension.js";
import { imagePixels, videoPixels } from "./rules/upload-pixels.js";
import { uploadSize } from "./rules/upload-size.js";

/** What is asked of each kind of media before it is uploaded. */
export const MEDIA_RULES = {
  image: [uploadImageType, uploadExtension, uploadSize, imagePixels],
  video: [uploadExtension, videoPixels],
  document: [uploadExtension],
} as const satisfies Readonly<Record<MediaItem["kind"], readonly FitRule<Media>[]>>;
