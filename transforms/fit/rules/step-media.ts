import type { Guide, StepMedia } from "../../../src/core/model/guide.js";
import type { Key } from "../../../src/core/model/key.js";
import { firstOf, fitEach, unchanged, withField } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, ElementRule, FitRule } from "../rule.js";
import { imageTooSmall } from "./image-too-small.js";
import { fitKey, mediaRefused } from "./media-refused.js";
import type { Path } from "./place.js";

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
