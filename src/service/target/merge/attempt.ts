import type { Body } from "../../../core/contracts.js";
import type { Token } from "../../wire/write/revision.js";
import { writable } from "../../wire/write/writable.js";
import type { Edit, Edited } from "../edit.js";
import type { Work } from "../parts.js";
import type { Merged } from "./merge-bodies.js";
import { idsOf, keptGone, keptTheirs, tellClashes } from "./merge-issues.js";
import {
  agreedSteps,
  apartIn,
  apartSteps,
  carriedFacts,
  clashesIn,
  factsOfMerge,
  sentAsAfter,
  standsApart,
} from "./standing-apart.js";

/** What is sent next. */
export interface Attempt {
  readonly token: Token;
  readonly json: Body;
  /** The same in the names of writing. */
  readonly sends: Body;
  /** What a merge left apart; undefined: all of the edit is sent. */
  readonly merged?: Merged;
}

/** All of the edit. */
export function plainAttempt(edit: Edit, token: Token): Attempt {
  return { token, json: edit.json, sends: sendsOf(edit) };
}

/** What an edit would send, in the names of writing. */
export function sendsOf({ sends, json, goneIsDone }: Edit): Body {
  return sends ?? (goneIsDone === true ? { deleted: true } : json);
}

/** What a merge leaves of the edit. */
export function mergedAttempt(edit: Edit, token: Token, merged: Merged): Attempt {
  const json = edit.jsonOf?.(merged.send) ?? (edit.sends === undefined ? merged.send : edit.json);
  return { token, json, sends: merged.send, merged };
}

/** What an edit came to, told and noted. `sent`: what went out, in the names of writing. */
export async function settled(
  work: Work,
  edit: Edit,
  json: unknown,
  merged: Merged | undefined,
  sent: Body,
): Promise<Edited> {
  const { written, compared } = edit;
  const there = writable(compared, json);
  const apart = await apartAfter(work, edit, there, merged, sent);
  const clashes = merged?.clashes ?? [];
  // A clash of fields that this edit doesn't carry is that of another operation, which looks at it again in each run.
  const ours = edit.sends ?? edit.json;
  const others = clashesIn(written).filter((field) => field in apart && ours[field] === undefined);
  const open = new Set([...others, ...clashes.map(({ field }) => field)]);
  tellClashes(work, clashes);
  const kept = Object.keys(apart).filter((field) => !open.has(field));
  const told = [...(await keptGone(work, apart["steps"], there["steps"])), ...keptTheirs(kept, { base: apart, there })];
  return {
    json,
    facts: {
      ...carriedFacts(written),
      ...factsOfMerge({ apart, clashes: [...open], sentAs: sentAsAfter(written, sent, there) }),
    },
    open: clashes.length > 0,
    apart: standsApart(written) || Object.keys(apart).length > 0 ? told : undefined,
  };
}

async function apartAfter(
  { context }: Work,
  { written, compared, agreed }: Edit,
  there: Body,
  merged: Merged | undefined,
  sent: Body,
): Promise<Body> {
  const rest = Object.entries(apartIn(written)).filter(([field]) => sent[field] === undefined);
  const apart = merged?.apart ?? Object.fromEntries(rest);
  const isClash = merged?.clashes.some(({ field }) => field === "steps") === true;
  if (compared !== "guide" || isClash) return apart;
  const steps = agreed ?? idsOf(apart["steps"] ?? agreedSteps(written));
  if (steps.join() === idsOf(there["steps"] ?? steps).join()) return apartSteps(apart, steps, undefined, () => true);
  const keys = await Promise.all(steps.map((id) => context.keyOf("step", id)));
  return apartSteps(apart, steps, there["steps"], (id) => keys[steps.indexOf(id)] !== undefined);
}
