import type { LoadOptions } from "../load-job.js";
import type { TextChange } from "./text-change.js";

/** What `--on-conflict` does with what somebody edited at the target. */
export const CONFLICT_WORDS: Readonly<Record<LoadOptions["onConflict"], string>> = {
  skip: "With --on-conflict skip it stays as it is there.",
  update: "With --on-conflict update it is overwritten.",
  merge:
    "With --on-conflict merge both sides' changes are kept; where both changed one field, theirs stays and is listed.",
  fail: "With --on-conflict fail it stays as it is there, and counts as failed.",
};

/** Why a field stays, of which the plan shows what the source would make of it. */
export const STAYS_WORDS: Readonly<Record<NonNullable<TextChange["stays"]>, string>> = {
  clash: "stays as it is there, since both sides changed it; the source would make of it:",
  edited: "stays as it is there, since somebody edited it; the source would make of it:",
};
