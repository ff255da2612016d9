import type { Inline } from "../wiki/tree.js";
import type { Tell } from "./draft.js";
import { joinNeighbours } from "./join-neighbours.js";
import { REPAIRS } from "./repairs.js";

/** Whether inlines, printed and parsed where they stand, say what they say. */
export type ReadBack = (inlines: readonly Inline[]) => boolean;

/** Told when no way was found to write something. */
export const READS_DIFFERENTLY = "reads-differently";

/** Inlines changed as little as possible so that they read as they are meant. */
export function settleInlines(given: readonly Inline[], readsBack: ReadBack, tell: Tell): readonly Inline[] {
  const inlines = joinNeighbours(given);
  const repair = REPAIRS.find(({ apply }) => readsBack(apply(inlines)));
  if (repair === undefined) {
    tell(READS_DIFFERENTLY, "loss", "This text reads differently in wiki text, and no way was found to write it.");
    return inlines;
  }
  const { apply, issue } = repair;
  if (issue !== undefined) tell(issue.code, issue.level, issue.message);
  return apply(inlines);
}
