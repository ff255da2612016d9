import type { Step } from "../../core/model/guide.js";
import type { Key } from "../../core/model/key.js";
import { readComments } from "./comment.js";
import { readLine } from "./line.js";
import type { MediaUses } from "./media-uses.js";
import type { Place } from "./place.js";
import { readStepMedia } from "./step-media.js";

/**
 * The steps of a guide's answer in their order, without those that belong to prerequisites (api-facts 3.1). `suffix` follows the
 * id in the key: `@de` in a translation, whose steps have the ids of the source language's.
 */
export function readSteps(list: Place, guide: number, suffix: string, uses: MediaUses): readonly Step[] {
  return list
    .items()
    .filter((place) => (place.at("guideid").integer() ?? guide) === guide)
    .flatMap((place, index) => {
      const step = readStep(place, suffix, uses, `steps[${index}]`);
      return step === undefined ? [] : [step];
    });
}

/** One step (api-facts 3.4); undefined for something without an id. */
function readStep(place: Place, suffix: string, uses: MediaUses, path: string): Step | undefined {
  const step = place.object();
  const id = step?.at("stepid").integer() ?? null;
  if (step === undefined || id === null) {
    place.report("step-without-id", "loss", "is a step without an id; it is left out");
    return undefined;
  }
  const key: Key = `step/${id}${suffix}`;
  return {
    key,
    title: step.at("title").text(),
    lines: step.at("lines").items().map(readLine),
    media: readStepMedia(step.at("media"), uses, `${path}.media`),
    comments: readComments(step.at("comments")),
  };
}
