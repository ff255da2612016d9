import { plain } from "../../../training/report/plain.js";
import type { Action, PackageResult } from "../../../training/result.js";
import { createFailureBook, type FailureBook } from "../../../web/report/failure-book.js";
import type { Causes, KindRow } from "../../../web/report/run-report.js";

/** What the run log keeps of an import for its report: packages are no items. */
export interface ImportRecord {
  add(result: PackageResult): void;
  facts(): { readonly kinds: Readonly<Record<string, Outcomes>>; readonly notDone: Causes; readonly wentWrong: Causes };
}

type Outcome = "created" | "updated" | "unchanged" | "notSent" | "failed" | "waiting";
type Outcomes = Readonly<Partial<Pick<KindRow, Outcome>>>;

/** What a package has come to when nothing went wrong with it. */
const DONE = {
  "new-module": "created",
  "new-version": "updated",
  "go-on": "updated",
  publish: "updated",
  unchanged: "unchanged",
  "same-as": "unchanged",
  refused: "notSent",
} as const satisfies Readonly<Record<Action, Outcome>>;

const WORKS: ReadonlySet<Outcome> = new Set(["created", "updated"]);

/** `total`: packages that were found. */
export function createImportRecord(total: number): ImportRecord {
  const [notDone, wentWrong] = [createFailureBook(), createFailureBook()];
  const counts = new Map<Outcome, number>();
  let seen = 0;
  return {
    add: (result) => {
      const outcome = outcomeOf(result);
      seen += 1;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (outcome === "failed") note(wentWrong, result);
      if (outcome === "notSent") note(notDone, result);
    },
    facts: () => ({
      kinds: { package: { ...Object.fromEntries(counts), waiting: Math.max(0, total - seen) } },
      notDone: { count: notDone.count, causes: notDone.causes() },
      wentWrong: { count: wentWrong.count, causes: wentWrong.causes() },
    }),
  };
}

/** A reason is why a package that could have come is not there, or why nobody knows whether it is. */
function outcomeOf({ action, reason }: PackageResult): Outcome {
  const outcome = DONE[action];
  return WORKS.has(outcome) && reason !== "" ? "failed" : outcome;
}

function note(book: FailureBook, { checked, reason }: PackageResult): void {
  book.add({ stage: "import", key: plain(checked.file), target: null, reason, remedy: "" });
}
