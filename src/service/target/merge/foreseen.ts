import type { Body, Written } from "../../../core/contracts.js";
import type { Desk } from "../parts.js";
import { mergeBodies } from "./merge-bodies.js";
import { apartIn, isAsSent, standsApart } from "./standing-apart.js";

/** What would come of an edit. */
export interface Foreseen {
  /** The fields that are written. */
  readonly send: Body;
  /** Fields that stay as they stand there, with what the edit would have made of them. */
  readonly stay: Body;
}

/** What is known before an edit. All bodies are in the names of writing. */
export interface Foresight {
  readonly onConflict: Desk["onConflict"];
  /** What the ledger knows of the thing, and how we left it. */
  readonly ours: Written;
  readonly left: Body | undefined;
  /** As it stands there. */
  readonly present: Written;
  readonly send: Body;
}

/** What `--on-conflict` makes of an edit of a thing as it stands now, as `judge` does when it meets it. */
export function foreseen({ onConflict, ours, left, present, send }: Foresight): Foreseen {
  const isUntouched = present.left === ours.left;
  if (onConflict === "update" || (isUntouched && !standsApart(ours))) return { send, stay: {} };
  if (onConflict !== "merge" && !isUntouched) return { send: {}, stay: send };
  const apart = apartIn(ours);
  const steps = ours.facts["steps"];
  const known: Body = { ...left, ...(steps === undefined ? {} : { steps }), ...apart };
  const merged = mergeBodies({
    base: left === undefined && Object.keys(apart).length === 0 ? undefined : known,
    theirs: present.body ?? {},
    ours: send,
    isAsSent: (field, value) => isAsSent(ours, field, value),
  });
  if (merged.clashes.length > 0 && onConflict !== "merge") return { send: {}, stay: send };
  return { send: merged.send, stay: Object.fromEntries(merged.clashes.map(({ field, ours }) => [field, ours])) };
}
