import type { ManualGuide } from "../manual.js";
import type { Tell } from "./finding.js";
import { branch, leaf, mixed, printElement, type WrittenElement } from "./print-element.js";
import { dateTime, dateTimeOf } from "./values.js";
import { writeFlag, writeGuideDocument, writeGuidePart, writePrerequisite } from "./write-lists.js";
import { writeImage, writeMedia } from "./write-media.js";
import { writeStep } from "./write-steps.js";
import { writeText } from "./write-text.js";

/** The root of a guide. All elements are written, since older schemas want also those that may be missing (omanual 13). */
export function writeGuide(manual: ManualGuide, tell: Tell): WrittenElement {
  const { title, subject, type, author, categories, steps } = manual;
  const [created, modified] = writeDates(manual, tell);
  const list = <T>(name: string, entries: readonly T[], write: (entry: T, index: number) => WrittenElement) =>
    branch(name, entries.map(write));
  reportCategories(categories, tell);
  const content = [
    leaf("title", title, { subject: subject || null, type: type || null }),
    leaf("summary", manual.summary ?? ""),
    writeMainImage(manual, tell),
    leaf("author", author?.name ?? "", { id: author?.id || null }),
    leaf("time_required", manual.timeRequired ?? ""),
    leaf("difficulty", manual.difficulty ?? ""),
    leaf("category", categories[0] ?? ""),
    writeIntroduction(manual, tell),
    list("tools", manual.tools, (tool, index) => writeGuidePart("tool", tool, `tools[${index}]`, tell)),
    list("parts", manual.parts, (part, index) => writeGuidePart("part", part, `parts[${index}]`, tell)),
    list("flags", manual.flags, (flag, index) => writeFlag(flag, `flags[${index}]`, tell)),
    list("documents", manual.documents, (document, index) => writeGuideDocument(document, `documents[${index}]`, tell)),
    list("prerequisites", manual.prerequisites, (reference, index) =>
      writePrerequisite(reference, `prerequisites[${index}]`, tell),
    ),
    list("steps", steps, (step, index) => writeStep(step, index, tell)),
    mixed("conclusion", writeText(manual.conclusion, "conclusion", tell)),
    leaf("modified_date", modified),
    leaf("created_date", created),
  ];
  return branch("guide", content, { locale: manual.locale ?? "" });
}

/**
 * The documentation wants an image: the first one of a step where there is no other. `orderby`, which a main image has no use
 * for, says on reading that it is none of the guide's own.
 */
function writeMainImage({ image, steps }: ManualGuide, tell: Tell): WrittenElement {
  const first = steps.flatMap(({ media }) => (media?.type === "image" ? media.images : []))[0];
  if (image !== null && image.path + Object.values(image.sizes).join("") !== "")
    return writeImage(image, image.order !== null && image.path === first?.path ? { orderby: "1" } : {});
  if (first === undefined) return writeImage(null);
  const message = "There is no main image, which oManual asks for; the first image of the steps is repeated as one.";
  tell({ code: "main-image-repeated", level: "note", path: "image", message });
  return writeImage(first, { orderby: "1" });
}

/** The documentation has a medium before the words; the schema lets it pass there. */
function writeIntroduction({ introduction, introductionMedia: media }: ManualGuide, tell: Tell): WrittenElement {
  const written = media === null ? null : writeMedia(media, "introductionVideo", tell);
  const medium = written === null ? "" : `\n${printElement(written, "    ")}    `;
  return mixed("introduction", medium + writeText(introduction, "introduction", tell));
}

function reportCategories([first, ...more]: readonly string[], tell: Tell): void {
  if (more.length === 0) return;
  const message = `oManual 1.0 has one category for each guide; ${first} is written, ${more.join(", ")} left out.`;
  tell({ code: "categories", level: "loss", path: "category", message });
}

/** Both are required; equal for a new guide (documentation). */
function writeDates(
  { createdDate, modifiedDate }: ManualGuide,
  tell: Tell,
): readonly [created: string, modified: string] {
  const [created, modified] = [dateTime(createdDate), dateTime(modifiedDate)];
  const fallback = created ?? modified ?? dateTimeOf(0) ?? "";
  for (const [path, known, given] of [
    ["createdDate", created, createdDate],
    ["modifiedDate", modified, modifiedDate],
  ] as const) {
    if (known !== null) continue;
    const why = given === null || given === "" ? "is not known" : `is "${given.slice(0, 40)}", which is no date`;
    const message = `The date ${why}, and oManual 1.0 requires one; ${fallback} stands for it.`;
    tell({ code: "date-unknown", level: "loss", path, message });
  }
  return [created ?? fallback, modified ?? fallback];
}
