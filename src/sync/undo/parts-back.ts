import type { Context } from "../../core/contracts.js";
import { ConnectionError, StatusError } from "../../core/errors.js";
import type { Call, CallOf, PartBack } from "../../core/model/call.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { idsIn } from "../../core/util/json.js";
import type { Body, Operation, PreImage, Receipt, Written } from "../../core/writing.js";
import { fieldsToRestore } from "../../service/target/remote-state.js";
import type { UndoJob } from "./undo-job.js";

/** Sends one part of a thing as it was, and notes how the thing stands then. */
export async function sendBack(job: UndoJob, { item, thing }: Named, part: PartBack, body: Body): Promise<void> {
  const of = thing as Key;
  const guide = kindOf(of) === "step" ? item : null;
  const { written } = await apply(job, item, thing, { verb: "put-back", of, guide, part, body });
  await job.past.ledger.noteRemote(item, written);
}

type Named = Pick<PreImage, "item" | "thing">;

/** Puts the fields of a thing back that differ, if any do. */
export async function fieldsAsThen(job: UndoJob, earlier: PreImage): Promise<void> {
  if (earlier.body === null) return;
  const then = await withNewIds(job, earlier.body);
  const { fields } = fieldsToRestore(earlier.thing as Key, then, await standing(job, earlier));
  if (Object.keys(fields).length > 0) await sendBack(job, earlier, "fields", fields);
}

/** Hangs a page under the parent that it had. Where nobody told which that was it stays. */
export async function parentAsThen(job: UndoJob, earlier: PreImage): Promise<void> {
  const parent = earlier.body?.["parent"];
  if (parent === undefined) return;
  const now = (await standing(job, earlier))["parent"];
  if (now !== undefined && now !== parent) await sendBack(job, earlier, "parent", { parent });
}

/** Publishes a guide that was public. */
export async function publishAsThen(job: UndoJob, earlier: PreImage): Promise<void> {
  if (earlier.body?.["public"] !== true || (await standing(job, earlier))["public"] === true) return;
  await sendBack(job, earlier, "visibility", { public: true });
}

/** How a thing stands now: as our last write left it, which is what the look before found. */
export async function standing({ past, site, control }: UndoJob, { item, thing }: Named): Promise<Body> {
  const left = await past.ledger.left(thing as Key);
  if (left !== undefined) return left;
  const owner = await past.ledger.idOf(item);
  const present = owner === undefined ? undefined : await site.remoteState(item, owner, control.abort);
  if (thing === item) return present?.body ?? {};
  return present?.steps.get((await past.ledger.idOf(thing as Key)) ?? "")?.body ?? {};
}

/** Guides that an undo had to make anew have other ids than before. */
export async function withNewIds(job: UndoJob, body: Body): Promise<Body> {
  const { prerequisites } = body;
  if (!Array.isArray(prerequisites) || prerequisites.length === 0) return body;
  const ids: unknown[] = [];
  for (const id of prerequisites) {
    ids.push(Number(await idNow(job, "guide", String(id))));
  }
  return { ...body, prerequisites: ids };
}

/** What the ledger says of a thing that was put back. */
export function asThen(now: Written, { written, theirs }: PreImage): Written {
  // Nothing was known of it: then it is theirs again, and nothing is.
  if (written === null) return { ...now, facts: { deleted: true } };
  // With our old revision, as before: what stands there is a conflict for the next load too.
  if (theirs) return written;
  return { ...now, adopted: written.adopted, facts: { ...written.facts, ...told(now.facts) } };
}

/**
 * What was made anew has another id: earlier runs, which can be undone too, knew it by the old one.
 */
export async function renumber({ past }: UndoJob, row: Pick<PreImage, "thing" | "id">): Promise<void> {
  const { thing, id } = row;
  const key = thing.startsWith("surplus/") ? stepKeyOf(row) : (thing as Key);
  const now = await past.ledger.idOf(key);
  if (id === null || now === undefined || now === id) return;
  await past.ledger.remember(movedMemo(kindOf(key), id), now);
  past.renumber(thing, id, now);
}

/** The id that a guide or step has which had this one once. */
export async function idNow(job: UndoJob, kind: Kind, id: string): Promise<string> {
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
export function stepKeyOf({ thing, id }: Pick<PreImage, "thing" | "id">): Key {
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

export type PutBackCall = CallOf<"put-back">;

/**
 * Gives an item the tags or the viewers that it had: only what we added is taken away, and only
 * what we took away is given back.
 */
export async function setBack(job: UndoJob, earlier: PreImage): Promise<void> {
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
