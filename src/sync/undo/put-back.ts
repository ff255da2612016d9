import type { Context } from "../../core/contracts.js";
import { ConnectionError, StatusError } from "../../core/errors.js";
import type { Call, PartBack } from "../../core/model/call.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { Body, Operation, PreImage, Receipt, Written } from "../../core/writing.js";
import { fieldsToRestore, writtenFromState } from "../../service/target/remote-state.js";
import type { UndoJob } from "./undo-job.js";
import { removeComment, type UndoNotes } from "./verdicts.js";

const SET = /^(?:tags|viewers)\//;
const COMMENT = /^comment\//;

/** Makes a published guide private before all else, so that nobody sees it half restored. */
export async function hide(job: UndoJob, notes: UndoNotes, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  if (own === undefined || !isToRestore(notes, own)) return;
  if (own.body?.["public"] !== false || (await remoteBody(job, own))["public"] !== true) return;
  await sendPart(job, own, "visibility", { public: false });
}

/** Records the remote state as the last write where the answer to a write was lost. */
export async function acceptRemote(
  job: UndoJob,
  notes: UndoNotes,
  item: Key,
  rows: readonly PreImage[],
): Promise<void> {
  if (!rows.some(({ thing }) => notes.of(thing)?.unanswered === true)) return;
  const { history, site, control } = job;
  const known = (await history.ledger.loaded(item)).written;
  const own = known.get(item);
  const id = own?.id ?? rows.find(({ thing }) => thing === item)?.id ?? undefined;
  const remote = id === undefined ? undefined : await site.remoteState(item, id, control.abort);
  if (remote === undefined) return;
  const steps = [...known.values()].flatMap((written) => {
    const step = kindOf(written.key) === "step" ? remote.steps.get(written.id) : undefined;
    return step === undefined ? [] : [writtenFromState(written.key, step, written)];
  });
  await history.ledger.noteRemote(item, [writtenFromState(item, remote, own), ...steps]);
}

export async function restoreGuide(job: UndoJob, notes: UndoNotes, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  for (const row of rows) if (/^(?:step|surplus)\//.test(row.thing)) await restoreStep(job, notes, row, own);
  const isChanged = own !== undefined && isToRestore(notes, own);
  if (isChanged) {
    if (own.sent !== null) await restoreFields(job, own);
    await restoreOrder(job, own);
  }
  await restoreExtras(job, rows);
  if (isChanged) await publishAgain(job, own);
  if (own !== undefined) await close(job, notes, own);
}

export async function restorePage(job: UndoJob, notes: UndoNotes, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing, item }) => thing === item);
  if (own !== undefined && isToRestore(notes, own)) {
    await restoreFields(job, own);
    await restoreParent(job, own);
  }
  await restoreExtras(job, rows);
  if (own !== undefined) await close(job, notes, own);
}

function isToRestore(notes: UndoNotes, { thing }: PreImage): boolean {
  return notes.of(thing)?.change === "put-back";
}

async function restoreExtras(job: UndoJob, rows: readonly PreImage[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) await restoreSet(job, row);
    if (COMMENT.test(row.thing)) await removeComment(job, row);
  }
}

async function restoreStep(job: UndoJob, notes: UndoNotes, row: PreImage, guide: PreImage | undefined): Promise<void> {
  const change = notes.of(row.thing)?.change;
  if (change === "nothing") job.history.undone(job.run.id, row, [], "forget");
  if (change === "put-back") await restoreFields(job, row);
  if (change === "put-back" || change === "same") await close(job, notes, row);
  if (change === "delete" || change === "replace") await deleteStep(job, row);
  if (change === "make-again") await recreateStep(job, row, guide);
}

async function deleteStep({ history, run, ...job }: UndoJob, row: PreImage): Promise<void> {
  const { item, thing, written } = row;
  const call = { verb: "delete-step", guide: item, step: thing as Key } as const;
  const receipt = await apply({ history, run, ...job }, item, `${thing}/delete`, call);
  const back = written === null ? [] : [written];
  history.undone(run.id, row, [...receipt.written, ...back], written === null ? "forget" : "again");
}

async function recreateStep(job: UndoJob, row: PreImage, guide: PreImage | undefined): Promise<void> {
  const { history, run } = job;
  const { item, thing, id, body, sent } = row;
  if (body === null) return;
  const step = stepKeyOf(row);
  const known = await history.ledger.written(step);
  if (known !== undefined && sent?.["again"] === true) {
    await renumber(job, row);
    history.undone(run.id, row, [], "again");
    return;
  }
  // A deletion without an answer is known to be done by now.
  if (known !== undefined) await history.ledger.noteRemote(item, [{ ...known, facts: { deleted: true } }]);
  await history.makingAgain(run.id, thing);
  const place = guide === undefined ? {} : await placeThen(job, guide, row);
  const call = { verb: "make-again", of: step, id: id ?? "", guide: item, body: { ...body, ...place } } as const;
  const { written } = await apply(job, item, step, call);
  await renumber(job, row);
  history.undone(run.id, row, written, "again");
}

async function close(job: UndoJob, notes: UndoNotes, preImage: PreImage): Promise<void> {
  const { history, run } = job;
  if (notes.of(preImage.thing)?.change === "same") {
    history.undone(run.id, preImage, [], "stays");
    return;
  }
  await renumber(job, preImage);
  const now = await history.ledger.written(preImage.thing as Key);
  // It existed before the run and was unknown to the ledger, and is so again with all its parts.
  if (preImage.thing === preImage.item && preImage.written === null) history.deleted(run.id, preImage.item, []);
  else history.undone(run.id, preImage, now === undefined ? [] : [asBefore(now, preImage)], "again");
}

/**
 * Restores a deleted guide on the site where the account may do that, else recreates it from the
 * kept body with a new id.
 */
export async function recreateGuide(job: UndoJob, item: Key, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing }) => thing === item);
  if (own === undefined) return;
  if (!(await isRecreated(job, own))) {
    await forgetDeleted(job, item);
    if (await restored(job, own, rows)) return;
    await recreate(job, own, null);
  }
  for (const row of rows) {
    if (kindOf(row.thing as Key) === "step" && !(await isRecreated(job, row))) await recreate(job, row, item);
  }
  await restoreOrder(job, own);
  await restoreFields(job, own);
  await publishAgain(job, own);
  await finish(job, rows);
}

export async function recreatePage(job: UndoJob, item: Key, rows: readonly PreImage[]): Promise<void> {
  const own = rows.find(({ thing }) => thing === item);
  if (own === undefined) return;
  if (!(await isRecreated(job, own))) {
    await forgetDeleted(job, item);
    const remote = await job.site.remoteState(item, own.id ?? "", job.control.abort);
    if (remote === undefined) await recreate(job, own, null);
    else await job.history.ledger.noteRemote(item, [writtenFromState(item, remote, own.written ?? undefined)]);
  }
  await restoreFields(job, own);
  await restoreParent(job, own);
  await finish(job, rows);
}

async function isRecreated({ history }: UndoJob, { thing, sent }: PreImage): Promise<boolean> {
  return sent?.["again"] === true && (await history.ledger.written(thing as Key)) !== undefined;
}

/** A deletion without an answer is known to be done by now. */
async function forgetDeleted({ history }: UndoJob, item: Key): Promise<void> {
  const { written } = await history.ledger.loaded(item);
  const forgotten = [...written.values()].map((each) => ({ ...each, facts: { deleted: true } }));
  if (forgotten.length > 0) await history.ledger.noteRemote(item, forgotten);
}

async function recreate(job: UndoJob, { thing, item, id, body }: PreImage, guide: Key | null): Promise<void> {
  if (body === null) return;
  await job.history.makingAgain(job.run.id, thing);
  const then = await withNewIds(job, body);
  await apply(job, item, thing, { verb: "make-again", of: thing as Key, id: id ?? "", guide, body: then });
  await renumber(job, { thing, id });
}

async function restored(job: UndoJob, own: PreImage, rows: readonly PreImage[]): Promise<boolean> {
  const { site, history, control, survey } = job;
  const id = own.id ?? "";
  const language = String(own.written?.facts["language"] ?? survey.identity.language);
  let remote = await site.remoteState(own.item, id, control.abort);
  if (remote === undefined) {
    if (!(await site.restore(id, language, control.abort))) return false;
    remote = await site.remoteState(own.item, id, control.abort);
  }
  if (remote === undefined) return false;
  const guide = remote;
  const steps = rows.flatMap((row) => {
    // A guide may have the same number as one of its steps.
    const step = kindOf(row.thing as Key) === "step" ? guide.steps.get(row.id ?? "") : undefined;
    return step === undefined ? [] : [writtenFromState(row.thing as Key, step, undefined)];
  });
  await history.ledger.noteRemote(own.item, [writtenFromState(own.item, guide, undefined), ...steps]);
  await finish(job, rows);
  return true;
}

async function finish(job: UndoJob, rows: readonly PreImage[]): Promise<void> {
  for (const row of rows) {
    if (SET.test(row.thing)) {
      await restoreSet(job, row);
      continue;
    }
    job.history.undone(job.run.id, row, [], "again");
    await renumber(job, row);
  }
}

/** Restores the order. Steps that somebody added stay after their present predecessor. */
async function restoreOrder(job: UndoJob, preImage: PreImage): Promise<void> {
  const { history, site, control } = job;
  const { item } = preImage;
  const guide = await history.ledger.written(item);
  const wanted = await stepsThen(job, preImage);
  const known = idsIn(guide?.facts["steps"]);
  // An order that was sent without an answer may be in effect.
  const isKnown = preImage.sent?.["steps"] === undefined;
  if (guide === undefined || (isKnown && inOrder(wanted, known).join() === known.join())) return;
  // An order has to name every step of the guide (api-facts 4.4), those of others included.
  const remote = [...((await site.remoteState(item, guide.id, control.abort))?.steps.keys() ?? [])];
  const steps = inOrder(wanted, remote);
  if (steps.join() !== remote.join()) await sendPart(job, preImage, "order", { steps });
  // An undo that was killed before the answer restored it.
  else await history.ledger.noteRemote(item, [{ ...guide, facts: { ...guide.facts, steps } }]);
}

/** The position after its earlier predecessor; empty: unknown, so it becomes the last step. */
async function placeThen(
  job: UndoJob,
  guide: PreImage,
  step: Pick<PreImage, "id">,
): Promise<{ readonly orderby?: number }> {
  const then = await stepsThen(job, guide);
  const at = then.indexOf(step.id ?? "");
  const known = await job.history.ledger.written(guide.item);
  if (at < 0 || known === undefined) return {};
  const remote = [...((await job.site.remoteState(guide.item, known.id, job.control.abort))?.steps.keys() ?? [])];
  const before = then.slice(0, at).findLast((id) => remote.includes(id));
  return { orderby: before === undefined ? 1 : remote.indexOf(before) + 2 };
}

async function stepsThen(job: UndoJob, { written, body, theirs }: PreImage): Promise<readonly string[]> {
  const then = idsIn(theirs ? body?.["steps"] : written?.facts["steps"]);
  return Promise.all(then.map((id) => idNow(job, "step", id)));
}

function inOrder(wanted: readonly string[], remote: readonly string[]): readonly string[] {
  const order = wanted.filter((id) => remote.includes(id));
  for (const [index, id] of remote.entries()) {
    if (order.includes(id)) continue;
    const before = remote[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id);
  }
  return order;
}

export async function sendPart(job: UndoJob, { item, thing }: Named, part: PartBack, body: Body): Promise<void> {
  const of = thing as Key;
  const guide = kindOf(of) === "step" ? item : null;
  const { written } = await apply(job, item, thing, { verb: "put-back", of, guide, part, body });
  await job.history.ledger.noteRemote(item, written);
}

type Named = Pick<PreImage, "item" | "thing">;

async function restoreFields(job: UndoJob, preImage: PreImage): Promise<void> {
  if (preImage.body === null) return;
  const then = await withNewIds(job, preImage.body);
  const { fields } = fieldsToRestore(preImage.thing as Key, then, await remoteBody(job, preImage));
  if (Object.keys(fields).length > 0) await sendPart(job, preImage, "fields", fields);
}

/** A page with an unknown earlier parent is not moved. */
async function restoreParent(job: UndoJob, preImage: PreImage): Promise<void> {
  const parent = preImage.body?.["parent"];
  if (parent === undefined) return;
  const now = (await remoteBody(job, preImage))["parent"];
  if (now !== undefined && now !== parent) await sendPart(job, preImage, "parent", { parent });
}

async function publishAgain(job: UndoJob, preImage: PreImage): Promise<void> {
  if (preImage.body?.["public"] !== true || (await remoteBody(job, preImage))["public"] === true) return;
  await sendPart(job, preImage, "visibility", { public: true });
}

/** The last-written body, which the check has confirmed. */
export async function remoteBody({ history, site, control }: UndoJob, { item, thing }: Named): Promise<Body> {
  const left = await history.ledger.left(thing as Key);
  if (left !== undefined) return left;
  const owner = await history.ledger.idOf(item);
  const remote = owner === undefined ? undefined : await site.remoteState(item, owner, control.abort);
  if (thing === item) return remote?.body ?? {};
  return remote?.steps.get((await history.ledger.idOf(thing as Key)) ?? "")?.body ?? {};
}

async function withNewIds(job: UndoJob, body: Body): Promise<Body> {
  const { prerequisites } = body;
  if (!Array.isArray(prerequisites) || prerequisites.length === 0) return body;
  const ids: unknown[] = [];
  for (const id of prerequisites) {
    ids.push(Number(await idNow(job, "guide", String(id))));
  }
  return { ...body, prerequisites: ids };
}

function asBefore(now: Written, { written, theirs }: PreImage): Written {
  // The ledger did not have it at that time.
  if (written === null) return { ...now, facts: { deleted: true } };
  // With the old revision, so that the next load finds the conflict again.
  if (theirs) return written;
  return { ...now, adopted: written.adopted, facts: { ...written.facts, ...shownFacts(now.facts) } };
}

/** Gives a recreated thing its new id in the records of earlier runs, which can be undone too. */
async function renumber({ history }: UndoJob, row: Pick<PreImage, "thing" | "id">): Promise<void> {
  const { thing, id } = row;
  const key = thing.startsWith("surplus/") ? stepKeyOf(row) : (thing as Key);
  const now = await history.ledger.idOf(key);
  if (id === null || now === undefined || now === id) return;
  await history.ledger.remember(movedMemo(kindOf(key), id), now);
  history.renumber(thing, id, now);
}

async function idNow(job: UndoJob, kind: Kind, id: string): Promise<string> {
  const moved = await job.history.ledger.recall(movedMemo(kind, id));
  return moved === undefined ? id : idNow(job, kind, moved);
}

function movedMemo(kind: Kind, id: string): string {
  return `made-again/${kind}/${id}`;
}

/** The key of a recreated step. A step of somebody else has no key of the source. */
function stepKeyOf({ thing, id }: Pick<PreImage, "thing" | "id">): Key {
  return thing.startsWith("step/") ? (thing as Key) : `step/${id ?? ""}+surplus`;
}

const SHOWN_FACTS = ["steps", "flags", "public", "author", "filled", "images", "language", "documents"];

/** The facts of a thing that answers contain; the ledger has its other facts of that time. */
function shownFacts(facts: Body): Body {
  return Object.fromEntries(SHOWN_FACTS.filter((name) => name in facts).map((name) => [name, facts[name]]));
}

/** Sends one write. A create is recorded first, and looked for if its answer is lost. */
export async function apply(job: UndoJob, item: Key, thing: string, call: Call): Promise<Receipt> {
  const { target, history, context, control } = job;
  const operation = operationOf(job, item, thing, call);
  let mark: Parameters<Context["begin"]>[0] | undefined;
  const begin: Context["begin"] = async (given) => {
    const whole = { ...given, operation };
    await history.ledger.begin(operation, whole);
    mark = whole;
  };
  const all: Context = { ...context, begin, keep: () => Promise.resolve() };
  try {
    const receipt = await target.apply(operation, all, control.abort);
    if (mark !== undefined) await history.ledger.done(operation, receipt);
    return receipt;
  } catch (error) {
    if (mark === undefined || control.abort.aborted || isRefusal(error)) {
      // An aborted create stays begun, so that the next undo looks for it first.
      if (mark !== undefined && !control.abort.aborted) await history.ledger.failed(operation, String(error));
      throw error;
    }
    const found = await target.find(operation, mark, all, control.abort);
    if (found === undefined) {
      await history.ledger.failed(operation, String(error));
      throw error;
    }
    await history.ledger.done(operation, found);
    return found;
  }
}

/** The id is the one of a load, since a recreated thing replaces the loaded one. */
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

/** The site refused the write or never received it. */
function isRefusal(error: unknown): boolean {
  if (error instanceof StatusError) return error.status < 500;
  return error instanceof ConnectionError && error.unsent;
}

/** Restores tags or viewers: removes only what the run added, and adds only what it removed. */
async function restoreSet(job: UndoJob, preImage: PreImage): Promise<void> {
  const set = preImage.thing.startsWith("tags/") ? tagsBack : viewersBack;
  const id = await job.history.ledger.idOf(preImage.item);
  if (id !== undefined) await set(job, preImage, id);
  job.history.undone(job.run.id, preImage, [], "again");
}

async function tagsBack(
  { history, site, control }: UndoJob,
  { item, body, sent }: PreImage,
  id: string,
): Promise<void> {
  const prefix = `${item}/tag/`;
  const ours = await suffixes(history.ledger, item, prefix);
  if (sent?.["tag"] !== undefined) ours.add(String(sent["tag"]));
  const then = idsIn(body?.["tags"]);
  const now = await site.tags(item, id, control.abort);
  for (const tag of ours) {
    const wasSet = then.includes(tag);
    if (wasSet !== now.includes(tag)) await site.setTag(item, id, tag, wasSet, control.abort);
    if (!wasSet) history.forgetOperation(prefix + tag);
  }
}

async function viewersBack(
  { history, site, control }: UndoJob,
  { item, body, sent }: PreImage,
  id: string,
): Promise<void> {
  const prefix = `${item}/viewer/`;
  const ours = new Map<string, string | undefined>();
  if (sent?.["who"] !== undefined) ours.set(String(sent["who"]), undefined);
  for (const suffix of await suffixes(history.ledger, item, prefix)) {
    const who = await history.ledger.recall(prefix + suffix);
    if (who !== undefined) ours.set(who, prefix + suffix);
  }
  const then = [...whoIn("users", body?.["users"]), ...whoIn("teams", body?.["teams"])];
  const remote = await site.viewers(id, control.abort);
  const now = [...whoIn("users", remote?.users), ...whoIn("teams", remote?.teams)];
  for (const [who, operation] of ours) {
    const wasSet = then.includes(who);
    if (wasSet !== now.includes(who)) await site.setViewer(id, who, wasSet, control.abort);
    if (!wasSet && operation !== undefined) history.forgetOperation(operation);
  }
}

async function suffixes(ledger: UndoJob["history"]["ledger"], item: Key, prefix: string): Promise<Set<string>> {
  const { operations } = await ledger.loaded(item);
  const ids = [...operations.keys()].filter((id) => id.startsWith(prefix));
  return new Set(ids.map((id) => id.slice(prefix.length)));
}

function whoIn(folder: string, ids: unknown): readonly string[] {
  return idsIn(ids).map((id) => `${folder}/${id}`);
}
