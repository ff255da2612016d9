import type { Guide, Line } from "../../core/model/guide.js";
import type { Loss } from "./loss.js";

/** What of a guide's steps no write can carry. */
export function stepLosses(guide: Guide): readonly Loss[] {
  return guide.steps.flatMap((step, index) => [
    ...(step.media.type === "embed"
      ? [
          {
            code: "embed",
            path: `steps[${index}].media`,
            message: `The embed ${step.media.url} is not carried: no public call makes one.`,
            remedy: "Put it in by hand.",
          },
        ]
      : []),
    ...step.lines.flatMap((line, place) =>
      line.bulletStyle === null
        ? []
        : [
            {
              code: "bullet-style",
              path: `steps[${index}].lines[${place}].bulletStyle`,
              message: `The source's own bullet style ${styleName(line.bulletStyle)} became the bullet ${line.bullet}: styles belong to a site.`,
              remedy: "Choose a style of the target by hand where it matters.",
            },
          ],
    ),
  ]);
}

/** By its label where it has one, since people know it by that; two may have the same. */
function styleName({ id, label }: NonNullable<Line["bulletStyle"]>): string {
  return label === null || label === "" ? String(id) : `${JSON.stringify(label)} (${id})`;
}
