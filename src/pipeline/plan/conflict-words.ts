import type { LoadOptions } from "../load-job.js";

/** What `--on-conflict` does with what somebody edited at the target. */
export const CONFLICT_WORDS: Readonly<Record<LoadOptions["onConflict"], string>> = {
  skip: "With --on-conflict skip it stays as it is there.",
  update: "With --on-conflict update it is overwritten.",
  merge:
    "With --on-conflict merge both sides' changes are kept; where both changed one field, theirs stays and is listed.",
  fail: "With --on-conflict fail it stays as it is there, and counts as failed.",
};
