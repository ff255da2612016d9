import { FerryError, StatusError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import type { StepMedia } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { objectIn } from "../../core/util/json.js";
import type { Receipt, Written } from "../../core/writing.js";
import type { Handler, Work } from "./context.js";
import { type Edited, edit, openIf, sendGuarded } from "./guarded-write.js";
import { embedMemo, guideOf } from "./identity.js";
import { mediaId, mediaIds } from "./media.js";
import { keptDeletedIssues, placed, remoteEditIssues } from "./merge.js";
import { lineBodies } from "./texts.js";
import { reasonOf } from "./write-errors.js";
import {
  addedStep,
  clashesIn,
  divergedFields,
  factsOfCreate,
  guideAfterUnguardedCall,
  hasDiverged,
  knownSteps,
  type Spare,
  sparesOf,
  stepIdsIn,
  stepsIn,
  withDivergedSteps,
  withoutSpare,
  writtenGuide,
  writtenStep,
} from "./written-body.js";

type SaveStep = CallOf<"save-step">;
type Added = readonly Written[];

/** Adds a step at the end of its guide, or edits it. */
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
      written: [writtenStep(call.step.key, edited.json, edited.facts)],
      missing: [...missing],
      ...openIf(edited),
    };
  }
  const [spare] = sparesOf(guide);
  if (spare !== undefined) return { written: await putOver(work, guide, spare, json), missing: [...missing] };
  return { written: await addStep(work, guide, json, [...missing]), missing: [...missing] };
};

function changeStep(work: Work<SaveStep>, guide: Written, before: Written, json: JsonObject): Promise<Edited> {
  return edit(work, {
    method: "PATCH",
    path: `guides/${guide.id}/steps/${before.id}`,
    json: mayStay(work, json),
    written: before,
    compared: "step",
  });
}

/** Replaces the content of the first spare step of the guide. */
async function putOver(
  work: Work<SaveStep>,
  guide: Written,
  spare: Spare,
  json: JsonObject,
): Promise<readonly Written[]> {
  const { key } = work.call.step;
  const { id, revision, left, body } = spare;
  await work.context.keep(key, { id, body }, json);
  const before = { key, id, revision, left, facts: { existed: true }, adopted: false };
  const { json: answer, facts } = await changeStep(work, guide, before, json);
  return [writtenStep(key, answer, facts), withoutSpare(guide, spare)];
}

/** An embed of the step stays if the edit has no media. */
function mayStay({ site, call }: Work<SaveStep>, { media, ...json }: JsonObject): JsonObject {
  const stays = site.copies !== null && call.step.media.type === "embed" && objectIn(media)["type"] !== "object";
  return stays ? json : { ...json, media };
}

/** Adds at the end of the guide. A wrong position is 422: then the steps are read. */
async function addStep(
  work: Work<SaveStep>,
  guide: Written,
  json: JsonObject,
  missing: readonly Key[],
): Promise<Added> {
  const known = knownSteps(guide);
  try {
    return await addAfter(work, guide, known, json, missing);
  } catch (error) {
    const reason = await reasonOf(work, guide.key, guide.id, error);
    if (!(reason instanceof StatusError) || reason.status !== 422) throw reason;
    const present = await remoteSteps(work, guide);
    if (present.length === known.length) throw reason;
    return addAfter(work, guide, present, json, missing);
  }
}

async function addAfter(
  { site, call, context, signal }: Work<SaveStep>,
  guide: Written,
  known: readonly string[],
  json: JsonObject,
  missing: readonly Key[],
): Promise<Added> {
  const body = { orderby: known.length + 1, ...json };
  await context.begin({ before: known, sent: body, missing });
  const { json: answer } = await site.client.send(
    { method: "POST", path: `guides/${guide.id}/steps`, json: body, create: true },
    signal,
  );
  return createdStep(call.step.key, guide, answer, known, body);
}

export async function remoteSteps({ site, signal }: Work, guide: Written): Promise<readonly string[]> {
  const { json } = await site.client.get(`guides/${guide.id}`, { query: { excludePrerequisiteSteps: true } }, signal);
  return stepIdsIn(json);
}

/** Throws FerryError when the answer shows no such step: then `find` looks for it. */
function createdStep(key: Key, guide: Written, answer: unknown, known: readonly string[], sent: JsonObject): Added {
  const ours = addedStep(answer, known, sent);
  if (ours === undefined) {
    throw new FerryError(
      `The site answered the creation of ${key}, but its answer does not show the new step. Run the same command again: guideferry looks for the step first.`,
    );
  }
  return [
    writtenStep(key, ours, factsOfCreate("step", sent, ours)),
    guideAfterUnguardedCall(guide, objectIn(answer), (steps) => [...steps, String(ours["stepid"])]),
  ];
}

/**
 * Videos and embeds are written as `object`. An embed can't be created (api-facts 4.5, 5.2): only
 * the origin site has those of the account.
 */
async function mediaOf(work: Work<SaveStep>, media: StepMedia, missing: Set<Key>): Promise<JsonObject> {
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

type OrderSteps = CallOf<"order-steps">;

/** One call. Steps that others added keep their place after the step before them. */
export const orderSteps: Handler<OrderSteps> = async (work) => {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  const wanted: string[] = [];
  for (const key of call.steps) {
    const id = await context.idOf(key);
    if (id !== undefined) wanted.push(id);
  }
  const known = knownSteps(guide);
  try {
    return receiptOf(await sendOrder(work, guide, wanted, known));
  } catch (error) {
    // The order must name every step once (api-facts 4.4): somebody added or removed one.
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    const present = await remoteSteps(work, guide);
    if (present.join() === known.join()) throw error;
    return receiptOf(await sendOrder(work, guide, wanted, present));
  }
};

interface Ordered extends Pick<Receipt, "open" | "apart"> {
  readonly written: Written;
}

function receiptOf({ written, ...rest }: Ordered): Omit<Receipt, "issues"> {
  return { written: [written], missing: [], ...rest };
}

async function sendOrder(
  work: Work<OrderSteps>,
  guide: Written,
  wanted: readonly string[],
  present: readonly string[],
): Promise<Ordered> {
  const stepids = placed(wanted, present);
  if (stepids.join() === present.join()) return orderedAlready(work, guide, wanted, present);
  const known = knownSteps(guide);
  const edited = await edit(work, {
    method: "PUT",
    path: `guides/${guide.id}/steporder`,
    json: { stepids: stepids.map(Number) },
    agreed: wanted,
    sends: { steps: stepids.map(Number) },
    jsonOf: ({ steps }) => ({ stepids: steps }),
    written: guide,
    compared: "guide",
    isDone: (current) => stepIdsIn(current).join() === stepids.join(),
    // The digest of a guide doesn't cover its steps.
    isUntouched: (current) => placed(known, stepIdsIn(current)).join() === stepIdsIn(current).join(),
  });
  return { written: writtenGuide(work.call.guide, edited.json, edited.facts), ...openIf(edited) };
}

/** The order is right already, perhaps with steps of others in between. */
async function orderedAlready(
  work: Work,
  guide: Written,
  wanted: readonly string[],
  present: readonly string[],
): Promise<Ordered> {
  const apart = withDivergedSteps(divergedFields(guide), wanted, present, () => true);
  const fields = Object.keys(apart).filter((field) => !clashesIn(guide).includes(field));
  const there = { ...(await work.context.left(guide.key)), steps: present };
  const reported = [
    ...(await keptDeletedIssues(work, apart["steps"], present)),
    ...remoteEditIssues(fields, { base: apart, there }),
  ];
  const kept = Object.keys(apart).length === 0 ? undefined : apart;
  const written = { ...guide, facts: { ...guide.facts, apart: kept, steps: present } };
  return { written, ...(hasDiverged(guide) || hasDiverged(written) ? { apart: reported } : {}) };
}

/** Deletes a step without a remote edit. A missing one is done. */
export const deleteStep: Handler<CallOf<"delete-step">> = async (work) => {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  const step = await context.written(call.step);
  if (step === undefined) return { written: [], missing: [] };
  const path = `guides/${guide.id}/steps/${step.id}`;
  const answer = await sendGuarded(work, {
    method: "DELETE",
    path,
    json: {},
    written: step,
    compared: "step",
    deletedIsDone: true,
    isDone: () => false,
  });
  const forgotten = { ...step, facts: { deleted: true } };
  const withoutIt = (steps: readonly string[]): readonly string[] => steps.filter((id) => id !== step.id);
  const steps = (guide.facts["steps"] as readonly string[] | undefined)?.filter((id) => id !== step.id) ?? [];
  const rest =
    stepsIn(answer).length > 0
      ? guideAfterUnguardedCall(guide, answer, withoutIt)
      : { ...guide, facts: { ...guide.facts, steps } };
  return { written: [forgotten, rest], missing: [] };
};
