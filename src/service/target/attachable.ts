import { idIn, type Key, kindOf } from "../../core/model/key.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { uploadedId } from "./handlers/upload.js";
import type { Work } from "./parts.js";

/**
 * The id under which a medium of the site itself may be put into a thing: only what stands in the account's own media manager
 * can be. An image of somebody else's is copied into it first (api-facts 5.3), of a document or video there is a second upload.
 * What the thing shows now may stay as it is.
 */
export async function attachable(work: Work, key: Key, id: number): Promise<number> {
  if (work.desk.copies === null || id !== idIn(key) || (await isShown(work, key))) return id;
  if (kindOf(key) === "image") return copied(work, id, work.desk.copies);
  const copy = await work.context.written(ownCopyKey(key));
  return copy === undefined ? id : Number(copy.id);
}

/** The key under which the ledger has the second upload of a document or video. */
export function ownCopyKey(key: Key): Key {
  return `${key}+own`;
}

/** By what the ledger knows that the thing shows, see `presentWritten`. */
async function isShown({ call, context }: Work, key: Key): Promise<boolean> {
  const written = await context.written(ownerOf(call));
  const shown = written?.facts[`${kindOf(key)}s`];
  return Array.isArray(shown) && shown.map(String).includes(String(idIn(key)));
}

function ownerOf(call: Work["call"]): Key {
  if (call.verb === "save-step") return call.step.key;
  if (call.verb === "save-guide") return call.guide;
  return call.verb === "save-wiki" ? call.wiki : "record/nothing";
}

/** One copy for all that use it in a run. */
function copied(work: Work, id: number, copies: Map<number, Promise<number>>): Promise<number> {
  const copy = copies.get(id) ?? copyOf(work, id);
  copies.set(id, copy);
  return copy;
}

/** What a site says that has no such call, or not for this account: then the image itself is tried. */
const REFUSALS: readonly number[] = [400, 403, ...NOT_AVAILABLE, 422];

/** A copy whose answer was lost is made again: twice in the media manager is no double in content. */
async function copyOf({ desk, signal }: Work, id: number): Promise<number> {
  const call = { method: "POST", path: `user/media/images/${id}`, expect: REFUSALS } as const;
  const { json, status } = await desk.client.send(call, signal);
  return REFUSALS.includes(status) ? id : (uploadedId(json) ?? id);
}
