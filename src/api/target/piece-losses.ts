import type { Guide, Line } from "../../model/guide.js";
import type { Dialect } from "./dialect.js";
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

/** Marks of parts and tools that the site has no place for. */
export function partLosses(guide: Guide, dialect: Dialect): readonly Loss[] {
  if (dialect.marksParts) return [];
  return (["parts", "tools"] as const).flatMap((list) =>
    guide[list].flatMap((part, index) =>
      (["optional", "featured"] as const).flatMap((mark) =>
        part[mark] !== true
          ? []
          : [
              {
                code: "part-mark",
                path: `${list}[${index}].${mark}`,
                message: `${part.name} is marked as ${mark} at the source; this site's parts and tools have no such mark.`,
                remedy: "Say so in its notes.",
              },
            ],
      ),
    ),
  );
}
