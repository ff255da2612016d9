import type { FitCode } from "../../../src/core/model/issue-codes.js";
import { extensionOf, type Guide, type Media, type StepMedia, type Wiki } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { type FitContext, type FitPolicy, resizedKey, resizedSize } from "../context.js";
import { isSmaller, type Size } from "../limits.js";
import {
  type Breach,
  type Change,
  cure,
  type ElementRule,
  type FitRow,
  type FitRule,
  firstOf,
  fitEach,
  leaveOut,
  lost,
  noted,
  type Path,
  refused,
  unchanged,
  withField,
} from "../rule.js";

const MEDIA_REFUSED_ROW = {
  code: "media-refused",
  what: "Use of an image, video or document that is refused itself",
  limit: "none may be used",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "the media rules of this table",
} as const satisfies FitRow;

const mediaRefused: ElementRule<Key, Path> = {
  row: MEDIA_REFUSED_ROW,
  fit(key, path, context) {
    if (!context.mediaRefused(key)) return undefined;
    const breach = {
      code: MEDIA_REFUSED_ROW.code,
      path,
      message: `the site does not accept ${key}, which is used here`,
      remedy: `The issue of ${key} gives the reason.`,
    };
    return leaveOut(context.policy, key, breach);
  },
};

function fitKeys(keys: readonly Key[], path: Path, context: FitContext): Change<readonly Key[]> {
  return fitEach(keys, (key, index) => mediaRefused.fit(key, `${path}[${index}]`, context));
}

/** null: none, or refused. */
function fitKey(key: Key | null, path: Path, context: FitContext): Change<Key | null> {
  const change = key === null ? undefined : mediaRefused.fit(key, path, context);
  return change === undefined
    ? { value: key, findings: [] }
    : { value: change.value[0] ?? null, findings: change.findings };
}

export const guideMedia: FitRule<Guide> = {
  rows: [mediaRefused.row],
  fit(guide, context) {
    const image = withField(guide, "image", fitKey(guide.image, "image", context));
    const video = withField(
      image.value,
      "introductionVideo",
      fitKey(guide.introductionVideo, "introductionVideo", context),
    );
    const documents = withField(video.value, "documents", fitKeys(guide.documents, "documents", context));
    const featured = fitKey(guide.featuredDocument, "featuredDocument", context);
    const { value } = withField(documents.value, "featuredDocument", featured);
    return { value, findings: [image, video, documents, featured].flatMap((change) => change.findings) };
  },
};

export const wikiMedia: FitRule<Wiki> = {
  rows: [mediaRefused.row],
  fit(wiki, context) {
    const image = withField(wiki, "image", fitKey(wiki.image, "image", context));
    const documents = withField(image.value, "documents", fitKeys(wiki.documents, "documents", context));
    return { value: documents.value, findings: [...image.findings, ...documents.findings] };
  },
};

const IMAGE_TOO_SMALL_ROW = {
  code: "image-too-small",
  what: "Pixels of an image of a step",
  limit: "800 x 600 at least",
  refuse: "refused",
  split:
    "resized as `--small-images` says: enlarged or padded (note), or left out (loss). An image that cannot be resized is left out (loss)",
  trim: "resized as `--small-images` says: enlarged or padded (note), or left out (loss). An image that cannot be resized is left out (loss)",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** The service takes a small image, but refuses a step that shows it. */
const imageTooSmall: ElementRule<Key, Path> = {
  row: IMAGE_TOO_SMALL_ROW,
  fit(key, path, context) {
    const size = context.imageSize(key);
    const least = leastOf(key, context);
    if (size === undefined || least === undefined || !isSmaller(size, least)) return undefined;
    const breach = {
      code: IMAGE_TOO_SMALL_ROW.code,
      path,
      message: `the image ${key} has ${size.width} x ${size.height} pixels, and a step requires ${least.width} x ${least.height} at least`,
      remedy: "Insert an image of at least that size into the step, at the source or on the target.",
    };
    const fitted = () => inSize(key, { size, least }, breach, context);
    return cure<readonly Key[]>(context.policy, [key], breach, fitted);
  },
};

/** Includes the size for uploads where the image is smaller. undefined: refused in any size. */
function leastOf(key: Key, context: FitContext): Size | undefined {
  const { minimumImage, minimumUpload } = context.limits;
  if (!context.mediaRefused(key)) return minimumImage;
  if (uploadSizeOf(key, context) === undefined) return undefined;
  const [width, height] = [minimumImage.width, minimumImage.height];
  return { width: Math.max(width, minimumUpload.width), height: Math.max(height, minimumUpload.height) };
}

interface Sizes {
  readonly size: Size;
  readonly least: Size;
}

function inSize(key: Key, { size, least }: Sizes, breach: Breach, context: FitContext): Change<readonly Key[]> {
  const { smallImages: how = "drop", notResizable } = context;
  const leaveOut = (why: string) => ({ value: [], findings: [lost(breach, `it was left out${why}`)] });
  if (how === "drop") return leaveOut("");
  const reason = notResizable === undefined ? "no image can be resized" : notResizable(key);
  if (reason !== null) return leaveOut(`, because ${reason}`);
  const target = resizedSize(size, least, how);
  if (target === undefined)
    return leaveOut(", because it would have more than 24 million pixels. Try --small-images pad");
  const done = how === "pad" ? "it is sent with a border, at" : "it is enlarged to";
  const note = noted({ ...breach, remedy: ORIGINAL }, `${done} ${target.width} x ${target.height}`);
  return { value: [resizedKey({ of: key, how, size: target })], findings: [note] };
}

const ORIGINAL = "The original is in the workspace. Insert a larger image into the step if you need one.";

/** undefined: large enough for uploads, or it can't or should not be resized. */
export function uploadSizeOf(key: Key, context: FitContext): Size | undefined {
  const { policy, smallImages: how = "drop", notResizable, imageSize } = context;
  const least = context.limits.minimumUpload;
  const size = imageSize(key);
  if (policy === "refuse" || how === "drop" || size === undefined || !isSmaller(size, least)) return undefined;
  return notResizable === undefined || notResizable(key) !== null ? undefined : resizedSize(size, least, how);
}

const IMAGE_RULES: readonly ElementRule<Key, Path>[] = [imageTooSmall, mediaRefused];

export const stepMedia: FitRule<Guide> = {
  rows: IMAGE_RULES.map((rule) => rule.row),
  fit(guide, context) {
    const steps = fitEach(guide.steps, (step, index) => {
      const media = fitMediaOf(step.media, `steps[${index}].media`, context);
      const { value, findings } = withField(step, "media", media);
      return { value: [value], findings };
    });
    return withField(guide, "steps", steps);
  },
};

function fitMediaOf(media: StepMedia, path: Path, context: FitContext): Change<StepMedia> {
  if (media.type === "images") return fitImages(media, path, context);
  if (media.type !== "video") return unchanged(media);
  const { value, findings } = fitKey(media.video, `${path}.video`, context);
  return { value: value === null ? { type: "none" } : media, findings };
}

function fitImages(media: Extract<StepMedia, { type: "images" }>, path: Path, context: FitContext): Change<StepMedia> {
  const { value, findings } = fitEach(media.images, (key, index) =>
    firstOf(IMAGE_RULES, key, `${path}.images[${index}]`, context),
  );
  if (value === media.images) return { value: media, findings };
  return { value: value.length === 0 ? { type: "none" } : { ...media, images: value }, findings };
}

const SITE_ROW = {
  code: "upload-extension",
  what: "File name extension of an image, video or document",
  limit: "the list of the site, if the site gives one",
  refuse: "refused",
  split: "refused (loss); items that use it go without it",
  trim: "refused (loss); items that use it go without it",
  source: "api-facts 5.2",
} as const satisfies FitRow;

const IMAGE_EXTENSION_ROW = {
  ...SITE_ROW,
  code: "upload-image-type",
  what: "File name extension of an image",
  limit: "jpg, jpeg, png, gif, bmp, tif, tiff, heic, webp, avif",
} as const satisfies FitRow;

export const uploadExtension: FitRule<Media> = {
  rows: [SITE_ROW],
  fit: (media, context) => fitExtension(media, SITE_ROW.code, context.limits.extensions, context),
};

export const uploadImageType: FitRule<Media> = {
  rows: [IMAGE_EXTENSION_ROW],
  fit: (media, context) => fitExtension(media, IMAGE_EXTENSION_ROW.code, context.limits.imageExtensions, context),
};

function fitExtension(
  media: Media,
  code: FitCode,
  allowed: readonly string[] | null,
  { policy }: FitContext,
): Change<Media> {
  const extension = extensionOf(media);
  if (allowed === null || extension === undefined || allowed.includes(extension)) return unchanged(media);
  return unfit(policy, media, {
    code,
    path: "fileName",
    message: `the site does not accept files of the type ".${extension}" (accepted: ${allowed.join(", ") || "none"})`,
    remedy: "Let an administrator allow the type in the settings of the site, or convert the file at the source.",
  });
}

const IMAGE_PIXELS_ROW = {
  code: "upload-too-small",
  what: "Pixels of an image",
  limit: "50 x 50 at least",
  refuse: "refused",
  split:
    "refused (loss), but resized for a step as `--small-images` says (note); other items that use it go without it",
  trim: "refused (loss), but resized for a step as `--small-images` says (note); other items that use it go without it",
  source: "api-facts 5.2",
} as const satisfies FitRow;

const VIDEO_PIXELS_ROW = {
  ...IMAGE_PIXELS_ROW,
  code: "video-too-small",
  split: "refused (loss); items that use it go without it",
  trim: "refused (loss); items that use it go without it",
  what: "Pixels of a video",
  limit: "480 x 360 at least",
  source: "api-facts 4.5",
} as const satisfies FitRow;

export const imagePixels: FitRule<Media> = {
  rows: [IMAGE_PIXELS_ROW],
  fit: (media, { limits, policy }) => fitPixels(media, IMAGE_PIXELS_ROW.code, limits.minimumUpload, policy),
};

export const videoPixels: FitRule<Media> = {
  rows: [VIDEO_PIXELS_ROW],
  fit: (media, { limits, policy }) => fitPixels(media, VIDEO_PIXELS_ROW.code, limits.minimumVideo, policy),
};

function fitPixels(media: Media, code: FitCode, least: Size, policy: FitPolicy): Change<Media> {
  const { width, height } = media;
  if (width === null || height === null || !isSmaller({ width, height }, least)) return unchanged(media);
  return unfit(policy, media, {
    code,
    path: "width",
    message: `it has ${width} x ${height} pixels, and the service requires ${least.width} x ${least.height} at least`,
    remedy: "Replace it with a larger one at the source.",
  });
}

const UPLOAD_SIZE_ROW = {
  code: "upload-too-large",
  what: "Size of an image",
  limit: "80 MB",
  refuse: "refused",
  split: "refused (loss); items that use it go without it",
  trim: "refused (loss); items that use it go without it",
  source: "api-facts 5.2",
} as const satisfies FitRow;

/** No limit for videos and documents is public. */
export const uploadSize: FitRule<Media> = {
  rows: [UPLOAD_SIZE_ROW],
  fit(media, { limits, policy }) {
    const size = media.content?.size ?? 0;
    if (size <= limits.uploadBytes) return unchanged(media);
    return unfit(policy, media, {
      code: UPLOAD_SIZE_ROW.code,
      path: "content.size",
      message: `the image has ${size} bytes, and the limit is ${limits.uploadBytes}`,
      remedy: "Replace it with a smaller image at the source.",
    });
  },
};

/** No policy makes it fit: an error under `refuse`, else a loss. */
function unfit<T>(policy: FitPolicy, value: T, breach: Breach): Change<T> {
  return { value, findings: [policy === "refuse" ? refused(breach, "") : lost(breach, "it cannot be uploaded")] };
}
