import { keysOf } from "../../../transforms/references/reference.js";
import { references } from "../../../transforms/references/references.js";
import { isMediaKey, type Key, kindOf, originalGuide } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import type { Body, PreImage } from "../../core/writing.js";
import { usesIn } from "../../service/target/remote-state.js";
import { throwIfStopped } from "../control.js";
import { isTranslation } from "../load/translation-key.js";
import { REASONS, type Reason, type Refusal, type UndoCounts, type UndoJob } from "./undo-job.js";
import { caseOf, type UndoNotes, type Verdict, verdictsOn } from "./verdicts.js";

/** Checks all that the run created or changed; reports what can't be undone. Only reads. */
export async function look(job: UndoJob, notes: UndoNotes, unresolved: ReadonlySet<Key>): Promise<UndoCounts> {
  const { history, run, control } = job;
  const tally = new Tally(job, notes);
  await parallel(history.items(run.id, "last"), control.concurrency, async (item) => {
    throwIfStopped(control);
    for (const verdict of await verdictsOf(job, notes, item))
      await tally.take(unresolved.has(item) ? { ...verdict, reason: "unsettled" } : verdict);
    control.progress({ stage: "check", done: tally.total(), total: run.open, key: item, failed: 0 });
  });
  await keepUsed(job, notes, (item) => tally.keep(item, "used"));
  return tally.counts;
}

async function verdictsOf(job: UndoJob, notes: UndoNotes, item: Key): Promise<readonly Verdict[]> {
  return isTranslation(item) ? translationVerdicts(job, notes, item) : verdictsOn(await caseOf(job, item));
}

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

  async take({ preImage, change, reason, unanswered, stuck = [] }: Verdict): Promise<void> {
    this.#notes.put(preImage.thing, { change, refused: reason !== undefined, unanswered: unanswered === true });
    this.counts[reason === undefined ? COUNTED[change] : "refused"] += 1;
    if (reason !== undefined) await this.#job.onRefusal(await refusalOf(this.#job, preImage, reason));
    else if (stuck.length > 0) await this.#reportStuck(preImage, stuck);
  }

  async #reportStuck(preImage: PreImage, fields: readonly string[]): Promise<void> {
    this.counts.refused += 1;
    const why = `${fields.join(", ")}: ${REASONS["no-call"]}; the undo restores the rest.`;
    await this.#job.onRefusal(await refusalOf(this.#job, preImage, "no-call", why));
  }

  async keep(item: Key, reason: Reason): Promise<void> {
    const { history, run, onRefusal } = this.#job;
    for (const preImage of history.earlier(run.id, item)) {
      const noted = this.#notes.of(preImage.thing);
      if (noted === undefined || noted.refused) continue;
      this.#notes.put(preImage.thing, { ...noted, refused: true });
      this.counts[COUNTED[noted.change]] -= 1;
      this.counts.refused += 1;
      await onRefusal(await refusalOf(this.#job, preImage, reason));
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

export async function refusalOf(
  { workspace, history, run }: UndoJob,
  { item, thing, id }: Pick<Refusal, "item" | "thing" | "id">,
  reason: Reason,
  why?: string,
): Promise<Refusal> {
  const title = workspace.items.entry(item)?.title ?? "";
  // A part that is deleted with its item depends on the later runs that changed the item.
  const changed = (of: string): string | undefined => history.changedLater(run.id, of, of === item);
  const later = reason === "changed-later" ? (changed(thing) ?? changed(item)) : undefined;
  const words = REASONS[reason] + (later === undefined ? "" : ` (${later})`);
  // What the run created had no id before.
  const there = id ?? (await history.ledger.idOf(thing as Key)) ?? null;
  return { item, thing, id: there, title, reason, message: why ?? `${words}.` };
}

const GOES: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * No call deletes a translation or restores it (api-facts 4.3): it is deleted with its guide, or
 * kept with it.
 */
async function translationVerdicts(job: UndoJob, notes: UndoNotes, item: Key): Promise<readonly Verdict[]> {
  const preImages = job.history.earlier(job.run.id, item);
  const guide = originalGuide(item);
  const own = verdictsOn(await caseOf(job, guide)).find(({ preImage: { thing } }) => thing === guide);
  const goes = own !== undefined && own.reason === undefined && GOES.has(own.change);
  if (!goes) return preImages.map((each) => ({ preImage: each, change: "put-back", reason: "no-way-back" }));
  notes.put(item, { change: "nothing", refused: false, unanswered: false });
  return preImages.map((each) => ({ preImage: each, change: "nothing" }));
}

/**
 * Keeps what something else needs: a category with a guide in it, a prerequisite, an image. What a
 * kept item needs is kept too; `stay` is called for each.
 */
async function keepUsed(job: UndoJob, notes: UndoNotes, stay: (item: Key) => Promise<void>): Promise<void> {
  noteUses(job, notes);
  for (let found = true; found; ) {
    found = false;
    for (const item of job.history.items(job.run.id, "last")) {
      const noted = notes.of(item);
      if (noted === undefined || noted.refused || !GOES.has(noted.change)) continue;
      const id = await job.history.ledger.idOf(item);
      if (id === undefined || notes.userOf(`${kindOf(item)}/${id}`) === undefined) continue;
      found = true;
      await stay(item);
      await noteOwnUses(job, notes, item);
    }
  }
}

function noteUses(job: UndoJob, notes: UndoNotes): void {
  for (const { key, item, body } of job.history.lastWritten()) {
    if (goes(notes, key) || goes(notes, item)) continue;
    const noted = notes.of(key);
    const isBack = noted?.change === "put-back" && !noted.refused;
    const then = isBack ? job.history.earlier(job.run.id, item).find(({ thing }) => thing === key)?.body : undefined;
    for (const use of usesOf(job, then ?? body)) notes.use(use, key);
  }
}

function goes(notes: UndoNotes, key: Key): boolean {
  const noted = notes.of(key);
  return noted !== undefined && !noted.refused && GOES.has(noted.change);
}

async function noteOwnUses(job: UndoJob, notes: UndoNotes, item: Key): Promise<void> {
  const { written } = await job.history.ledger.loaded(item);
  for (const key of written.keys()) {
    const body = await job.history.ledger.left(key);
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
