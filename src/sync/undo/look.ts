import { keysOf } from "../../../transforms/references/reference.js";
import { references } from "../../../transforms/references/references.js";
import { isMediaKey, type Key, kindOf, originalGuide } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import type { Body, PreImage } from "../../core/writing.js";
import { usesIn } from "../../service/target/remote-state.js";
import { halt } from "../control.js";
import { isTranslation } from "../load/translation-key.js";
import { caseOf, judge, type UndoNotes, type Verdict } from "./judge.js";
import { REASONS, type Reason, type Refusal, type UndoCounts, type UndoJob } from "./undo-job.js";

/**
 * Looks at everything that the run made or changed, as it stands now, and tells what can't be
 * undone. Writes nothing to the site.
 */
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
  async #tellStuck(earlier: PreImage, fields: readonly string[]): Promise<void> {
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

const GOES: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * What an undo does with a guide in another language: no call takes one away or is known to restore
 * it (api-facts 4.3), so it goes with its guide, and stays with it.
 */
async function judgeTranslation(job: UndoJob, notes: UndoNotes, item: Key): Promise<readonly Verdict[]> {
  const earlier = job.past.earlier(job.run.id, item);
  const guide = originalGuide(item);
  const own = judge(await caseOf(job, guide)).find(({ earlier: { thing } }) => thing === guide);
  const goes = own !== undefined && own.reason === undefined && GOES.has(own.change);
  if (!goes) return earlier.map((each) => ({ earlier: each, change: "put-back", reason: "no-way-back" }));
  notes.put(item, { change: "nothing", refused: false, unanswered: false });
  return earlier.map((each) => ({ earlier: each, change: "nothing" }));
}

/**
 * Finds the things that would go although something that stays needs them: a category with a guide
 * in it, a prerequisite, a picture. They stay too, and with them what they need themselves; `stay`
 * is told of each.
 */
async function keepUsed(job: UndoJob, notes: UndoNotes, stay: (item: Key) => Promise<void>): Promise<void> {
  noteUses(job, notes);
  for (let found = true; found; ) {
    found = false;
    for (const item of job.past.items(job.run.id, "last")) {
      const noted = notes.of(item);
      if (noted === undefined || noted.refused || !GOES.has(noted.change)) continue;
      const id = await job.past.ledger.idOf(item);
      if (id === undefined || notes.userOf(`${kindOf(item)}/${id}`) === undefined) continue;
      found = true;
      await stay(item);
      await noteOwnUses(job, notes, item);
    }
  }
}

/** What is needed by what stays, or comes back. */
function noteUses(job: UndoJob, notes: UndoNotes): void {
  for (const { key, item, body } of job.past.standing()) {
    if (goes(notes, key) || goes(notes, item)) continue;
    const noted = notes.of(key);
    const isBack = noted?.change === "put-back" && !noted.refused;
    const then = isBack ? job.past.earlier(job.run.id, item).find(({ thing }) => thing === key)?.body : undefined;
    for (const use of usesOf(job, then ?? body)) notes.use(use, key);
  }
}

function goes(notes: UndoNotes, key: Key): boolean {
  const noted = notes.of(key);
  return noted !== undefined && !noted.refused && GOES.has(noted.change);
}

async function noteOwnUses(job: UndoJob, notes: UndoNotes, item: Key): Promise<void> {
  const { written } = await job.past.ledger.loaded(item);
  for (const key of written.keys()) {
    const body = await job.past.ledger.left(key);
    for (const use of body === undefined ? [] : usesOf(job, body)) notes.use(use, key);
  }
}

function usesOf({ survey }: UndoJob, body: Body): readonly string[] {
  const { names, texts } = usesIn(body);
  const shown = texts.flatMap((text) =>
    (["page", "line"] as const).flatMap((where) => references(text, survey.identity, where).flatMap(keysOf)),
  );
  return [...names, ...shown.filter((key) => isMediaKey(key))];
}
