import { type Key, kindOf, languageIn } from "../../core/model/key.js";
import type { NotSent } from "../../storage/ledger/run-outcomes.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";
import type { Run } from "../../storage/workspace/run-log.js";
import { createFailureBook } from "./failure-book.js";
import { atTarget, isStopped } from "./run-at-target.js";
import { type Causes, causesSchema, type RunCounts } from "./run-report.js";

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

/** An item that is not at the target as it is now, and what it counts as in a run. */
export interface NotThere extends Omit<NotSent, "outcome"> {
  readonly outcome: NotSent["outcome"] | "unchanged";
  /** What the ledger counts it as, which knows nothing of what a run chose. */
  readonly before: NotSent["outcome"];
}

/**
 * The items that are not at the target as they are now and did not fail. A stopped run tells only of what a rule keeps away, since it did not come to
 * the rest. `isChosen`: was the item chosen for the run? What was left out of an earlier one is not this one's; default: all were.
 */
export function notThereOf(
  target: TargetStatus | undefined,
  run: Run,
  isChosen: (key: Key) => boolean = () => true,
): readonly NotThere[] {
  const rows = [...(target?.notSent(atTarget(run), !isStopped(run)) ?? [])];
  const out = new Map(
    rows.filter(({ key, outcome }) => outcome === "leftOut" && isChosen(key)).map((row) => [row.key, row]),
  );
  return rows.map((row): NotThere => {
    const { key, outcome: before } = row;
    // A translation goes with its guide, and nothing is said of it by itself.
    const guide = before === "absent" && languageIn(key) !== undefined ? out.get(guideOf(key)) : undefined;
    if (guide !== undefined && isChosen(key))
      return { ...row, before, outcome: "leftOut", takenInBy: guide.takenInBy, reason: "Its guide is left out." };
    if (isChosen(key) || (before !== "leftOut" && before !== "unsupported")) return { ...row, before };
    return { ...row, before, outcome: row.stands ? "unchanged" : "absent", reason: null, remedy: null };
  });
}

function guideOf(translation: Key): Key {
  return translation.replace(/@[^+]*/, "") as Key;
}

type ByWhy = Pick<RunCounts, "leftOut" | "unsupported" | "notSent">;

const NOTHING: ByWhy = {
  leftOut: { count: 0, ways: [] },
  unsupported: { count: 0, causes: [] },
  notSent: { count: 0, causes: [] },
};

/** The same by why; runs that count by themselves have told it at their end. */
export function notSentOf(rows: readonly NotThere[], run: Run): ByWhy {
  const own = causesSchema.safeParse(run.summary?.["notDone"]);
  if (own.success) return { ...NOTHING, notSent: own.data };
  const out = rows.filter(({ outcome }) => outcome === "leftOut");
  const ways = [...new Set(out.map(({ takenInBy }) => takenInBy))].map((takenInBy) => ({
    takenInBy,
    command: null,
    ...causesOf(out.filter((row) => row.takenInBy === takenInBy)),
  }));
  const isOther = ({ outcome }: NotThere): boolean => outcome === "dropped" || outcome === "absent";
  return {
    leftOut: { count: out.length, ways },
    unsupported: causesOf(rows.filter(({ outcome }) => outcome === "unsupported")),
    notSent: causesOf(rows.filter(isOther)),
  };
}

function causesOf(rows: readonly NotThere[]): Causes {
  const book = createFailureBook();
  for (const { key, reason, remedy } of rows) {
    const told = reason === null ? untold(key) : { reason, remedy: remedy ?? "" };
    book.add({ stage: "load", key, target: null, ...told });
  }
  return { count: book.count, causes: book.causes().map((cause) => ({ ...cause, stages: ["check"] })) };
}

function untold(key: Key): (typeof UNTOLD)[keyof typeof UNTOLD] {
  if (MEDIA.has(kindOf(key))) return UNTOLD.medium;
  return languageIn(key) === undefined ? UNTOLD.item : UNTOLD.translation;
}
