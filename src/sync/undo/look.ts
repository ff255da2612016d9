import type { Earlier } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import { parallel } from "../../core/util/parallel.js";
import { halt } from "../halt.js";
import { isTranslation } from "../translations/translation-key.js";
import { caseOf } from "./case.js";
import { judge, type Verdict } from "./judge.js";
import { judgeTranslation } from "./judge-translation.js";
import type { UndoNotes } from "./notes.js";
import { REASONS, type Reason } from "./reasons.js";
import type { Refusal, UndoCounts, UndoJob } from "./undo-job.js";
import { keepUsed } from "./uses.js";

/** Looks at everything that the run made or changed, as it stands now, and tells what can't be undone. Writes nothing to the site. */
export async function look(job: UndoJob, notes: UndoNotes, unsettled: ReadonlySet<Key>): Promise<UndoCounts> {
  const { past, run, control } = job;
  const tally = new Tally(job, notes);
  await parallel(past.items(run.id, "last"), control.concurrency, async (item) => {
    halt(control);
    for (const verdict of await verdictsOf(job, notes, item))
      await tally.take(unsettled.has(item) ? { ...verdict, reason: "unsettled" } : verdict);
    control.progress({ stage: "check", done: tally.total(), total: run.open, key: item, failed: 0 });
  });
  await keepUsed(job, notes, (item) => tally.keep(item, "used"));
  return tally.counts;
}

async function verdictsOf(job: UndoJob, notes: UndoNotes, item: Key): Promise<readonly Verdict[]> {
  return isTranslation(item) ? judgeTranslation(job, notes, item) : judge(await caseOf(job, item));
}

/** Notes each verdict, and tells of what stays. */
class Tally {
  readonly #job: UndoJob;
  readonly #notes: UndoNotes;
  readonly counts = { delete: 0, putBack: 0, makeAgain: 0, nothing: 0, refused: 0 };

  constructor(job: UndoJob, notes: UndoNotes) {
    this.#job = job;
    this.#notes = notes;
  }

  total(): number {
    return Object.values(this.counts).reduce((total, number) => total + number, 0);
  }

  async take({ earlier, change, reason, unanswered, stuck = [] }: Verdict): Promise<void> {
    this.#notes.put(earlier.thing, { change, refused: reason !== undefined, unanswered: unanswered === true });
    this.counts[reason === undefined ? COUNTED[change] : "refused"] += 1;
    if (reason !== undefined) await this.#job.onRefusal(await refusalOf(this.#job, earlier, reason));
    else if (stuck.length > 0) await this.#tellStuck(earlier, stuck);
  }

  /** The rest of the thing is put back. */
  async #tellStuck(earlier: Earlier, fields: readonly string[]): Promise<void> {
    this.counts.refused += 1;
    const why = `${fields.join(", ")}: ${REASONS["no-call"]}; the rest of it is put back.`;
    await this.#job.onRefusal(await refusalOf(this.#job, earlier, "no-call", why));
  }

  /** Of something that would have gone. */
  async keep(item: Key, reason: Reason): Promise<void> {
    const { past, run, onRefusal } = this.#job;
    for (const earlier of past.earlier(run.id, item)) {
      const noted = this.#notes.of(earlier.thing);
      if (noted === undefined || noted.refused) continue;
      this.#notes.put(earlier.thing, { ...noted, refused: true });
      this.counts[COUNTED[noted.change]] -= 1;
      this.counts.refused += 1;
      await onRefusal(await refusalOf(this.#job, earlier, reason));
    }
  }
}

const COUNTED = {
  delete: "delete",
  replace: "delete",
  "put-back": "putBack",
  set: "putBack",
  "make-again": "makeAgain",
  comment: "delete",
  forget: "nothing",
  same: "nothing",
  nothing: "nothing",
} as const satisfies Record<Verdict["change"], keyof UndoCounts>;

/** What is told of a thing that stays. */
export async function refusalOf(
  { workspace, past, run }: UndoJob,
  { item, thing, id }: Pick<Refusal, "item" | "thing" | "id">,
  reason: Reason,
  why?: string,
): Promise<Refusal> {
  const title = workspace.items.entry(item)?.title ?? "";
  // What goes with its item goes by the runs that changed the item.
  const changed = (of: string): string | undefined => past.changedLater(run.id, of, of === item);
  const later = reason === "changed-later" ? (changed(thing) ?? changed(item)) : undefined;
  const words = REASONS[reason] + (later === undefined ? "" : ` (${later})`);
  // What the run made had no id before.
  const there = id ?? (await past.ledger.idOf(thing as Key)) ?? null;
  return { item, thing, id: there, title, reason, message: why ?? `${words}.` };
}
