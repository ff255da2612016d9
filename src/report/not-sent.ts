import { type Key, kindOf, languageIn } from "../model/key.js";
import type { TargetStatus } from "../workspace/ledger/target-status.js";
import type { Run } from "../workspace/run-log.js";
import { createFailureBook } from "./failure-book.js";
import { atTarget, isStopped } from "./run-at-target.js";
import { type Causes, causesSchema } from "./run-report.js";

/** What is told of an item of which no rule says why it is not there. */
const UNTOLD = {
  medium: {
    reason: "Nothing that was sent shows it, or the target takes no such file: the losses of what shows it say so.",
    remedy: "",
  },
  translation: { reason: "Its guide is not at the target, or the target takes no translations of guides.", remedy: "" },
  item: { reason: "It was not chosen for this run.", remedy: "Load it with --include, or without a choice." },
} as const;

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

/**
 * What is not at the target although nothing failed, by why. A stopped run tells only of what a rule keeps away, since it did not come to the
 * rest. Runs that count by themselves have told it at their end.
 */
export function notSentOf(target: TargetStatus | undefined, run: Run): Causes {
  const own = causesSchema.safeParse(run.summary?.["notDone"]);
  if (own.success) return own.data;
  const book = createFailureBook();
  if (run.summary?.["kinds"] === undefined)
    for (const { key, reason, remedy } of target?.notSent(atTarget(run), !isStopped(run)) ?? []) {
      const told = reason === null ? untold(key) : { reason, remedy: remedy ?? "" };
      book.add({ stage: "load", key, target: null, ...told });
    }
  return { count: book.count, causes: book.causes().map((cause) => ({ ...cause, stages: ["check"] })) };
}

function untold(key: Key): (typeof UNTOLD)[keyof typeof UNTOLD] {
  if (MEDIA.has(kindOf(key))) return UNTOLD.medium;
  return languageIn(key) === undefined ? UNTOLD.item : UNTOLD.translation;
}
