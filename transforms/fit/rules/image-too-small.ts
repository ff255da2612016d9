import type { Key } from "../../../src/core/model/key.js";
import { type Breach, cure, lost, noted } from "../change.js";
import type { FitContext } from "../context.js";
import { isSmaller, type Size } from "../limits.js";
import { resizedKey, resizedSize } from "../resized-key.js";
import type { Change, ElementRule, FitRow } from "../rule.js";
import type { Path } from "./place.js";

const ROW = {
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
export const imageTooSmall: ElementRule<Key, Path> = {
  row: ROW,
  fit(key, path, context) {
    const size = context.imageSize(key);
    const least = leastOf(key, context);
    if (size === undefined || least === undefined || !isSmaller(size, least)) return undefined;
    const breach = {
      code: ROW.code,
      path,
      message: `the image ${key} has ${size.width} x ${size.height} pixels, and a step takes ${least.width} x ${least.height} at least`,
      remedy: "Put an image of that size or more into the step, at the source or at the target.",
    };
    const fitted = () => inSize(key, { size, least }, breach, context);
    return cure<readonly Key[]>(context.policy, [key], breach, { split: fitted, trim: fitted });
  },
};

/** What a step takes. One that is too small even to be uploaded has to have that size too; undefined: it is refused whatever its size. */
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
 * The size that an image of a step gets which is too small even to be uploaded. undefined: it is large enough, or it stays refused, since it can't be
 * resized or nobody wants that.
 */
export function uploadSizeOf(key: Key, context: FitContext): Size | undefined {
  const { policy, smallImages: how = "drop", notResizable, imageSize } = context;
  const least = context.limits.minimumUpload;
  const size = imageSize(key);
  if (policy === "refuse" || how === "drop" || size === undefined || !isSmaller(size, least)) return undefined;
  return notResizable === undefined || notResizable(key) !== null ? undefined : resizedSize(size, least, how);
}
