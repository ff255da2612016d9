import { type Answer, isAnswer, objectAt, without } from "../../../state/answer.js";
import type { Site } from "../../../state/site.js";

/** How an import reads. The sum of its bytes is the sandbox's own knowledge. */
export function importView(site: Site, row: Answer): Answer {
  const { hidesSources } = site.settings.training;
  if (!isAnswer(row["source"])) return row;
  return hidesSources ? without(row, ["source"]) : { ...row, source: without(objectAt(row, "source"), ["sha256"]) };
}
