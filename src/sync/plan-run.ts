import type { Key } from "../core/model/key.js";
import type { Checked } from "./check.js";
import type { GoneItem } from "./gone/gone-items.js";
import { halt } from "./halt.js";
import type { LoadJob } from "./load-job.js";
import { waves } from "./order.js";
import { type Draft, newDraft, plannedItem } from "./plan/draft.js";
import { DraftStore } from "./plan/draft-store.js";
import { goneDraft } from "./plan/gone-drafts.js";
import type { ItemRehearsal } from "./plan/item-rehearsal.js";
import type { ShownItem } from "./plan/text-change.js";
import type { PlannedItem } from "./planned-item.js";
import { prepare } from "./prepare.js";
import { failedMedia } from "./send-media.js";
import { knownDecision } from "./translations/known-decision.js";
import { notTaken } from "./translations/not-taken.js";

/** `standing`: of the refused items those that stand at the target as they are now, see standingAsFitted. */
type PlannedCheck = Checked & { readonly standing: ReadonlySet<Key> };

/** Goes the way of a load, in its order and item by item, without a write. Memory does not grow with what is planned. */
export class PlanRun {
  readonly #job: LoadJob;
  readonly #checked: PlannedCheck;
  readonly #because: ReadonlyMap<Key, string>;
  readonly #rehearsal: ItemRehearsal;
  readonly #drafts: DraftStore;
  readonly #actions = new Map<number, PlannedItem["action"]>();
  #order: readonly number[] = [];
  /** Items that are rehearsed, and how many there are. */
  #done = 0;
  #total = 0;

  constructor(job: LoadJob, checked: PlannedCheck, rehearsal: ItemRehearsal, because: ReadonlyMap<Key, string>) {
    this.#job = job;
    this.#checked = checked;
    this.#because = because;
    this.#rehearsal = rehearsal;
    this.#drafts = new DraftStore(job.workspace.scratch);
  }

  /** Rehearses everything: media that are taken up again, categories, other pages, guides, refused ones, and what is gone at the source. */
  async rehearse(gone: readonly GoneItem[]): Promise<void> {
    const { categories, wikis, guides, translations, refused, needs } = this.#checked.map;
    const media = await failedMedia(this.#job);
    this.#total = categories.length + wikis.length + guides.length + refused.size + translations.length;
    for (const key of media) {
      const draft = this.#draft(key);
      if (await this.#rehearsal.medium(draft)) this.#drafts.add(draft);
    }
    for (const wave of [...waves(categories, needs), wikis, ...waves(guides, needs), [...refused.keys()]])
      for (const key of wave) await this.#counted(key, () => this.#item(key));
    for (const key of translations) await this.#counted(key, () => this.#translation(key));
    for (const item of gone) this.#drafts.add(await goneDraft(this.#job, this.#rehearsal.look, item));
    const keys = [
      ...media,
      ...categories,
      ...wikis,
      ...guides,
      ...translations,
      ...refused.keys(),
      ...gone.map(({ key }) => key),
    ];
    this.#order = keys.flatMap((key) => this.#drafts.of(key));
    for (const place of this.#order) await this.#complete(place);
    const left = await this.#leftOut(new Set(keys));
    this.#order = [...this.#order, ...left];
  }

  /** Items of earlier runs that this selection leaves out, and that refer to what comes to be there. Gives the places of those that change. */
  async #leftOut(planned: ReadonlySet<Key>): Promise<readonly number[]> {
    const { ledger, workspace, transforms } = this.#job;
    const left = new Set<Key>();
    for await (const { item, key } of ledger.waiting()) {
      if (planned.has(item) || left.has(item) || workspace.items.entry(item)?.state !== "present") continue;
      if (await this.#rehearsal.knows(key)) left.add(item);
    }
    const places: number[] = [];
    for (const key of left) {
      const stored = await workspace.items.get(key);
      for (const each of stored === undefined ? [] : prepare(stored, transforms, this.#checked.fit)) {
        const draft = this.#draft(key);
        draft.item = each.item.key;
        await this.#rehearsal.leftOut(each, draft);
        await this.#rehearsal.complete(draft);
        if (draft.action === "leave") continue;
        places.push(this.#drafts.add({ ...draft, again: [], written: [] }));
      }
    }
    for (const place of places) this.#actions.set(place, this.#drafts.get(place).action);
    return places;
  }

  /** After `rehearse`: each kind in the order of keys. May be called again. */
  *items(): Generator<PlannedItem> {
    for (const place of this.#order) yield plannedItem(this.#drafts.get(place));
  }

  /** The same with what each text is before and after; those of one action, or all. */
  *shown(action?: PlannedItem["action"]): Generator<ShownItem> {
    for (const place of this.#order) {
      if (action !== undefined && this.#actions.get(place) !== action) continue;
      const draft = this.#drafts.get(place);
      yield { item: plannedItem(draft), changes: Object.values(draft.changes).flat() };
    }
  }

  async #counted(key: Key, work: () => Promise<void>): Promise<void> {
    await work();
    this.#done += 1;
    const failed = this.#checked.map.refused.size;
    this.#job.control.progress({ stage: "check", done: this.#done, total: this.#total, key, failed });
  }

  async #item(key: Key): Promise<void> {
    halt(this.#job.control);
    const { workspace, transforms } = this.#job;
    if (this.#checked.standing.has(key)) {
      this.#drafts.add({ ...this.#draft(key), action: "leave" });
      return;
    }
    const told = this.#checked.map.refused.has(key) ? this.#checked.refusedFor(key) : [];
    const stored = await workspace.items.get(key);
    for (const each of stored === undefined ? [] : prepare(stored, transforms, this.#checked.fit)) {
      const draft = this.#draft(key);
      draft.item = each.item.key;
      await this.#rehearsal.item(each, draft);
      if (told.length > 0) draft.issues = [...told, ...this.#job.notes.get(key)];
      this.#drafts.add(draft);
    }
  }

  /** Where the target takes none, or nobody knows yet, nothing is written of it. */
  async #translation(key: Key): Promise<void> {
    const { ledger } = this.#job;
    const decision = await knownDecision(ledger);
    if (decision.isTaken === true) return this.#item(key);
    this.#drafts.add({ ...this.#draft(key), action: "leave", issues: [notTaken(key, decision)] });
  }

  async #complete(place: number): Promise<void> {
    halt(this.#job.control);
    const draft = this.#drafts.get(place);
    await this.#rehearsal.complete(draft);
    this.#drafts.put(place, { ...draft, again: [], written: [] });
    this.#actions.set(place, draft.action);
  }

  #draft(key: Key): Draft {
    const title = this.#job.workspace.items.entry(key)?.title ?? key;
    return newDraft(key, title, this.#because.get(key) ?? null);
  }
}
