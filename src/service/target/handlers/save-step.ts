import type { Written } from "../../../core/contracts.js";
import { FerryError, StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import type { StepMedia } from "../../../core/model/guide.js";
import type { Key } from "../../../core/model/key.js";
import { carries } from "../../wire/write/compared.js";
import { asJson, guideAbsorbed, stepAsLeft, stepsIn } from "../as-left.js";
import { embedMemo } from "../embed-memo.js";
import { reasonOf } from "../gone.js";
import { type Edited, edit, openIf } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import { mediaId, mediaIds } from "../media-ids.js";
import { factsOfCreate } from "../merge/standing-apart.js";
import type { Handler, Work } from "../parts.js";
import { lineBodies } from "../step-lines.js";
import { type Spare, sparesOf, withoutSpare } from "../take-over.js";

type SaveStep = CallOf<"save-step">;
type Json = Readonly<Record<string, unknown>>;
/** The step first, then its guide. */
type Added = readonly Written[];

/** Adds a step at the end of its guide, or changes it. */
export const saveStep: Handler<SaveStep> = async (work) => {
  const { call, context } = work;
  const missing = new Set<Key>();
  const json = {
    title: call.step.title,
    lines: await lineBodies(work, call.step.lines, undefined, missing),
    media: await mediaOf(work, call.step.media, missing),
  };
  const guide = await guideOf(context, call.guide);
  const before = await context.written(call.step.key);
  if (before !== undefined) {
    const edited = await changeStep(work, guide, before, json);
    return {
      written: [stepAsLeft(call.step.key, edited.json, edited.facts)],
      missing: [...missing],
      ...openIf(edited),
    };
  }
  const [spare] = sparesOf(guide);
  if (spare !== undefined) return { written: await putOver(work, guide, spare, json), missing: [...missing] };
  return { written: await addStep(work, guide, json, [...missing]), missing: [...missing] };
};

function changeStep(work: Work<SaveStep>, guide: Written, before: Written, json: Json): Promise<Edited> {
  return edit(work, {
    method: "PATCH",
    path: `guides/${guide.id}/steps/${before.id}`,
    json: mayStay(work, json),
    written: before,
    compared: "step",
  });
}

/** Over the first step that the guide has had since before us and that nothing of ours was put over yet. */
async function putOver(work: Work<SaveStep>, guide: Written, spare: Spare, json: Json): Promise<readonly Written[]> {
  const { key } = work.call.step;
  const { id, revision, left, body } = spare;
  await work.context.keep(key, { id, body }, json);
  const before = { key, id, revision, left, facts: { existed: true }, adopted: false };
  const { json: answer, facts } = await changeStep(work, guide, before, json);
  return [stepAsLeft(key, answer, facts), withoutSpare(guide, spare)];
}

/** An embed that stands in the step since before our time stays if nothing is said of it. */
function mayStay({ desk, call }: Work<SaveStep>, { media, ...json }: Json): Json {
  const stays = desk.copies !== null && call.step.media.type === "embed" && asJson(media)["type"] !== "object";
  return stays ? json : { ...json, media };
}

/** At the end of the guide, which may have fewer steps than we know of: then the site refuses the place (422), and a look tells the right one. */
async function addStep(work: Work<SaveStep>, guide: Written, json: Json, missing: readonly Key[]): Promise<Added> {
  const known = knownSteps(guide);
  try {
    return await addAfter(work, guide, known, json, missing);
  } catch (error) {
    const reason = await reasonOf(work, guide.key, guide.id, error);
    if (!(reason instanceof StatusError) || reason.status !== 422) throw reason;
    const present = await presentSteps(work, guide);
    if (present.length === known.length) throw reason;
    return addAfter(work, guide, present, json, missing);
  }
}

async function addAfter(
  { desk, call, context, signal }: Work<SaveStep>,
  guide: Written,
  known: readonly string[],
  json: Json,
  missing: readonly Key[],
): Promise<Added> {
  const body = { orderby: known.length + 1, ...json };
  await context.begin({ before: known, sent: body, missing });
  const { json: answer } = await desk.client.send(
    { method: "POST", path: `guides/${guide.id}/steps`, json: body, create: true },
    signal,
  );
  return createdStep(call.step.key, guide, answer, known, body);
}

/** The ids of the steps that a guide has now, in order. */
export async function presentSteps({ desk, signal }: Work, guide: Written): Promise<readonly string[]> {
  const { json } = await desk.client.get(`guides/${guide.id}`, { query: { excludePrerequisiteSteps: true } }, signal);
  return stepsIn(json).map((step) => String(step["stepid"]));
}

/** The ids of the steps that the guide had when we last heard of it, in order. */
export function knownSteps(guide: Written): readonly string[] {
  const { steps } = guide.facts;
  return Array.isArray(steps) ? steps.map(String) : [];
}

/**
 * The answer is the whole guide (api-facts 4.4), and another writer may have added steps too: ours is the one that wasn't
 * there and carries what we sent. Throws when none does: it is looked for then.
 */
function createdStep(key: Key, guide: Written, answer: unknown, known: readonly string[], sent: Json): Added {
  const added = stepsIn(answer).filter((step) => !known.includes(String(step["stepid"])));
  const ours = added.length === 1 ? added[0] : added.find((step) => carries("step", step, sent));
  if (ours === undefined) {
    throw new FerryError(
      `The site answered the creation of ${key} without showing the new step. Run again: it will be looked for first.`,
    );
  }
  return [
    stepAsLeft(key, ours, factsOfCreate("step", sent, ours)),
    guideAbsorbed(guide, asJson(answer), (steps) => [...steps, String(ours["stepid"])]),
  ];
}

/**
 * A video is written as `object` and read back as `video`. So is an embed, but none can be made (api-facts 4.5, 5.2): only one that the account
 * has at the site itself can be put in again; else the losses name it.
 */
async function mediaOf(work: Work<SaveStep>, media: StepMedia, missing: Set<Key>): Promise<Json> {
  if (media.type === "video") {
    const id = await mediaId(work, media.video, "media.video", missing);
    return id === undefined ? { type: "image", data: [] } : { type: "object", data: id };
  }
  const embed = media.type === "embed" ? await work.context.recall(embedMemo(work.call.step.key)) : undefined;
  if (embed) return { type: "object", data: Number(embed) };
  return {
    type: "image",
    data: media.type === "images" ? await mediaIds(work, media.images, "media.images", missing) : [],
  };
}
