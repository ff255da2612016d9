import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { Change } from "./judge.js";
import type { UndoNotes } from "./notes.js";
import type { UndoJob, UndoneKinds, UndoOutcome } from "./undo-job.js";

/** Nothing has to be done for these. */
const IDLE: ReadonlySet<Change> = new Set(["nothing", "same", "forget"]);
const DELETES: ReadonlySet<Change> = new Set(["delete", "replace"]);

/** What is known of an item from its things, as far as they were looked at. */
interface Seen {
  readonly own: Change | undefined;
  readonly isUndone: boolean;
  readonly isOpen: boolean;
  readonly isRefused: boolean;
}

const UNSEEN: Seen = { own: undefined, isUndone: false, isOpen: false, isRefused: false };

/** Counts the items of an undo as they stand now: at its end, or where it was stopped. What an earlier undo took back is none of this one. */
export function undoneKinds(job: UndoJob, notes: UndoNotes): UndoneKinds {
  const counts: Partial<Record<Kind, Partial<Record<UndoOutcome, number>>>> = {};
  let item: Key | undefined;
  let seen = UNSEEN;
  let isLooked = false;
  const close = (): void => {
    if (item === undefined || !isLooked) return;
    const outcome = outcomeOf(seen, job.failed.has(item));
    const row = counts[kindOf(item)] ?? {};
    counts[kindOf(item)] = { ...row, [outcome]: (row[outcome] ?? 0) + 1 };
  };
  for (const thing of job.past.things(job.run.id)) {
    if (thing.item !== item) {
      close();
      [item, seen, isLooked] = [thing.item, UNSEEN, false];
    }
    const noted = notes.of(thing.thing);
    if (noted === undefined) continue;
    isLooked = true;
    const { change, refused } = noted;
    const isWork = !refused && !IDLE.has(change);
    seen = {
      own: thing.thing === item ? change : seen.own,
      isUndone: seen.isUndone || (isWork && thing.isUndone),
      isOpen: seen.isOpen || (isWork && !thing.isUndone),
      isRefused: seen.isRefused || refused,
    };
  }
  close();
  return counts;
}

function outcomeOf({ own, isUndone, isOpen, isRefused }: Seen, hasFailed: boolean): UndoOutcome {
  if (hasFailed) return "failed";
  if (isOpen) return "waiting";
  if (isUndone) return own === "make-again" ? "created" : own !== undefined && DELETES.has(own) ? "deleted" : "updated";
  return isRefused ? "left" : "unchanged";
}
