import type { Loaded, Operation, Phase } from "../core/contracts.js";
import type { Verb } from "../core/model/call.js";

/** A write of a guide, as far as it tells what the next one meets. */
export interface Sent {
  readonly verb: Verb;
  readonly phase: Phase | "again";
  /** It changes a thing that was there. */
  readonly edits: boolean;
}

const ORDER: readonly Sent["phase"][] = ["main", "again", "finish", "publish"];
/** Answers that show the guide as it is now. */
const SHOWS_GUIDE: ReadonlySet<Verb> = new Set(["save-step", "delete-step", "add-tag", "remove-tag"]);
/** Writes that need the guide's revision. */
const GUARDED: ReadonlySet<Verb> = new Set(["save-guide", "order-steps", "finish-guide", "set-visibility"]);

/**
 * How many edits of a guide are refused once (409) and sent again: the edit of a step moves the revision of its guide too,
 * and its answer shows the step only.
 */
export function staleEdits(sent: readonly Sent[]): number {
  let stale = false;
  let count = 0;
  for (const { verb, edits } of sent.toSorted((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase))) {
    if (stale && edits && GUARDED.has(verb)) count += 1;
    if (verb === "save-step" && edits) stale = true;
    else if (SHOWS_GUIDE.has(verb) || GUARDED.has(verb)) stale = false;
  }
  return count;
}

/** Does it change a thing that was there? */
export function isEdit({ call }: Operation, { written }: Loaded): boolean {
  if (call.verb === "save-guide") return written.has(call.guide);
  return call.verb !== "save-step" || written.has(call.step.key);
}
