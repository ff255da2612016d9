import type { Guide } from "../../src/core/model/item.js";
import type { FitContext } from "./context.js";
import { isSmaller, type Size } from "./limits.js";
import { uploadSizeOf } from "./rules/media.js";
import { imagesOf } from "./rules/steps.js";

/** Needs beyond the limits of steps; absent: none. */
export interface StepDemand {
  /** Characters of the longest line. */
  readonly lineLength?: number;
  /** Lines of the longest step. */
  readonly linesPerStep?: number;
  /** Sizes of images below the limit. */
  readonly images?: readonly Size[];
}

const CODES: ReadonlySet<string> = new Set(["line-too-long", "step-too-many-lines", "image-too-small"]);

/** Whether a finding is about a limit that the specification does not state. */
export function isStepLimit({ code }: { readonly code: string }): boolean {
  return CODES.has(code);
}

export function stepDemand(guide: Guide, context: FitContext): StepDemand {
  const { limits, measure, imageSize, mediaRefused } = context;
  const lines = guide.steps.flatMap((step) => step.lines.map(({ text }) => measure(text.trim(), "line").length));
  const long = lines.filter((length) => length > limits.lineLength);
  const crowded = guide.steps.map((step) => step.lines.length).filter((count) => count > limits.linesPerStep);
  const images = guide.steps
    .flatMap(imagesOf)
    .flatMap((key) => (mediaRefused(key) ? uploadSizeOf(key, context) : imageSize(key)) ?? [])
    .filter((size) => isSmaller(size, limits.minimumImage));
  return {
    ...(long.length === 0 ? {} : { lineLength: maximum(long) }),
    ...(crowded.length === 0 ? {} : { linesPerStep: maximum(crowded) }),
    ...(images.length === 0 ? {} : { images: distinct(images) }),
  };
}

export function joinedDemand(one: StepDemand, other: StepDemand): StepDemand {
  const lineLength = Math.max(one.lineLength ?? 0, other.lineLength ?? 0);
  const linesPerStep = Math.max(one.linesPerStep ?? 0, other.linesPerStep ?? 0);
  const images = distinct([...(one.images ?? []), ...(other.images ?? [])]);
  return {
    ...(lineLength === 0 ? {} : { lineLength }),
    ...(linesPerStep === 0 ? {} : { linesPerStep }),
    ...(images.length === 0 ? {} : { images }),
  };
}

function distinct(sizes: readonly Size[]): readonly Size[] {
  return [...new Map(sizes.map((size) => [`${size.width}x${size.height}`, size])).values()];
}

function maximum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), 0);
}
