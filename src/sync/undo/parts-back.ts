import { fieldsBack } from "../../service/target/undo/fields-back.js";
import type { Body, Earlier, Written } from "../../core/contracts.js";
import type { PartBack } from "../../core/model/call.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { apply } from "./apply.js";
import type { UndoJob } from "./undo-job.js";

/** Sends one part of a thing as it was, and notes how the thing stands then. */
export async function sendBack(job: UndoJob, { item, thing }: Named, part: PartBack, body: Body): Promise<void> {
  const of = thing as Key;
  const guide = kindOf(of) === "step" ? item : null;
  const { written } = await apply(job, item, thing, { verb: "put-back", of, guide, part, body });
  job.past.note(item, written);
}

type Named = Pick<Earlier, "item" | "thing">;

/** Puts the fields of a thing back that differ, if any do. */
export async function fieldsAsThen(job: UndoJob, earlier: Earlier): Promise<void> {
  if (earlier.body === null) return;
  const then = await withNewIds(job, earlier.body);
  const { fields } = fieldsBack(earlier.thing as Key, then, await standing(job, earlier));
  if (Object.keys(fields).length > 0) await sendBack(job, earlier, "fields", fields);
}

/** Hangs a page under the parent that it had. Where nobody told which that was it stays. */
export async function parentAsThen(job: UndoJob, earlier: Earlier): Promise<void> {
  const parent = earlier.body?.["parent"];
  if (parent === undefined) return;
  const now = (await standing(job, earlier))["parent"];
  if (now !== undefined && now !== parent) await sendBack(job, earlier, "parent", { parent });
}

/** Publishes a guide that was public. */
export async function publishAsThen(job: UndoJob, earlier: Earlier): Promise<void> {
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
export function asThen(now: Written, { written, theirs }: Earlier): Written {
  // Nothing was known of it: then it is theirs again, and nothing is.
  if (written === null) return { ...now, facts: { deleted: true } };
  // With our old revision, as before: what stands there is a conflict for the next load too.
  if (theirs) return written;
  return { ...now, adopted: written.adopted, facts: { ...written.facts, ...told(now.facts) } };
}

/** What was made anew has another id: earlier runs, which can be undone too, knew it by the old one. */
export async function renumber({ past }: UndoJob, row: Pick<Earlier, "thing" | "id">): Promise<void> {
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

/** Under which key the ledger knows a step that was made anew; one that was there before us, and gone since, has none of the source's. */
export function stepKeyOf({ thing, id }: Pick<Earlier, "thing" | "id">): Key {
  return thing.startsWith("step/") ? (thing as Key) : `step/${id ?? ""}+surplus`;
}

const TOLD = ["steps", "flags", "public", "author", "filled", "images", "language", "documents"];

/** What an answer shows of a thing; the rest of its facts is what the ledger knew of it then. */
function told(facts: Body): Body {
  return Object.fromEntries(TOLD.filter((name) => name in facts).map((name) => [name, facts[name]]));
}
