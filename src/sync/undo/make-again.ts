import { absorbed } from "../../service/target/undo/absorbed.js";
import type { Earlier } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { apply } from "./apply.js";
import { orderBack } from "./order-back.js";
import { fieldsAsThen, parentAsThen, publishAsThen, renumber, withNewIds } from "./parts-back.js";
import { setBack } from "./set-back.js";
import type { UndoJob } from "./undo-job.js";

/** Brings a guide back that the run deleted: restored by the site where the account may, else made anew from what was kept, with a new id. */
export async function makeGuideAgain(job: UndoJob, item: Key, rows: readonly Earlier[]): Promise<void> {
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
export async function makePageAgain(job: UndoJob, item: Key, rows: readonly Earlier[]): Promise<void> {
  const own = rows.find(({ thing }) => thing === item);
  if (own === undefined) return;
  if (!(await isMadeAgain(job, own))) {
    await forgetDeleted(job, item);
    const present = await job.site.present(item, own.id ?? "", job.control.abort);
    if (present === undefined) await makeAnew(job, own, null);
    else job.past.note(item, [absorbed(item, present, own.written ?? undefined)]);
  }
  await fieldsAsThen(job, own);
  await parentAsThen(job, own);
  await finish(job, rows);
}

/** Did this undo make it anew already, before it was stopped? */
async function isMadeAgain({ past }: UndoJob, { thing, sent }: Earlier): Promise<boolean> {
  return sent?.["again"] === true && (await past.ledger.written(thing as Key)) !== undefined;
}

/** A deletion of which no answer came is known to be done by now. */
async function forgetDeleted({ past }: UndoJob, item: Key): Promise<void> {
  const { written } = await past.ledger.loaded(item);
  const forgotten = [...written.values()].map((each) => ({ ...each, facts: { deleted: true } }));
  if (forgotten.length > 0) past.note(item, forgotten);
}

async function makeAnew(job: UndoJob, { thing, item, id, body }: Earlier, guide: Key | null): Promise<void> {
  if (body === null) return;
  job.past.makingAgain(job.run.id, thing);
  const then = await withNewIds(job, body);
  await apply(job, item, thing, { verb: "make-again", of: thing as Key, id: id ?? "", guide, body: then });
  await renumber(job, { thing, id });
}

/** A restored guide has its id, its links and all that was in it. */
async function restored(job: UndoJob, own: Earlier, rows: readonly Earlier[]): Promise<boolean> {
  const { site, past, control, survey } = job;
  const id = own.id ?? "";
  const language = String(own.written?.facts["language"] ?? survey.identity.language);
  let present = await site.present(own.item, id, control.abort);
  if (present === undefined) {
    if (!(await site.restore(id, language, control.abort))) return false;
    present = await site.present(own.item, id, control.abort);
  }
  if (present === undefined) return false;
  const guide = present;
  const steps = rows.flatMap((row) => {
    // A guide may have the number of one of its steps.
    const step = kindOf(row.thing as Key) === "step" ? guide.steps.get(row.id ?? "") : undefined;
    return step === undefined ? [] : [absorbed(row.thing as Key, step, undefined)];
  });
  past.note(own.item, [absorbed(own.item, guide, undefined), ...steps]);
  await finish(job, rows);
  return true;
}

async function finish(job: UndoJob, rows: readonly Earlier[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) await setBack(job, row);
    else job.past.undone(job.run.id, row, [], "again");
    if (!SET.test(row.thing)) await renumber(job, row);
  }
}

const SET = /^(?:tags|viewers)\//;
