import type { Loaded, Operation } from "../../core/contracts.js";
import type { Call, GuideFields } from "../../core/model/call.js";
import type { Guide, Step } from "../../core/model/guide.js";
import type { GuideItem } from "../../core/model/item.js";
import { type Key, kindOf, languageIn } from "../../core/model/key.js";
import { operation } from "./operation.js";
import { planComments } from "./plan-comments.js";
import { planGuideTranslation } from "./plan-guide-translation.js";
import type { PlanOptions } from "./plan-options.js";
import { planTags } from "./plan-tags.js";
import { planViewers } from "./plan-viewers.js";

/** Fields, steps, their order, tags, viewers; then flags and people; then visibility. */
export function planGuide(item: GuideItem, loaded: Loaded, options: PlanOptions): readonly Operation[] {
  const language = languageIn(item.key);
  if (language !== undefined) return planGuideTranslation(item, language, options);
  const guide = item.body;
  const there = loaded.written.get(item.key);
  const isAdopted = there?.adopted === true && options.onExisting !== "update";
  // One that was there before stays as it is. As long as it hides what everybody sees at the source, each run looks at it again.
  if (isAdopted && !(guide.public && there.facts["public"] !== true)) return [];
  const label = `guide ${guide.id} "${guide.title}"`;
  const make: Make = (suffix, part, call, extra = {}) =>
    operation(
      {
        id: suffix === "" ? item.key : `${item.key}/${suffix}`,
        item: item.key,
        label: part === "" ? label : `${label}, ${part}`,
        call,
        ...extra,
      },
      options.output,
    );
  const save = { verb: "save-guide", guide: item.key, fields: fieldsOf(guide) } as const;
  if (isAdopted) return [make("", "", save)];
  return [
    make("", "", save, { needs: mediaOfGuide(guide, options) }),
    ...stepOperations(item, loaded, options, make),
    ...planTags(item.key, label, guide.tags, loaded, options),
    ...planViewers(item, loaded, options, make),
    make(
      "finish",
      "flags and author",
      { verb: "finish-guide", guide: item.key, flags: guide.flags, author: knownAuthor(guide.author, options) },
      { phase: "finish" },
    ),
    ...planComments(item, loaded, label, options),
    ...visibilityOperation(item, loaded, make),
  ];
}

type Make = (
  suffix: string,
  part: string,
  call: Call,
  extra?: { needs?: readonly Key[]; phase?: "finish" | "publish" },
) => Operation;

function stepOperations(item: GuideItem, loaded: Loaded, options: PlanOptions, make: Make): readonly Operation[] {
  const wanted = new Set(item.body.steps.map((step) => step.key));
  const gone = [...loaded.written.keys()].filter((key) => kindOf(key) === "step" && !wanted.has(key));
  return [
    ...gone.map((step) => make(step, "a step that is gone", { verb: "delete-step", guide: item.key, step })),
    ...item.body.steps.map((step, index) =>
      make(
        step.key,
        `step ${index + 1}`,
        { verb: "save-step", guide: item.key, step: withoutComments(step) },
        { needs: mediaOfStep(step, options) },
      ),
    ),
    ...orderOperation(item, loaded, make),
  ];
}

/** Steps are created at the end, in their order; one order call follows only where that doesn't give the right order. */
function orderOperation(item: GuideItem, loaded: Loaded, make: Make): readonly Operation[] {
  const wanted = item.body.steps.map((step) => step.key);
  const keyOfId = new Map(
    [...loaded.written.values()].filter(({ key }) => kindOf(key) === "step").map(({ key, id }) => [id, key]),
  );
  const steps = loaded.written.get(item.key)?.facts["steps"];
  const ids = Array.isArray(steps) ? steps.map(String) : [];
  const left = ids.flatMap((id) => keyOfId.get(id) ?? []).filter((key) => wanted.includes(key));
  // One that we made and that isn't there any more was deleted by somebody: it has no place.
  const present = wanted.filter((key) => left.includes(key) || !loaded.written.has(key));
  const after = [...left, ...present.filter((key) => !left.includes(key))];
  if (after.every((key, index) => key === present[index])) return [];
  return [make("order", "the order of its steps", { verb: "order-steps", guide: item.key, steps: wanted })];
}

function knownAuthor(author: Guide["author"], options: PlanOptions): Guide["author"] {
  return author === null || options.people().userOf(author) === undefined ? null : author;
}

function visibilityOperation(item: GuideItem, loaded: Loaded, make: Make): readonly Operation[] {
  const id = `${item.key}/visibility`;
  // Guides are made private, so only a public one, or one that we published before, needs a call.
  if (!item.body.public && !loaded.operations.has(id)) return [];
  const part = item.body.public ? "publication" : "made private";
  return [
    make(
      "visibility",
      part,
      { verb: "set-visibility", guide: item.key, public: item.body.public },
      { phase: "publish" },
    ),
  ];
}

function mediaOfGuide(guide: Guide, options: PlanOptions): readonly Key[] {
  const direct = [guide.image, guide.introductionVideo, ...guide.documents].filter((key) => key !== null);
  return [
    ...new Set([
      ...direct,
      ...options.mediaIn(guide.introduction, "page"),
      ...options.mediaIn(guide.conclusion, "page"),
    ]),
  ];
}

function mediaOfStep(step: Step, options: PlanOptions): readonly Key[] {
  const direct =
    step.media.type === "images" ? step.media.images : step.media.type === "video" ? [step.media.video] : [];
  return [...new Set([...direct, ...step.lines.flatMap((line) => options.mediaIn(line.text, "line"))])];
}

/** Comments can't be written with a step, so a new one must not make the step look changed. */
function withoutComments(step: Step): Step {
  return { ...step, comments: [] };
}

function fieldsOf(guide: Guide): GuideFields {
  const { language, title, category, type, subject, summary, introduction, conclusion, difficulty, timeRequired } =
    guide;
  const { image, introductionVideo, documents, featuredDocument, parts, tools, prerequisites, workLogEnabled } = guide;
  const texts = {
    language,
    title,
    category,
    type,
    subject,
    summary,
    introduction,
    conclusion,
    difficulty,
    timeRequired,
  };
  return {
    ...texts,
    image,
    introductionVideo,
    documents,
    featuredDocument,
    parts,
    tools,
    prerequisites,
    workLogEnabled,
  };
}
