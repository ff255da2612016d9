import type { Earlier } from "../../core/contracts.js";
import { idNow, sendBack } from "./parts-back.js";
import type { UndoJob } from "./undo-job.js";

/** Puts the steps of a guide into the order that they had; those that somebody added since stay behind the one before them. */
export async function orderBack(job: UndoJob, earlier: Earlier): Promise<void> {
  const { past, site, control } = job;
  const { item } = earlier;
  const guide = await past.ledger.written(item);
  const wanted = await stepsThen(job, earlier);
  const known = idsIn(guide?.facts["steps"]);
  // What was sent without an answer may stand there.
  const isKnown = earlier.sent?.["steps"] === undefined;
  if (guide === undefined || (isKnown && inOrder(wanted, known).join() === known.join())) return;
  // An order has to name every step of the guide (api-facts 4.4), others' too.
  const present = [...((await site.present(item, guide.id, control.abort))?.steps.keys() ?? [])];
  const steps = inOrder(wanted, present);
  if (steps.join() !== present.join()) await sendBack(job, earlier, "order", { steps });
  // Put back by an undo that was killed before the answer came.
  else past.note(item, [{ ...guide, facts: { ...guide.facts, steps } }]);
}

/** Where a step has to be made again so that it stands behind the one that it stood behind; empty: nobody knows, and it comes last. */
export async function placeThen(
  job: UndoJob,
  guide: Earlier,
  step: Pick<Earlier, "id">,
): Promise<{ readonly orderby?: number }> {
  const then = await stepsThen(job, guide);
  const at = then.indexOf(step.id ?? "");
  const known = await job.past.ledger.written(guide.item);
  if (at < 0 || known === undefined) return {};
  const present = [...((await job.site.present(guide.item, known.id, job.control.abort))?.steps.keys() ?? [])];
  const before = then.slice(0, at).findLast((id) => present.includes(id));
  return { orderby: before === undefined ? 1 : present.indexOf(before) + 2 };
}

/** The ids that the steps had then, or have now where an undo had to make them anew. */
async function stepsThen(job: UndoJob, { written, body, theirs }: Earlier): Promise<readonly string[]> {
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

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
