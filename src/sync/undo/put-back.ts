import { type Key, kindOf } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { PreImage } from "../../core/writing.js";
import { writtenFromState } from "../../service/target/remote-state.js";
import { commentBack, type UndoNotes } from "./judge.js";
import {
  apply,
  asThen,
  fieldsAsThen,
  idNow,
  parentAsThen,
  publishAsThen,
  renumber,
  sendBack,
  setBack,
  standing,
  stepKeyOf,
  withNewIds,
} from "./parts-back.js";
import type { UndoJob } from "./undo-job.js";

const SET = /^(?:tags|viewers)\//;
const COMMENT = /^comment\//;

/**
 * Makes a guide private again that the run published: before anything else, so that nobody sees a
 * half-restored one.
 */
export async function hide(job: UndoJob, notes: UndoNotes, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  if (own === undefined || !isToPutBack(notes, own)) return;
  if (own.body?.["public"] !== false || (await standing(job, own))["public"] !== true) return;
  await sendBack(job, own, "visibility", { public: false });
}

/** Takes what stands there for what we left, where the answer to a write was lost. */
export async function absorb(job: UndoJob, notes: UndoNotes, item: Key, rows: readonly PreImage[]): Promise<void> {
  if (!rows.some(({ thing }) => notes.of(thing)?.unanswered === true)) return;
  const { past, site, control } = job;
  const known = (await past.ledger.loaded(item)).written;
  const own = known.get(item);
  const id = own?.id ?? rows.find(({ thing }) => thing === item)?.id ?? undefined;
  const present = id === undefined ? undefined : await site.remoteState(item, id, control.abort);
  if (present === undefined) return;
  const steps = [...known.values()].flatMap((written) => {
    const step = kindOf(written.key) === "step" ? present.steps.get(written.id) : undefined;
    return step === undefined ? [] : [writtenFromState(written.key, step, written)];
  });
  await past.ledger.noteRemote(item, [writtenFromState(item, present, own), ...steps]);
}

/**
 * A guide that stays: its steps, its fields, their order, tags and viewers; then it is published
 * again if it was public.
 */
export async function putGuideBack(job: UndoJob, notes: UndoNotes, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  for (const row of rows) if (/^(?:step|surplus)\//.test(row.thing)) await putStepBack(job, notes, row, own);
  const isChanged = own !== undefined && isToPutBack(notes, own);
  if (isChanged) {
    if (own.sent !== null) await fieldsAsThen(job, own);
    await orderBack(job, own);
  }
  await beside(job, rows);
  if (isChanged) await publishAsThen(job, own);
  if (own !== undefined) await close(job, notes, own);
}

/** A page that stays: its fields, its place in the tree, its tags. */
export async function putPageBack(job: UndoJob, notes: UndoNotes, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  if (own !== undefined && isToPutBack(notes, own)) {
    await fieldsAsThen(job, own);
    await parentAsThen(job, own);
  }
  await beside(job, rows);
  if (own !== undefined) await close(job, notes, own);
}

function isToPutBack(notes: UndoNotes, { thing }: PreImage): boolean {
  return notes.of(thing)?.change === "put-back";
}

/** Tags, viewers and comments. */
async function beside(job: UndoJob, rows: readonly PreImage[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) await setBack(job, row);
    if (COMMENT.test(row.thing)) await commentBack(job, row);
  }
}

async function putStepBack(job: UndoJob, notes: UndoNotes, row: PreImage, guide: PreImage | undefined): Promise<void> {
  const change = notes.of(row.thing)?.change;
  if (change === "nothing") job.past.undone(job.run.id, row, [], "forget");
  if (change === "put-back") await fieldsAsThen(job, row);
  if (change === "put-back" || change === "same") await close(job, notes, row);
  if (change === "delete" || change === "replace") await deleteStep(job, row);
  if (change === "make-again") await makeStepAgain(job, row, guide);
}

async function deleteStep({ past, run, ...job }: UndoJob, row: PreImage): Promise<void> {
  const { item, thing, written } = row;
  const call = { verb: "delete-step", guide: item, step: thing as Key } as const;
  const receipt = await apply({ past, run, ...job }, item, `${thing}/delete`, call);
  const back = written === null ? [] : [written];
  past.undone(run.id, row, [...receipt.written, ...back], written === null ? "forget" : "again");
}

async function makeStepAgain(job: UndoJob, row: PreImage, guide: PreImage | undefined): Promise<void> {
  const { past, run } = job;
  const { item, thing, id, body, sent } = row;
  if (body === null) return;
  const step = stepKeyOf(row);
  const known = await past.ledger.written(step);
  if (known !== undefined && sent?.["again"] === true) {
    await renumber(job, row);
    past.undone(run.id, row, [], "again");
    return;
  }
  // A deletion of which no answer came is known to be done by now.
  if (known !== undefined) await past.ledger.noteRemote(item, [{ ...known, facts: { deleted: true } }]);
  past.makingAgain(run.id, thing);
  const place = guide === undefined ? {} : await placeThen(job, guide, row);
  const call = { verb: "make-again", of: step, id: id ?? "", guide: item, body: { ...body, ...place } } as const;
  const { written } = await apply(job, item, step, call);
  await renumber(job, row);
  past.undone(run.id, row, written, "again");
}

/** Notes that a thing is as it was. */
async function close(job: UndoJob, notes: UndoNotes, earlier: PreImage): Promise<void> {
  const { past, run } = job;
  if (notes.of(earlier.thing)?.change === "same") {
    past.undone(run.id, earlier, [], "stays");
    return;
  }
  await renumber(job, earlier);
  const now = await past.ledger.written(earlier.thing as Key);
  // It was there before us, and nothing of it was known: it is theirs again, with all that is in
  // it.
  if (earlier.thing === earlier.item && earlier.written === null) past.gone(run.id, earlier.item, []);
  else past.undone(run.id, earlier, now === undefined ? [] : [asThen(now, earlier)], "again");
}

/**
 * Brings a guide back that the run deleted: restored by the site where the account may, else made
 * anew from what was kept, with a new id.
 */
export async function makeGuideAgain(job: UndoJob, item: Key, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing }) => thing === item);
  if (own === undefined) return;
  if (!(await isMadeAgain(job, own))) {
    await forgetDeleted(job, item);
    if (await restored(job, own, rows)) return;
    await makeAnew(job, own, null);
  }
  for (const row of rows) {
    if (kindOf(row.thing as Key) === "step" && !(await isMadeAgain(job, row))) await makeAnew(job, row, item);
  }
  await orderBack(job, own);
  await fieldsAsThen(job, own);
  await publishAsThen(job, own);
  await finish(job, rows);
}

/** The same of a page, which keeps its title. */
export async function makePageAgain(job: UndoJob, item: Key, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing }) => thing === item);
  if (own === undefined) return;
  if (!(await isMadeAgain(job, own))) {
    await forgetDeleted(job, item);
    const present = await job.site.remoteState(item, own.id ?? "", job.control.abort);
    if (present === undefined) await makeAnew(job, own, null);
    else await job.past.ledger.noteRemote(item, [writtenFromState(item, present, own.written ?? undefined)]);
  }
  await fieldsAsThen(job, own);
  await parentAsThen(job, own);
  await finish(job, rows);
}

/** Did this undo make it anew already, before it was stopped? */
async function isMadeAgain({ past }: UndoJob, { thing, sent }: PreImage): Promise<boolean> {
  return sent?.["again"] === true && (await past.ledger.written(thing as Key)) !== undefined;
}

/** A deletion of which no answer came is known to be done by now. */
async function forgetDeleted({ past }: UndoJob, item: Key): Promise<void> {
  const { written } = await past.ledger.loaded(item);
  const forgotten = [...written.values()].map((each) => ({ ...each, facts: { deleted: true } }));
  if (forgotten.length > 0) await past.ledger.noteRemote(item, forgotten);
}

async function makeAnew(job: UndoJob, { thing, item, id, body }: PreImage, guide: Key | null): Promise<void> {
  if (body === null) return;
  job.past.makingAgain(job.run.id, thing);
  const then = await withNewIds(job, body);
  await apply(job, item, thing, { verb: "make-again", of: thing as Key, id: id ?? "", guide, body: then });
  await renumber(job, { thing, id });
}

/** A restored guide has its id, its links and all that was in it. */
async function restored(job: UndoJob, own: PreImage, rows: readonly PreImage[]): Promise<boolean> {
  const { site, past, control, survey } = job;
  const id = own.id ?? "";
  const language = String(own.written?.facts["language"] ?? survey.identity.language);
  let present = await site.remoteState(own.item, id, control.abort);
  if (present === undefined) {
    if (!(await site.restore(id, language, control.abort))) return false;
    present = await site.remoteState(own.item, id, control.abort);
  }
  if (present === undefined) return false;
  const guide = present;
  const steps = rows.flatMap((row) => {
    // A guide may have the number of one of its steps.
    const step = kindOf(row.thing as Key) === "step" ? guide.steps.get(row.id ?? "") : undefined;
    return step === undefined ? [] : [writtenFromState(row.thing as Key, step, undefined)];
  });
  await past.ledger.noteRemote(own.item, [writtenFromState(own.item, guide, undefined), ...steps]);
  await finish(job, rows);
  return true;
}

async function finish(job: UndoJob, rows: readonly PreImage[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) await setBack(job, row);
    else job.past.undone(job.run.id, row, [], "again");
    if (!SET.test(row.thing)) await renumber(job, row);
  }
}

/**
 * Puts the steps of a guide into the order that they had; those that somebody added since stay
 * behind the one before them.
 */
async function orderBack(job: UndoJob, earlier: PreImage): Promise<void> {
  const { past, site, control } = job;
  const { item } = earlier;
  const guide = await past.ledger.written(item);
  const wanted = await stepsThen(job, earlier);
  const known = idsIn(guide?.facts["steps"]);
  // What was sent without an answer may stand there.
  const isKnown = earlier.sent?.["steps"] === undefined;
  if (guide === undefined || (isKnown && inOrder(wanted, known).join() === known.join())) return;
  // An order has to name every step of the guide (api-facts 4.4), others' too.
  const present = [...((await site.remoteState(item, guide.id, control.abort))?.steps.keys() ?? [])];
  const steps = inOrder(wanted, present);
  if (steps.join() !== present.join()) await sendBack(job, earlier, "order", { steps });
  // Put back by an undo that was killed before the answer came.
  else await past.ledger.noteRemote(item, [{ ...guide, facts: { ...guide.facts, steps } }]);
}

/**
 * Where a step has to be made again so that it stands behind the one that it stood behind; empty:
 * nobody knows, and it comes last.
 */
async function placeThen(
  job: UndoJob,
  guide: PreImage,
  step: Pick<PreImage, "id">,
): Promise<{ readonly orderby?: number }> {
  const then = await stepsThen(job, guide);
  const at = then.indexOf(step.id ?? "");
  const known = await job.past.ledger.written(guide.item);
  if (at < 0 || known === undefined) return {};
  const present = [...((await job.site.remoteState(guide.item, known.id, job.control.abort))?.steps.keys() ?? [])];
  const before = then.slice(0, at).findLast((id) => present.includes(id));
  return { orderby: before === undefined ? 1 : present.indexOf(before) + 2 };
}

/** The ids that the steps had then, or have now where an undo had to make them anew. */
async function stepsThen(job: UndoJob, { written, body, theirs }: PreImage): Promise<readonly string[]> {
  const then = idsIn(theirs ? body?.["steps"] : written?.facts["steps"]);
  return Promise.all(then.map((id) => idNow(job, "step", id)));
}

function inOrder(wanted: readonly string[], present: readonly string[]): readonly string[] {
  const order = wanted.filter((id) => present.includes(id));
  for (const [index, id] of present.entries()) {
    if (order.includes(id)) continue;
    const before = present[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  return order;
}
