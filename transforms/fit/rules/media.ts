import type { Guide, StepMedia, Wiki } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { type FitContext, resizedKey, resizedSize } from "../context.js";
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
  lost,
  noted,
  type Path,
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

/** A media item that can't be uploaded can't be used. */
const mediaRefused: ElementRule<Key, Path> = {
  row: MEDIA_REFUSED_ROW,
  fit(key, path, context) {
    if (!context.mediaRefused(key)) return undefined;
    const breach = {
      code: MEDIA_REFUSED_ROW.code,
      path,
      message: `the site doesn't take ${key}, which is used here`,
      remedy: `What is wrong with it stands under ${key}.`,
    };
    const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
    return cure<readonly Key[]>(context.policy, [key], breach, { split: leaveOut, trim: leaveOut });
  },
};

/** A list of media without the refused ones. */
function fitKeys(keys: readonly Key[], path: Path, context: FitContext): Change<readonly Key[]> {
  return fitEach(keys, (key, index) => mediaRefused.fit(key, `${path}[${index}]`, context));
}

/** One media item or nothing; null when it is refused. */
function fitKey(key: Key | null, path: Path, context: FitContext): Change<Key | null> {
  const change = key === null ? undefined : mediaRefused.fit(key, path, context);
  return change === undefined
    ? { value: key, findings: [] }
    : { value: change.value[0] ?? null, findings: change.findings };
}

/** The media of a guide that stand outside of its steps. */
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

/** The media of a wiki that stand outside of its text. */
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
    "in another size (note), by `--small-images`: scaled up, with a border, or left out (loss), as where it can't be resized",
  trim: "in another size (note), by `--small-images`: scaled up, with a border, or left out (loss), as where it can't be resized",
  source: "api-facts 4.5",
} as const satisfies FitRow;

/** The service takes a small image in, but refuses a step that shows it. */
const imageTooSmall: ElementRule<Key, Path> = {
  row: IMAGE_TOO_SMALL_ROW,
  fit(key, path, context) {
    const size = context.imageSize(key);
    const least = leastOf(key, context);
    if (size === undefined || least === undefined || !isSmaller(size, least)) return undefined;
    const breach = {
      code: IMAGE_TOO_SMALL_ROW.code,
      path,
      message: `the image ${key} has ${size.width} x ${size.height} pixels, and a step takes ${least.width} x ${least.height} at least`,
      remedy: "Put an image of that size or more into the step, at the source or at the target.",
    };
    const fitted = () => inSize(key, { size, least }, breach, context);
    return cure<readonly Key[]>(context.policy, [key], breach, { split: fitted, trim: fitted });
  },
};

/**
 * What a step takes. One that is too small even to be uploaded has to have that size too;
 * undefined: it is refused whatever its size.
 */
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

/** In another size where that can be had, else left out. */
function inSize(key: Key, { size, least }: Sizes, breach: Breach, context: FitContext): Change<readonly Key[]> {
  const { smallImages: how = "drop", notResizable } = context;
  const leaveOut = (why: string) => ({ value: [], findings: [lost(breach, `it was left out${why}`)] });
  if (how === "drop") return leaveOut("");
  const reason = notResizable === undefined ? "no image can be resized" : notResizable(key);
  if (reason !== null) return leaveOut(`, since ${reason}`);
  const target = resizedSize(size, least, how);
  if (target === undefined)
    return leaveOut(", since it would have more than 24 million pixels; --small-images pad may help");
  const done = how === "pad" ? "it is sent with a border, as" : "it is sent enlarged to";
  const note = noted({ ...breach, remedy: ORIGINAL }, `${done} ${target.width} x ${target.height}`);
  return { value: [resizedKey({ of: key, how, size: target })], findings: [note] };
}

const ORIGINAL = "The original is in the workspace. Put a larger image into the step where that matters.";

/**
 * The size that an image of a step gets which is too small even to be uploaded. undefined: it is
 * large enough, or it stays refused, since it can't be resized or nobody wants that.
 */
export function uploadSizeOf(key: Key, context: FitContext): Size | undefined {
  const { policy, smallImages: how = "drop", notResizable, imageSize } = context;
  const least = context.limits.minimumUpload;
  const size = imageSize(key);
  if (policy === "refuse" || how === "drop" || size === undefined || !isSmaller(size, least)) return undefined;
  return notResizable === undefined || notResizable(key) !== null ? undefined : resizedSize(size, least, how);
}

/** What is asked of each image of a step: the first that is broken is the one that is told. */
const IMAGE_RULES: readonly ElementRule<Key, Path>[] = [imageTooSmall, mediaRefused];

/** What stands beside the lines of a step. */
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
