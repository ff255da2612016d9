import { ITEM_KINDS, type Key, kindOf } from "../../../core/model/key.js";
import type { InPlaceSummary } from "../../../backup/in-place-summary.js";
import { createFailureBook } from "../../../web/report/failure-book.js";
import type { Causes, KindRow } from "../../../web/report/run-report.js";

type Counts = Partial<Omit<KindRow, "kind" | "losses">>;

/** What the run log keeps of a site that was put back, for its report: the ledger knows only what a load wrote of it. */
export function restoredFacts(
  summary: InPlaceSummary,
  failed: ReadonlySet<Key>,
): { readonly kinds: Readonly<Record<string, Counts>>; readonly notDone: Causes } {
  const kinds = ITEM_KINDS.map((kind) => [kind, countsOf(kind, summary, outcomesOf(summary, failed))] as const);
  return { kinds: Object.fromEntries(kinds), notDone: notDoneOf(summary) };
}

type Outcome = "updated" | "created" | "left" | "failed";

/** What became of the items that were not as they were; a later line weighs more. */
function outcomesOf(summary: InPlaceSummary, failed: ReadonlySet<Key>): ReadonlyMap<Key, Outcome> {
  const { followed, putBack, broughtBack, anew, left, raced } = summary;
  const of = (keys: Iterable<Key>, outcome: Outcome) => [...keys].map((key) => [key, outcome] as const);
  const keys = (list: readonly { readonly key: Key }[]) => list.map(({ key }) => key);
  return new Map([
    ...of(followed, "updated"),
    ...of(keys(putBack), "updated"),
    ...of(keys([...broughtBack, ...anew]), "created"),
    ...of([...keys(left), ...raced], "left"),
    ...of(failed, "failed"),
  ]);
}

function countsOf(kind: string, summary: InPlaceSummary, outcomes: ReadonlyMap<Key, Outcome>): Counts {
  const { items = 0, untouched = 0 } = summary.compared[kind] ?? {};
  const followed = new Set(summary.followed);
  const counts = { updated: 0, created: 0, left: 0, failed: 0 };
  let others = 0;
  let again = 0;
  for (const [key, outcome] of outcomes) {
    if (kindOf(key) !== kind) continue;
    counts[outcome] += 1;
    // It was as it was when it was compared, if it was.
    if (followed.has(key)) again += 1;
    else others += 1;
  }
  const unchanged = Math.max(0, untouched - again);
  return { ...counts, unchanged, notSent: Math.max(0, items - untouched - others) };
}

/** Lost rows have no keys: the file that they stood in stands for them. */
const ROWS: Key = "record/items.ndjson";

function notDoneOf({ snapshot, left, lost, raced, unknown }: InPlaceSummary): Causes {
  const book = createFailureBook();
  const add = (key: Key, reason: string, remedy: string): void =>
    book.add({ stage: "load", key, target: null, reason, remedy });
  for (const { key } of left)
    add(key, "Edited since the snapshot, and left.", "Name it with --include, or give --on-conflict update.");
  for (const key of raced) add(key, "Edited while this ran, and left.", "Run again to put it back too.");
  for (const { key, reason } of lost) add(key, reason, "");
  if (unknown > 0)
    add(
      ROWS,
      `${unknown} items of the snapshot ${snapshot} are lost: its rows are damaged, and nothing else tells of them.`,
      "Restore them from an earlier snapshot (--at).",
    );
  return { count: book.count, causes: book.causes().map((cause) => ({ ...cause, stages: ["restore"] })) };
}
