import type { Body } from "../../../core/contracts.js";
import { maybeEncodedAnew, sameField } from "../../wire/write/same-field.js";

/** What we know that a thing may be without anybody else's work in it; null: unknown. */
export interface Ours {
  /** Digest and body of what our last answered write left. */
  readonly digest: string | null;
  readonly left: Body | null;
  /** How it was before: an undo that was stopped may have put a part of it back. */
  readonly earlier: Body | null;
  /** What a write carried of which no answer came. */
  readonly sent: Body | null;
}

/**
 * Does a thing stand as our own writes made it? As our last answer showed it; or else each field as one of those writes, answered or not,
 * or as it was before them: then it would be put back to that anyway.
 */
export function isOurs(present: { readonly digest: string; readonly body: Body }, ours: Ours): boolean {
  if (ours.digest !== null && present.digest === ours.digest) return true;
  if (ours.left === null && ours.earlier === null) return false;
  const known = [ours.left, ours.earlier, ours.sent].filter((body) => body !== null);
  return Object.entries(present.body).every(([field, value]) => {
    // What no answer told before says nothing of who wrote it.
    const told = known.filter((body) => field in body);
    return told.length === 0 || told.some((body) => isSame(field, body[field], value));
  });
}

/** Was this sent and done? It stands there, and something of it is otherwise than before. */
export function standsNow(present: { readonly body: Body }, sent: Body, before: Body): boolean {
  const told = Object.keys(sent).filter((field) => field in present.body);
  if (!told.every((field) => isSame(field, sent[field], present.body[field]))) return false;
  return told.some((field) => !isSame(field, before[field], present.body[field]));
}

function isSame(field: string, one: unknown, other: unknown): boolean {
  return sameField(field, one, other) || maybeEncodedAnew(field, one, other);
}
