import type { Context } from "../../core/contracts.js";
import { ConflictError, FerryError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import { kindOf } from "../../core/model/key.js";
import { listIn, objectIn } from "../../core/util/json.js";
import type { Body, Written } from "../../core/writing.js";
import type { Query } from "../http/client.js";
import { writtenDigest } from "../wire/compared-fields.js";
import { revisionIn } from "../wire/revision.js";
import type { Handler, Work } from "./context.js";
import { sendGuarded } from "./guarded-write.js";
import { existedBefore, pathOf } from "./identity.js";
import { remoteEditsInside } from "./undo-site.js";
import { DeletedError } from "./write-errors.js";
import { hasDiverged, knownSteps, stepsIn } from "./written-body.js";

type Deletion = Work<CallOf<"delete-item">>;

/**
 * Deletes an item that guideferry created, with its steps, and only without a remote edit. A
 * missing item is done. Of media, only the entry in the media manager. Throws ConflictError for a
 * remote edit, whatever `--on-conflict` says, and FerryError for an item that existed before.
 */
export const deleteItem: Handler<CallOf<"delete-item">> = async (work) => {
  const { call, context } = work;
  const written = await context.written(call.of);
  if (written === undefined) return { written: [], missing: [] };
  if (existedBefore(written)) {
    throw new FerryError(
      `${work.operation.label}: it existed at ${work.site.client.root} before guideferry first wrote there, so guideferry does not delete it.`,
    );
  }
  const remove = REMOVALS[kindOf(call.of)] ?? removePage;
  const gone = [written, ...(await remove(work, written))];
  return { written: gone.map((each) => ({ ...each, facts: { deleted: true } })), missing: [] };
};

type Removal = (work: Deletion, written: Written) => Promise<readonly Written[]>;

const REMOVALS: Readonly<Record<string, Removal>> = {
  guide: removeGuide,
  image: removeMedium("images"),
  video: removeMedium("GuideVideoObject"),
  document: removeMedium("Document"),
};

/** Shows an undo that the operation was a deletion. */
const DELETION = { deleted: true } as const;

/** The guide's revision doesn't show edits of steps, so the whole guide is read first. */
async function removeGuide(work: Deletion, guide: Written): Promise<readonly Written[]> {
  const { call, context } = work;
  const path = pathOf(call.of, guide.id);
  const steps = await ourSteps(context, guide);
  for (let looks = 1; ; looks += 1) {
    const json = await readRemote(work, path, { excludePrerequisiteSteps: true });
    if (json === undefined) return steps;
    const whole = withDeletedPrerequisites(json, await context.left(guide.key), call.gone ?? []);
    if (!isAsLeft(guide, steps, whole) || (await isShared(work, guide, json))) throw edited(work, json);
    for (const step of steps) await context.keep(step.key, undefined, DELETION);
    try {
      await removeAsSeen(work, guide, path, json);
      return steps;
    } catch (error) {
      // A new revision alone is no conflict: the next read shows whether the guide changed.
      if (!(error instanceof ConflictError) || error instanceof DeletedError || looks === LOOKS) throw error;
    }
  }
}

/** Reads of a guide whose revision changes each time. */
const LOOKS = 3;

/** Sends only the revisions that were compared, so no later edit is deleted unseen. */
function removeAsSeen(work: Deletion, guide: Written, path: string, json: unknown): Promise<void> {
  const seen = revisionIn(json);
  return guarded(work, {
    path,
    written: { ...guide, revision: seen, left: writtenDigest("guide", json) },
    compared: "guide",
    isUntouched: (current) => revisionIn(current) === seen,
  });
}

/** Includes edits that wait for approval; undefined: deleted. */
async function readRemote({ site, signal }: Deletion, path: string, beside: Query = {}): Promise<unknown> {
  const query = { ...beside, unpatrolled: true } as const;
  const { status, json } = await site.client.get(path, { query, expect: [404] }, signal);
  return status === 404 ? undefined : json;
}

async function ourSteps(context: Context, guide: Written): Promise<readonly Written[]> {
  const steps: Written[] = [];
  for (const id of knownSteps(guide)) {
    const key = await context.keyOf("step", id);
    const step = key === undefined ? undefined : await context.written(key);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function isAsLeft(guide: Written, steps: readonly Written[], json: unknown): boolean {
  if ([guide, ...steps].some(hasDiverged) || writtenDigest("guide", json) !== guide.left) return false;
  const there = new Map(stepsIn(json).map((step) => [String(step["stepid"]), step]));
  const same = [...there.keys()].join() === knownSteps(guide).join() && there.size === steps.length;
  return same && steps.every(({ id, left }) => writtenDigest("step", there.get(id)) === left);
}

async function removePage(work: Deletion, page: Written): Promise<readonly Written[]> {
  const path = pathOf(page.key, page.id);
  const json = await readRemote(work, path);
  if (json === undefined) return [];
  const isOurs = !hasDiverged(page) && writtenDigest("wiki", json) === page.left;
  if (!isOurs || (await isShared(work, page, json))) throw edited(work, json);
  await guarded(work, { path, written: page, compared: "wiki", headPath: path });
  return [];
}

async function isShared(work: Deletion, { key, id }: Written, json: unknown): Promise<boolean> {
  const { site, context, signal, call } = work;
  const asked = { key, id, json, tags: call.tags };
  return (await remoteEditsInside({ client: site.client, context, signal }, asked)) !== undefined;
}

type Guarded = Pick<Parameters<typeof sendGuarded>[1], "path" | "written" | "compared" | "isUntouched" | "headPath">;

async function guarded(work: Deletion, edit: Guarded): Promise<void> {
  // A deletion never overwrites a remote edit, whatever `--on-conflict` says.
  const strict: Deletion = { ...work, site: { ...work.site, onConflict: "skip" } };
  const rest = { method: "DELETE", json: {}, deletedIsDone: true, isDone: () => false } as const;
  await sendGuarded(strict, { ...edit, ...rest });
}

function removeMedium(type: string): Removal {
  return async ({ site, context, signal }, { key, id }) => {
    await context.keep(key, undefined, DELETION);
    await site.client.send({ method: "DELETE", path: `user/media/${type}/${id}`, json: {}, expect: [404] }, signal);
    return [];
  };
}

function edited(work: Deletion, current: unknown): ConflictError {
  const { operation, site } = work;
  return new ConflictError(
    `${operation.label}: somebody changed it or its steps at ${site.client.root} since guideferry last wrote it, or added a comment, a tag, a translation, a page or a guide to it. It was not deleted. ` +
      "Check it there, and delete it by hand if nobody needs it.",
    { current: objectIn(current) },
  );
}

/**
 * A guide's answer, with the prerequisites that the site removed because they were deleted
 * (api-facts 4.1), so that it compares with the last-written body. Unchanged if the prerequisites
 * differ in any other way.
 *
 * @param left the last-written body
 *
 * @param gone the target's ids of deleted guides
 */
function withDeletedPrerequisites(json: unknown, left: Body | undefined, gone: readonly string[]): unknown {
  const ours = guideIdsIn(left?.["prerequisites"]);
  const guide = objectIn(json);
  const there = guideIdsIn(guide["prerequisites"]);
  if (ours.filter((id) => there.includes(id) || !gone.includes(id)).join() !== there.join()) return json;
  return { ...guide, prerequisites: ours.map((id) => ({ guideid: Number(id) })) };
}

function guideIdsIn(value: unknown): readonly string[] {
  return listIn(value).map((each) => String(objectIn(each)["guideid"] ?? each));
}
