import type { Guide, Part, Step, StepMedia } from "../../core/model/guide.js";
import { ownPageTitle, type Wiki, type WikiTranslation } from "../../core/model/wiki.js";
import type { Aligned } from "./align-steps.js";

/** A thing flattened to what can be compared: from a path in the model's words to a plain value. */
export type Fields = ReadonlyMap<string, unknown>;

/** Everything of a guide that a reader can see, except its steps. Videos are told apart by neither of their two ids (api-facts 3.5), so it only counts that there is one. */
export function guideFields(guide: Guide): Fields {
  return new Map<string, unknown>([
    ["title", text(guide.title)],
    ["category", guide.category],
    ["type", guide.type],
    ["subject", text(guide.subject)],
    ["summary", text(guide.summary)],
    ["introduction", text(guide.introduction)],
    ["conclusion", text(guide.conclusion)],
    ["difficulty", guide.difficulty],
    ["timeRequired", guide.timeRequired],
    ["language", guide.language],
    ["flags", sorted(guide.flags)],
    ["image", guide.image],
    ["introductionVideo", guide.introductionVideo !== null],
    ["documents", sorted(guide.documents)],
    ["featuredDocument", guide.featuredDocument],
    ["prerequisites", guide.prerequisites],
    ["tags", sorted(guide.tags)],
    ["public", guide.public],
    ["archived", guide.archived],
    ["author", guide.author?.uniqueName ?? null],
    ["comments", guide.comments.length],
    ["releases", guide.releases.length],
    ["workLogEnabled", guide.workLogEnabled === true],
    ["viewers.users", sorted((guide.viewers?.users ?? []).map((user) => user.uniqueName ?? user.name))],
    ["viewers.teams", sorted((guide.viewers?.teams ?? []).map((team) => team.name))],
    ["dates", [guide.createdDate, guide.publishedDate, guide.modifiedDate]],
    ["parts.length", guide.parts.length],
    ...guide.parts.flatMap((part, index) => partsFields(`parts[${index}]`, part)),
    ["tools.length", guide.tools.length],
    ...guide.tools.flatMap((part, index) => partsFields(`tools[${index}]`, part)),
  ]);
}

/** Everything of a page that a reader can see. */
export function wikiFields(wiki: Wiki): Fields {
  return new Map<string, unknown>([
    ["title", wiki.title],
    ["displayTitle", text(wiki.displayTitle ?? wiki.title)],
    ["language", wiki.language],
    ["contents", text(wiki.contents)],
    ["description", text(wiki.description)],
    ["image", wiki.image],
    ["flags", sorted(wiki.flags)],
    ["documents", sorted(wiki.documents)],
    ["tags", sorted(wiki.tags)],
    ["info", wiki.info],
    ["suppliers", wiki.suppliers],
    ["tableOfContents", wiki.tableOfContents === true],
    ["pageTitle", ownPageTitle(wiki) ?? ""],
    ["parent", wiki.parent],
    ["position", wiki.position],
    ["author", wiki.author?.uniqueName ?? null],
    ["dates", [wiki.createdDate, wiki.modifiedDate]],
    ...(wiki.translations ?? []).flatMap(translationFields),
  ]);
}

function translationFields(translation: WikiTranslation): readonly (readonly [string, unknown])[] {
  const path = `translations.${translation.language}`;
  return [
    [`${path}.displayTitle`, text(translation.displayTitle ?? "")],
    [`${path}.contents`, text(translation.contents)],
    [`${path}.description`, text(translation.description)],
  ];
}

/** Everything of a guide's steps that a reader can see. `steps` in our places, a hole where one is missing. */
export function stepsFields({ steps, order, others }: Aligned): Fields {
  return new Map<string, unknown>([["steps.order", order], ["steps.others", others], ...steps.flatMap(stepFields)]);
}

function stepFields(step: Step | undefined, index: number): readonly (readonly [string, unknown])[] {
  const path = `steps[${index}]`;
  if (step === undefined) return [];
  return [
    [`${path}.title`, text(step.title)],
    [`${path}.media`, mediaFields(step.media)],
    [`${path}.comments`, step.comments.length],
    [`${path}.lines.length`, step.lines.length],
    ...step.lines.flatMap((line, place) => [
      [`${path}.lines[${place}].text`, text(line.text)] as const,
      [`${path}.lines[${place}].bullet`, line.bullet] as const,
      [`${path}.lines[${place}].level`, line.level] as const,
      [`${path}.lines[${place}].bulletStyle`, line.bulletStyle !== null] as const,
    ]),
  ];
}

function mediaFields(media: StepMedia): unknown {
  if (media.type === "images") return media.images.length === 0 ? "none" : media.images;
  return media.type;
}

function partsFields(path: string, part: Part): readonly (readonly [string, unknown])[] {
  return [
    [path, partFields(part)],
    [`${path}.optional`, part.optional === true],
    [`${path}.featured`, part.featured === true],
  ];
}

/** The site puts a part's canonical title in place of its name (api-facts 4.1): letter case tells nothing. */
function partFields(part: Part): unknown {
  return [text(part.name).toLowerCase(), text(part.type), part.quantity ?? 1, text(part.notes)];
}

/** Sites trim what they save (wiki-syntax 1). */
function text(value: string): string {
  return value
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}

function sorted(values: readonly string[]): readonly string[] {
  return [...values].sort();
}
