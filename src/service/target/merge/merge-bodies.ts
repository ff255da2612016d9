import type { Body } from "../../../core/contracts.js";
import { maybeEncodedAnew, sameField } from "../../wire/write/same-field.js";
import { mergeOrder } from "./merge-order.js";
import { mergeSets } from "./merge-sets.js";

/** A field that both sides changed, each otherwise. */
export interface Clash {
  readonly field: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** What three versions of one thing come to. */
export interface Merged {
  /** The fields that have to be sent so that it becomes as both want it. Empty: it is already. */
  readonly send: Body;
  readonly clashes: readonly Clash[];
  /** Fields in which it stands otherwise than we want it, clashes included: each with the value that both sides once agreed on. */
  readonly apart: Body;
}

export interface Versions {
  /** What both sides agreed on last: undefined where nothing is known of it, and then nothing is taken as unchanged. */
  readonly base: Body | undefined;
  /** What stands there. It has every field that can be seen, also those that this write doesn't carry. */
  readonly theirs: Body;
  /** What this write would send. */
  readonly ours: Body;
  /** Was this the value of the field when it was sent last, although the site made another one of it? Default: no. */
  readonly isAsSent?: (field: string, value: unknown) => boolean;
}

/**
 * Merges three versions field by field. What only we changed is sent, what only they changed stays and is noted as apart, what both
 * changed alike is done; sets take the additions and removals of both, an order the places of both. Everything else is a clash, and the
 * field stays as theirs. All bodies are in the names of writing.
 */
export function mergeBodies(versions: Versions): Merged {
  const { theirs, ours } = versions;
  const send: Record<string, unknown> = {};
  const apart: Record<string, unknown> = {};
  const clashes: Clash[] = [];
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const outcome = mergeField(field, versions);
    if ("send" in outcome) send[field] = outcome.send;
    if ("apart" in outcome) apart[field] = outcome.apart;
    if ("clash" in outcome) clashes.push(outcome.clash);
  }
  return { send, clashes, apart };
}

interface Outcome {
  readonly send?: unknown;
  readonly apart?: unknown;
  readonly clash?: Clash;
}

function mergeField(field: string, versions: Versions): Outcome {
  const [base, theirs, ours] = [versions.base?.[field], versions.theirs[field], versions.ours[field]];
  const isAsTheirs = theirs !== undefined && sameField(field, ours, theirs);
  const theyChanged = theirs !== undefined && (base === undefined || !sameField(field, theirs, base));
  if (ours === undefined) return theyChanged && base !== undefined ? keptTheirs(field, base, theirs) : {};
  const weChanged = base === undefined || !(versions.isAsSent?.(field, ours) === true || sameField(field, ours, base));
  if (isAsTheirs) return {};
  // Steps of others stand in theirs and never in ours: the two are no rivals.
  if (field === "steps") return mergeChanges(field, { field, base: base ?? [], theirs, ours });
  if (!theyChanged) return weChanged ? { send: ours } : {};
  if (!weChanged) return keptTheirs(field, base, theirs);
  return mergeChanges(field, { field, base, theirs, ours });
}

function keptTheirs(field: string, base: unknown, theirs: unknown): Outcome {
  return maybeEncodedAnew(field, base, theirs) ? {} : { apart: base };
}

/** Both changed it. */
function mergeChanges(field: string, clash: Clash): Outcome {
  const merged = MERGES[field]?.(clash.base, clash.theirs, clash.ours);
  // Nobody knows what both agreed on: a set of which only one side is known can't be merged.
  if (merged === undefined || clash.base === undefined) return { apart: clash.base ?? null, clash };
  const rest = sameField(field, merged, clash.ours) ? {} : { apart: clash.ours };
  return sameField(field, merged, clash.theirs) ? rest : { ...rest, send: merged };
}

/** Fields that are more than one value. undefined: both can't be had. */
const MERGES: Readonly<Record<string, (base: unknown, theirs: unknown, ours: unknown) => unknown>> = {
  flags: mergeSets,
  documents: mergeSets,
  prerequisites: mergeSets,
  steps: mergeOrder,
};
