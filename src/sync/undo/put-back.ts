import type { Context } from "../../core/contracts.js";
import { ConnectionError, StatusError } from "../../core/errors.js";
import type { Call, PartBack } from "../../core/model/call.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { Body, Operation, PreImage, Receipt, Written } from "../../core/writing.js";
import { absorbed, fieldsBack } from "../../service/target/remote-state.js";
import { commentBack, type UndoNotes } from "./judge.js";
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
  const present = id === undefined ? undefined : await site.present(item, id, control.abort);
  if (present === undefined) return;
  const steps = [...known.values()].flatMap((written) => {
    const step = kindOf(written.key) === "step" ? present.steps.get(written.id) : undefined;
    return step === undefined ? [] : [absorbed(written.key, step, written)];
  });
  await past.ledger.noteRemote(item, [absorbed(item, present, own), ...steps]);
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
    const present = await job.site.present(item, own.id ?? "", job.control.abort);
    if (present === undefined) await makeAnew(job, own, null);
    else await job.past.ledger.noteRemote(item, [absorbed(item, present, own.written ?? undefined)]);
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
  await past.ledger.noteRemote(own.item, [absorbed(own.item, guide, undefined), ...steps]);
  await finish(job, rows);
  return true;
}

async function finish(job: UndoJob, rows: readonly PreImage[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) {
      await setBack(job, row);
      continue;
    }
    job.past.undone(job.run.id, row, [], "again");
    await renumber(job, row);
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
  const present = [...((await site.present(item, guide.id, control.abort))?.steps.keys() ?? [])];
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
  const present = [...((await job.site.present(guide.item, known.id, job.control.abort))?.steps.keys() ?? [])];
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

/** Sends one part of a thing as it was, and notes how the thing stands then. */
export async function sendBack(job: UndoJob, { item, thing }: Named, part: PartBack, body: Body): Promise<void> {
  const of = thing as Key;
  const guide = kindOf(of) === "step" ? item : null;
  const { written } = await apply(job, item, thing, { verb: "put-back", of, guide, part, body });
  await job.past.ledger.noteRemote(item, written);
}

type Named = Pick<PreImage, "item" | "thing">;

/** Puts the fields of a thing back that differ, if any do. */
async function fieldsAsThen(job: UndoJob, earlier: PreImage): Promise<void> {
  if (earlier.body === null) return;
  const then = await withNewIds(job, earlier.body);
  const { fields } = fieldsBack(earlier.thing as Key, then, await standing(job, earlier));
  if (Object.keys(fields).length > 0) await sendBack(job, earlier, "fields", fields);
}

/** Hangs a page under the parent that it had. Where nobody told which that was it stays. */
async function parentAsThen(job: UndoJob, earlier: PreImage): Promise<void> {
  const parent = earlier.body?.["parent"];
  if (parent === undefined) return;
  const now = (await standing(job, earlier))["parent"];
  if (now !== undefined && now !== parent) await sendBack(job, earlier, "parent", { parent });
}

/** Publishes a guide that was public. */
async function publishAsThen(job: UndoJob, earlier: PreImage): Promise<void> {
  if (earlier.body?.["public"] !== true || (await standing(job, earlier))["public"] === true) return;
  await sendBack(job, earlier, "visibility", { public: true });
}

/** How a thing stands now: as our last write left it, which is what the look before found. */
export async function standing({ past, site, control }: UndoJob, { item, thing }: Named): Promise<Body> {
  const left = await past.ledger.left(thing as Key);
  if (left !== undefined) return left;
  const owner = await past.ledger.idOf(item);
  const present = owner === undefined ? undefined : await site.present(item, owner, control.abort);
  if (thing === item) return present?.body ?? {};
  return present?.steps.get((await past.ledger.idOf(thing as Key)) ?? "")?.body ?? {};
}

/** Guides that an undo had to make anew have other ids than before. */
async function withNewIds(job: UndoJob, body: Body): Promise<Body> {
  const { prerequisites } = body;
  if (!Array.isArray(prerequisites) || prerequisites.length === 0) return body;
  const ids: unknown[] = [];
  for (const id of prerequisites) {
    ids.push(Number(await idNow(job, "guide", String(id))));
  }
  return { ...body, prerequisites: ids };
}

/** What the ledger says of a thing that was put back. */
function asThen(now: Written, { written, theirs }: PreImage): Written {
  // Nothing was known of it: then it is theirs again, and nothing is.
  if (written === null) return { ...now, facts: { deleted: true } };
  // With our old revision, as before: what stands there is a conflict for the next load too.
  if (theirs) return written;
  return { ...now, adopted: written.adopted, facts: { ...written.facts, ...told(now.facts) } };
}

/**
 * What was made anew has another id: earlier runs, which can be undone too, knew it by the old one.
 */
async function renumber({ past }: UndoJob, row: Pick<PreImage, "thing" | "id">): Promise<void> {
  const { thing, id } = row;
  const key = thing.startsWith("surplus/") ? stepKeyOf(row) : (thing as Key);
  const now = await past.ledger.idOf(key);
  if (id === null || now === undefined || now === id) return;
  await past.ledger.remember(movedMemo(kindOf(key), id), now);
  past.renumber(thing, id, now);
}

/** The id that a guide or step has which had this one once. */
async function idNow(job: UndoJob, kind: Kind, id: string): Promise<string> {
  const moved = await job.past.ledger.recall(movedMemo(kind, id));
  return moved === undefined ? id : idNow(job, kind, moved);
}

function movedMemo(kind: Kind, id: string): string {
  return `made-again/${kind}/${id}`;
}

/**
 * Under which key the ledger knows a step that was made anew; one that was there before us, and
 * gone since, has none of the source's.
 */
function stepKeyOf({ thing, id }: Pick<PreImage, "thing" | "id">): Key {
  return thing.startsWith("step/") ? (thing as Key) : `step/${id ?? ""}+surplus`;
}

const TOLD = ["steps", "flags", "public", "author", "filled", "images", "language", "documents"];

/** What an answer shows of a thing; the rest of its facts is what the ledger knew of it then. */
function told(facts: Body): Body {
  return Object.fromEntries(TOLD.filter((name) => name in facts).map((name) => [name, facts[name]]));
}

/**
 * Sends one write of the undo. What it makes anew is noted first, and looked for when the answer is
 * lost.
 */
export async function apply(job: UndoJob, item: Key, thing: string, call: Call): Promise<Receipt> {
  const { target, past, context, control } = job;
  const operation = operationOf(job, item, thing, call);
  let mark: Parameters<Context["begin"]>[0] | undefined;
  const begin: Context["begin"] = async (given) => {
    const whole = { ...given, operation };
    await past.ledger.begin(operation, whole);
    mark = whole;
  };
  const all: Context = { ...context, begin, keep: () => Promise.resolve() };
  try {
    const receipt = await target.apply(operation, all, control.abort);
    if (mark !== undefined) await past.ledger.done(operation, receipt);
    return receipt;
  } catch (error) {
    if (mark === undefined || control.abort.aborted || isRefusal(error)) {
      // Of an aborted create nobody knows: it stays begun, and is looked for first.
      if (mark !== undefined && !control.abort.aborted) await past.ledger.failed(operation, String(error));
      throw error;
    }
    const found = await target.find(operation, mark, all, control.abort);
    if (found === undefined) {
      await past.ledger.failed(operation, String(error));
      throw error;
    }
    await past.ledger.done(operation, found);
    return found;
  }
}

/** A load's own id for what it makes: what an undo makes anew stands in its place. */
function operationOf({ run }: UndoJob, item: Key, thing: string, call: Call): Operation {
  return {
    id: thing === item ? item : `${item}/${thing}`,
    item,
    label: thing === item ? item : `${item}, ${thing}`,
    hash: `undo of ${run.id}`,
    phase: "main",
    needs: [],
    call,
  };
}

/** The site said no, or never heard of it: it surely did nothing. */
function isRefusal(error: unknown): boolean {
  if (error instanceof StatusError) return error.status < 500;
  return error instanceof ConnectionError && error.unsent;
}

/**
 * Gives an item the tags or the viewers that it had: only what we added is taken away, and only
 * what we took away is given back.
 */
async function setBack(job: UndoJob, earlier: PreImage): Promise<void> {
  const set = earlier.thing.startsWith("tags/") ? tagsBack : viewersBack;
  const id = await job.past.ledger.idOf(earlier.item);
  if (id !== undefined) await set(job, earlier, id);
  job.past.undone(job.run.id, earlier, [], "again");
}

async function tagsBack({ past, site, control }: UndoJob, { item, body, sent }: PreImage, id: string): Promise<void> {
  const prefix = `${item}/tag/`;
  const ours = await suffixes(past.ledger, item, prefix);
  if (sent?.["tag"] !== undefined) ours.add(String(sent["tag"]));
  const then = idsIn(body?.["tags"]);
  const now = await site.tags(item, id, control.abort);
  for (const tag of ours) {
    const wasSet = then.includes(tag);
    if (wasSet !== now.includes(tag)) await site.setTag(item, id, tag, wasSet, control.abort);
    if (!wasSet) past.forgetOperation(prefix + tag);
  }
}

async function viewersBack(
  { past, site, control }: UndoJob,
  { item, body, sent }: PreImage,
  id: string,
): Promise<void> {
  const prefix = `${item}/viewer/`;
  const ours = new Map<string, string | undefined>();
  if (sent?.["who"] !== undefined) ours.set(String(sent["who"]), undefined);
  for (const suffix of await suffixes(past.ledger, item, prefix)) {
    const who = await past.ledger.recall(prefix + suffix);
    if (who !== undefined) ours.set(who, prefix + suffix);
  }
  const then = [...whoIn("users", body?.["users"]), ...whoIn("teams", body?.["teams"])];
  const present = await site.viewers(id, control.abort);
  const now = [...whoIn("users", present?.users), ...whoIn("teams", present?.teams)];
  for (const [who, operation] of ours) {
    const wasSet = then.includes(who);
    if (wasSet !== now.includes(who)) await site.setViewer(id, who, wasSet, control.abort);
    if (!wasSet && operation !== undefined) past.forgetOperation(operation);
  }
}

async function suffixes(ledger: UndoJob["past"]["ledger"], item: Key, prefix: string): Promise<Set<string>> {
  const { operations } = await ledger.loaded(item);
  const ids = [...operations.keys()].filter((id) => id.startsWith(prefix));
  return new Set(ids.map((id) => id.slice(prefix.length)));
}

function whoIn(folder: string, ids: unknown): readonly string[] {
  return idsIn(ids).map((id) => `${folder}/${id}`);
}
