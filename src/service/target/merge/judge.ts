import type { Body } from "../../../core/contracts.js";
import { carries } from "../../wire/write/compared.js";
import { sameField } from "../../wire/write/same-field.js";
import { writable } from "../../wire/write/writable.js";
import type { Edit } from "../edit.js";
import type { Work } from "../parts.js";
import { type Merged, mergeBodies } from "./merge-bodies.js";
import { apartIn, isAsSent, standsApart } from "./standing-apart.js";

/** What may be sent to a thing as it stands. */
export interface Judged {
  /** undefined: all of the edit. */
  readonly merged?: Merged;
  /** Did somebody else make it what it is now? Then it is kept before it is written over. */
  readonly isForeign: boolean;
}

/**
 * What `--on-conflict` says of a thing that may be another than we left. undefined: it stays as it is. What an earlier run left to
 * somebody else stays theirs under every policy except `update`.
 */
export async function judge(work: Work, edit: Edit, current: unknown, untouched: boolean): Promise<Judged | undefined> {
  const { onConflict } = work.desk;
  const isForeign = !untouched || standsApart(edit.written);
  if (!isForeign) return { isForeign };
  // Of what goes as a whole nothing can be merged.
  if (edit.goneIsDone === true) return onConflict === "update" ? { isForeign } : undefined;
  if (onConflict === "update") return { isForeign, merged: overwriting(edit, await merge(work, edit, current)) };
  if (onConflict !== "merge" && !untouched) return undefined;
  const merged = await merge(work, edit, current);
  return merged.clashes.length > 0 && onConflict !== "merge" ? undefined : { isForeign, merged };
}

/**
 * undefined: it is not yet as the edit would make it. Else what stands otherwise than we want it beside: an answer that got lost, or
 * somebody who did the same.
 */
export async function alreadyDone(work: Work, edit: Edit, current: unknown): Promise<Merged | undefined> {
  const isDone = edit.isDone ?? ((there: unknown) => carries(edit.compared, there, edit.json));
  if (!isDone(current)) return undefined;
  const left = await work.context.left(edit.written.key);
  const there = writable(edit.compared, current);
  const sends = edit.sends ?? edit.json;
  const isOutstanding = (field: string): boolean =>
    left !== undefined &&
    there[field] !== undefined &&
    sameField(field, there[field], left[field]) &&
    !sameField(field, sends[field], left[field]) &&
    !isAsSent(edit.written, field, sends[field]);
  // Pictures tell nothing of what they are, only whether they are others than before.
  if (Object.keys(sends).some((field) => sends[field] !== undefined && isOutstanding(field))) return undefined;
  return { ...overwriting(edit, await merge(work, edit, current)), send: {} };
}

async function merge(work: Work, edit: Edit, current: unknown): Promise<Merged> {
  const { written, compared } = edit;
  const left = await work.context.left(written.key);
  const known: Body = compared === "guide" ? { steps: written.facts["steps"] } : {};
  const apart = apartIn(written);
  return mergeBodies({
    base: left === undefined && Object.keys(apart).length === 0 ? undefined : { ...left, ...known, ...apart },
    theirs: writable(compared, current),
    ours: edit.sends ?? edit.json,
    isAsSent: (field, value) => isAsSent(written, field, value),
  });
}

/** All of the edit is sent; what it doesn't carry stays as they have it, and apart. */
function overwriting(edit: Edit, { apart }: Merged): Merged {
  const send = edit.sends ?? edit.json;
  const rest = Object.entries(apart).filter(([field]) => send[field] === undefined);
  return { send, clashes: [], apart: Object.fromEntries(rest) };
}
