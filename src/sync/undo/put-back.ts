import { absorbed } from "../../service/target/undo/absorbed.js";
import type { Earlier } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { apply } from "./apply.js";
import { commentBack } from "./comments.js";
import type { UndoNotes } from "./notes.js";
import { orderBack, placeThen } from "./order-back.js";
import {
  asThen,
  fieldsAsThen,
  parentAsThen,
  publishAsThen,
  renumber,
  sendBack,
  standing,
  stepKeyOf,
} from "./parts-back.js";
import { setBack } from "./set-back.js";
import type { UndoJob } from "./undo-job.js";

const SET = /^(?:tags|viewers)\//;
const COMMENT = /^comment\//;

/** Makes a guide private again that the run published: before anything else, so that nobody sees a half-restored one. */
export async function hide(job: UndoJob, notes: UndoNotes, rows: readonly Earlier[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  if (own === undefined || !isToPutBack(notes, own)) return;
  if (own.body?.["public"] !== false || (await standing(job, own))["public"] !== true) return;
  await sendBack(job, own, "visibility", { public: false });
}

/** Takes what stands there for what we left, where the answer to a write was lost. */
export async function absorb(job: UndoJob, notes: UndoNotes, item: Key, rows: readonly Earlier[]): Promise<void> {
  if (!rows.some(({ thing }) => notes.of(thing)?.unanswered === true)) return;
  const { past, site, control } = job;
  const known = (await past.ledger.loaded(item)).written;
  const own = known.get(item);
  const id = own?.id ?? rows.find(({ thing }) => thing === item)?.id ?? undefined;
  const present = id === undefined ? undefined : await site.present(item, id, control.abort);
  if (present === undefined) return;
  const steps = [...known.values()].flatMap((written) => {
    const step = kindOf(written.key) === "step" ? present.steps.get(written.id) : undefined;
    return step === undefined ? [] : [absorbed(written.key, step, written)];
  });
  past.note(item, [absorbed(item, present, own), ...steps]);
}

/** A guide that stays: its steps, its fields, their order, tags and viewers; then it is published again if it was public. */
export async function putGuideBack(job: UndoJob, notes: UndoNotes, rows: readonly Earlier[]): Promise<void> {
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
export async function putPageBack(job: UndoJob, notes: UndoNotes, rows: readonly Earlier[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  if (own !== undefined && isToPutBack(notes, own)) {
    await fieldsAsThen(job, own);
    await parentAsThen(job, own);
  }
  await beside(job, rows);
  if (own !== undefined) await close(job, notes, own);
}

function isToPutBack(notes: UndoNotes, { thing }: Earlier): boolean {
  return notes.of(thing)?.change === "put-back";
}

/** Tags, viewers and comments. */
async function beside(job: UndoJob, rows: readonly Earlier[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) await setBack(job, row);
    if (COMMENT.test(row.thing)) await commentBack(job, row);
  }
}

async function putStepBack(job: UndoJob, notes: UndoNotes, row: Earlier, guide: Earlier | undefined): Promise<void> {
  const change = notes.of(row.thing)?.change;
  if (change === "nothing") job.past.undone(job.run.id, row, [], "forget");
  if (change === "put-back") await fieldsAsThen(job, row);
  if (change === "put-back" || change === "same") await close(job, notes, row);
  if (change === "delete" || change === "replace") await deleteStep(job, row);
  if (change === "make-again") await makeStepAgain(job, row, guide);
}

async function deleteStep({ past, run, ...job }: UndoJob, row: Earlier): Promise<void> {
  const { item, thing, written } = row;
  const call = { verb: "delete-step", guide: item, step: thing as Key } as const;
  const receipt = await apply({ past, run, ...job }, item, `${thing}/delete`, call);
  const back = written === null ? [] : [written];
  past.undone(run.id, row, [...receipt.written, ...back], written === null ? "forget" : "again");
}

async function makeStepAgain(job: UndoJob, row: Earlier, guide: Earlier | undefined): Promise<void> {
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
  if (known !== undefined) past.note(item, [{ ...known, facts: { deleted: true } }]);
  past.makingAgain(run.id, thing);
  const place = guide === undefined ? {} : await placeThen(job, guide, row);
  const call = { verb: "make-again", of: step, id: id ?? "", guide: item, body: { ...body, ...place } } as const;
  const { written } = await apply(job, item, step, call);
  await renumber(job, row);
  past.undone(run.id, row, written, "again");
}

/** Notes that a thing is as it was. */
async function close(job: UndoJob, notes: UndoNotes, earlier: Earlier): Promise<void> {
  const { past, run } = job;
  if (notes.of(earlier.thing)?.change === "same") {
    past.undone(run.id, earlier, [], "stays");
    return;
  }
  await renumber(job, earlier);
  const now = await past.ledger.written(earlier.thing as Key);
  // It was there before us, and nothing of it was known: it is theirs again, with all that is in it.
  if (earlier.thing === earlier.item && earlier.written === null) past.gone(run.id, earlier.item, []);
  else past.undone(run.id, earlier, now === undefined ? [] : [asThen(now, earlier)], "again");
}
