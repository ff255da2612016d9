import type { Ledger } from "../../core/contracts.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import type { Body, Loaded, Written } from "../../core/writing.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import { throwIfStopped } from "../control.js";
import { type Checked, check } from "../load/check.js";
import {
  type DeletedItem,
  deletionId,
  deletionIssue,
  deletionOf,
  refuseTooManyDeletions,
} from "../load/deleted-at-source.js";
import { type Deletions, delegating, findDeletions, withoutDeleted } from "../load/deleted-at-target.js";
import { refuseDuplicateGuides } from "../load/duplicate-guides.js";
import { ItemPlanner } from "../load/item-planner.js";
import { leftOutByTransforms, refusedButCurrent } from "../load/left-out.js";
import { type LoadJob, loadJobOf } from "../load/load-job.js";
import type { PlannedItem, PlannedPlace, PlanParts } from "../load/planned-item.js";
import { failedMedia } from "../load/send-media.js";
import { noteUndecided } from "../load/step-limits.js";
import { knownDecision } from "../load/target-facts.js";
import { keysOf } from "../load/transform-preview.js";
import { notTaken } from "../load/translations.js";
import { contextOf } from "../load/write-context.js";
import { waves } from "../order.js";
import { type Draft, type ShownItem, writeKind } from "./draft.js";
import { ItemRehearsal, type Rehearsers } from "./item-rehearsal.js";
import { Rehearsal } from "./rehearsal.js";
import { type Absences, TargetLook } from "./target-view.js";
import { TextChanges, WantedBodies } from "./text-changes.js";

function newDraft(key: Key, title: string, because: string | null): Draft {
  return {
    ...{ key, title, action: "create", because, steps: [], operations: [], places: [], edited: [], requests: 0 },
    ...{ kinds: {}, issues: [], item: key, sent: [], again: [], changes: {}, written: [] },
  };
}

function plannedItem(draft: Draft): PlannedItem {
  const { item: _item, sent: _sent, again: _again, changes: _changes, written: _written, ...planned } = draft;
  return planned;
}

async function absencesOf(
  job: Pick<LoadJob, "ledger">,
  { map }: Checked,
  planner: ItemPlanner,
  { atSource, atTarget }: Deletions,
): Promise<Absences> {
  const recreated = new Map<Key, string>();
  for (const { key } of atTarget) recreated.set(key, (await job.ledger.written(key))?.id ?? key);
  const changing = new Set<Key>(await returnedKeys(job, map, planner));
  for (const { written } of atSource.filter(({ keptBecause }) => keptBecause === null)) {
    for (const { key } of written) for (const each of (await job.ledger.loaded(key)).written.keys()) changing.add(each);
  }
  return { recreated, changing };
}

async function returnedKeys(
  { ledger }: Pick<LoadJob, "ledger">,
  map: Checked["map"],
  planner: ItemPlanner,
): Promise<readonly Key[]> {
  const returned: Key[] = [];
  for (const key of [...map.categories, ...map.wikis, ...map.guides]) {
    if ((await ledger.written(key)) !== undefined || !wasDeleted(await ledger.loaded(key), key)) continue;
    returned.push(...keysOf((await planner.prepared(key)).map(({ item }) => item)));
  }
  return returned;
}

function wasDeleted({ operations }: Loaded, key: Key): boolean {
  return operations.get(deletionId(key))?.outcome === "written";
}

export type { PlannedItem, PlanParts } from "../load/planned-item.js";

/**
 * What a load would do. `requests` is the number for a load of one item at a time that nobody
 * disturbs. Four facts change it: parallel items learn each other's ids earlier or later, so that a
 * text is written once or twice; a site that needs the other of two revision fields refuses the
 * first edit; the flags that a site sets by itself are unknown; and a site that refuses the first
 * upload of a video or document gets no other.
 */
export interface Plan {
  readonly target: string;
  readonly items: readonly PlannedItem[];
  readonly counts: PlanCounts;
  readonly requests: number;
  /** null: no limit. */
  readonly seconds: number | null;
}

/** Items of a plan by what a load would do. */
export type PlanCounts = Readonly<Record<PlannedItem["action"], number>>;

/** A plan of any size. Its items are on the disk while the workspace is open. */
export interface LargePlan extends Omit<Plan, "items"> {
  readonly job: Pick<LoadJob, "workspace" | "source" | "survey" | "options" | "preview" | "people">;
  readonly checked: Checked;
  items(): Iterable<PlannedItem>;
  shown(action?: PlannedItem["action"]): Iterable<ShownItem>;
  tokenOf(key: Key, id: string): Promise<string | null>;
  remoteOf(key: Key, id: string): Promise<readonly Written[] | undefined>;
  wantedOf(thing: Key): readonly Body[];
}

export async function plan(parts: PlanParts): Promise<Plan> {
  const { target, counts, requests, seconds, items } = await largePlan(parts);
  return { target, items: [...items()], counts, requests, seconds };
}

export async function largePlan(parts: PlanParts): Promise<LargePlan> {
  const asked = await loadJobOf(parts);
  const checked = await check(asked);
  const asPlanned = new ItemPlanner(asked, checked);
  await refuseDuplicateGuides(asked, checked.map, asPlanned, contextOf(asked, checked.map));
  if (checked.overLimit !== null) await noteUndecided(asked, checked.overLimit);
  const swept = await findDeletions(asked, checked);
  await refuseTooManyDeletions(asked, swept.atSource);
  const absences = await absencesOf(asked, checked, asPlanned, swept);
  const there = await withoutDeleted(asked, checked, swept.atTarget);
  // Of the origin site, ids are known without rows.
  const job = asked.options.toOrigin === true ? there : { ...there, ledger: unchanging(there.ledger) };
  const planner = new ItemPlanner(job, checked);
  const rehearsers = rehearsersOf(job, checked, absences, parts);
  const rehearsal = new ItemRehearsal(job, checked, absences, rehearsers);
  const current = await refusedButCurrent(job, checked, planner);
  const run = new PlanRun(job, { ...checked, current }, { planner, rehearsal, look: rehearsers.look }, parts.because);
  await run.rehearse(swept.atSource);
  const before = leftOutByTransforms(job, parts.because);
  const counts = { create: 0, change: 0, leave: 0, refuse: 0, adopt: 0, delete: 0, gone: 0 };
  let requests = 0;
  function* items(): Generator<PlannedItem> {
    yield* before;
    yield* run.items();
  }
  for (const item of [...before, ...run.outcomes()]) {
    counts[item.action] += 1;
    requests += item.requests;
  }
  return {
    target: job.survey.identity.root,
    job,
    checked,
    items,
    *shown(action) {
      for (const item of before) if (action === undefined || item.action === action) yield { item, changes: [] };
      yield* run.shown(action);
    },
    tokenOf: (key, id) => rehearsers.look.view().tokenOf(key, id),
    remoteOf: (key, id) => rehearsers.look.view().remoteOf(key, id),
    wantedOf: (thing) => rehearsers.wanted.of(thing),
    counts,
    requests,
    seconds: parts.rate === null ? null : Math.ceil(requests / parts.rate),
  };
}

/**
 * A plan does not change the ledger: what has no thing on the target now has none later. Before a
 * first load that is everything, and each write asks several times.
 */
function unchanging(ledger: Ledger): Ledger {
  const known = new Map<Kind, Promise<boolean>>();
  const mayHave = (kind: Kind): Promise<boolean> => {
    const answer = known.get(kind) ?? isKnown(ledger, kind);
    known.set(kind, answer);
    return answer;
  };
  return {
    ...delegating(ledger),
    idOf: async (key) => ((await mayHave(kindOf(key))) ? ledger.idOf(key) : undefined),
    written: async (key) => ((await mayHave(kindOf(key))) ? ledger.written(key) : undefined),
    uploadOf: async (kind, sha256) => ((await mayHave(kind)) ? ledger.uploadOf(kind, sha256) : undefined),
  };
}

async function isKnown(ledger: Ledger, kind: Kind): Promise<boolean> {
  for await (const _ of ledger.mapped()) return true;
  return ledger.knows(kind);
}

function rehearsersOf(
  job: Pick<LoadJob, "workspace" | "ledger" | "target" | "preview" | "people" | "options" | "control">,
  checked: Checked,
  absences: Absences,
  { reader, showTexts = false }: Pick<PlanParts, "reader" | "showTexts">,
): Rehearsers {
  const rehearsal = new Rehearsal(job, checked, contextOf(job, checked.map), showTexts);
  return {
    rehearsal,
    look: new TargetLook(job, reader, absences),
    wanted: new WantedBodies(job.workspace.scratch),
    texts: showTexts ? new TextChanges(job, (id) => rehearsal.madeUp(id), reader) : undefined,
  };
}

type PlannedCheck = Checked & { readonly current: ReadonlySet<Key> };

interface RunParts {
  readonly planner: ItemPlanner;
  readonly rehearsal: ItemRehearsal;
  readonly look: TargetLook;
}

type Outcome = Pick<PlannedItem, "action" | "requests">;

class PlanRun {
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "options" | "control" | "notes">;
  readonly #checked: PlannedCheck;
  readonly #because: ReadonlyMap<Key, string>;
  readonly #planner: ItemPlanner;
  readonly #rehearsal: ItemRehearsal;
  readonly #look: TargetLook;
  readonly #drafts: DraftStore;
  /** Of complete drafts, by place. */
  readonly #outcomes = new Map<number, Outcome>();
  #order: readonly number[] = [];
  #done = 0;
  #total = 0;

  constructor(
    job: Pick<LoadJob, "workspace" | "ledger" | "options" | "control" | "notes">,
    checked: PlannedCheck,
    { planner, rehearsal, look }: RunParts,
    because: ReadonlyMap<Key, string>,
  ) {
    this.#job = job;
    this.#checked = checked;
    this.#because = because;
    this.#planner = planner;
    this.#rehearsal = rehearsal;
    this.#look = look;
    this.#drafts = new DraftStore(job.workspace.scratch);
  }

  /** Rehearses the items in the order of a load. */
  async rehearse(deleted: readonly DeletedItem[]): Promise<void> {
    const { categories, wikis, guides, translations, refused, needs } = this.#checked.map;
    const media = await failedMedia(this.#job);
    this.#total = categories.length + wikis.length + guides.length + refused.size + translations.length;
    for (const key of media) {
      const draft = this.#draft(key);
      if (await this.#rehearsal.medium(draft)) await this.#add(draft);
    }
    for (const wave of [...waves(categories, needs), wikis, ...waves(guides, needs), [...refused.keys()]])
      for (const key of wave) await this.#counted(key, () => this.#item(key));
    for (const key of translations) await this.#counted(key, () => this.#translation(key));
    for (const item of deleted) await this.#add(await deletedDraft(this.#job, this.#look, item));
    const keys = [
      ...media,
      ...categories,
      ...wikis,
      ...guides,
      ...translations,
      ...refused.keys(),
      ...deleted.map(({ key }) => key),
    ];
    this.#order = keys.flatMap((key) => this.#drafts.of(key));
    for (const place of this.#order) if (!this.#outcomes.has(place)) await this.#complete(place);
    const left = await this.#leftOut(new Set(keys));
    this.#order = [...this.#order, ...left];
  }

  /** Returns the places of items outside of the selection that change for new items. */
  async #leftOut(planned: ReadonlySet<Key>): Promise<readonly number[]> {
    const { ledger, workspace } = this.#job;
    const left = new Set<Key>();
    for await (const { item, key } of ledger.waiting()) {
      if (planned.has(item) || left.has(item) || workspace.items.entry(item)?.state !== "present") continue;
      if (await this.#rehearsal.knows(key)) left.add(item);
    }
    const places: number[] = [];
    for (const key of left) {
      for (const each of await this.#planner.prepared(key)) {
        const draft = this.#draft(key);
        draft.item = each.item.key;
        await this.#rehearsal.leftOut(each, draft);
        await this.#rehearsal.complete(draft);
        if (draft.action !== "leave") places.push(await this.#add({ ...draft, again: [], sent: [], written: [] }));
      }
    }
    return places;
  }

  outcomes(): readonly Outcome[] {
    return this.#order.flatMap((place) => this.#outcomes.get(place) ?? []);
  }

  *items(): Generator<PlannedItem> {
    for (const place of this.#order) yield plannedItem(this.#drafts.get(place));
  }

  *shown(action?: PlannedItem["action"]): Generator<ShownItem> {
    for (const place of this.#order) {
      if (action !== undefined && this.#outcomes.get(place)?.action !== action) continue;
      const draft = this.#drafts.get(place);
      yield { item: plannedItem(draft), changes: Object.values(draft.changes).flat() };
    }
  }

  async #counted(key: Key, work: () => Promise<void>): Promise<void> {
    await work();
    this.#done += 1;
    const failed = this.#checked.map.refused.size;
    this.#job.control.progress({ stage: "plan", done: this.#done, total: this.#total, key, failed });
  }

  async #item(key: Key): Promise<void> {
    throwIfStopped(this.#job.control);
    if (this.#checked.current.has(key)) {
      await this.#add({ ...this.#draft(key), action: "leave" });
      return;
    }
    const reported = this.#checked.map.refused.has(key) ? this.#checked.refusedFor(key) : [];
    for (const each of await this.#planner.prepared(key)) {
      const draft = this.#draft(key);
      draft.item = each.item.key;
      await this.#rehearsal.item(each, draft);
      if (reported.length > 0) draft.issues = [...reported, ...this.#job.notes.get(key)];
      await this.#add(draft);
    }
  }

  /** Plans no write where the target takes no translations, or that is unknown. */
  async #translation(key: Key): Promise<void> {
    const { ledger } = this.#job;
    const decision = await knownDecision(ledger);
    if (decision.isTaken === true) return this.#item(key);
    await this.#add({ ...this.#draft(key), action: "leave", issues: [notTaken(key, decision)] });
  }

  /** Completes it where nothing of later items matters. Returns its place. */
  async #add(draft: Draft): Promise<number> {
    if (draft.again.length > 0) return this.#drafts.add(draft);
    await this.#rehearsal.complete(draft);
    const place = this.#drafts.add(draft);
    this.#note(place, draft);
    return place;
  }

  async #complete(place: number): Promise<void> {
    throwIfStopped(this.#job.control);
    const draft = this.#drafts.get(place);
    await this.#rehearsal.complete(draft);
    this.#drafts.put(place, { ...draft, again: [], written: [] });
    this.#note(place, draft);
  }

  #note(place: number, { action, requests }: Draft): void {
    this.#outcomes.set(place, { action, requests });
  }

  #draft(key: Key): Draft {
    const title = this.#job.workspace.items.entry(key)?.title ?? key;
    return newDraft(key, title, this.#because.get(key) ?? null);
  }
}

const DRAFTS = "plan";

/** On the disk, so that memory does not grow with the site. */
class DraftStore {
  readonly #scratch: Scratch;
  readonly #places = new Map<Key, number[]>();
  #count = 0;

  constructor(scratch: Scratch) {
    scratch.clear(DRAFTS);
    this.#scratch = scratch;
  }

  add(draft: Draft): number {
    const place = this.#count;
    this.#count += 1;
    this.#places.set(draft.key, [...(this.#places.get(draft.key) ?? []), place]);
    this.put(place, draft);
    return place;
  }

  put(place: number, draft: Draft): void {
    this.#scratch.put(DRAFTS, String(place), JSON.stringify(draft));
  }

  get(place: number): Draft {
    return JSON.parse(this.#scratch.get(DRAFTS, String(place)) ?? "") as Draft;
  }

  of(key: Key): readonly number[] {
    return this.#places.get(key) ?? [];
  }
}

const EDITED = "somebody edited it there since guideferry last wrote it";

async function deletedDraft(job: Pick<LoadJob, "ledger">, look: TargetLook, item: DeletedItem): Promise<Draft> {
  const places: PlannedPlace[] = [];
  const edited: Key[] = [];
  for (const { key } of item.keptBecause === null ? item.written : []) {
    const one = newDraft(key, item.title, null);
    one.action = "delete";
    await look.at(one, await job.ledger.loaded(key));
    places.push(...one.places);
    edited.push(...one.edited);
  }
  const planned = plannedDeletion(edited.length === 0 ? item : { ...item, keptBecause: EDITED });
  return { ...newDraft(item.key, item.title, null), ...planned, places, edited };
}

function plannedDeletion({ key, written, keptBecause }: DeletedItem): Partial<Draft> {
  if (keptBecause !== null) return { action: "gone", issues: [deletionIssue(key, written, keptBecause)] };
  const deletions = written.map((each) => deletionOf(each));
  return {
    action: "delete",
    steps: deletions.map(({ label }) => label),
    operations: deletions.map(({ id, item, hash, label }) => ({ id, item, hash, label, creates: false, requests: 1 })),
    kinds: Object.fromEntries(deletions.map((each) => [writeKind(each, NOTHING), deletions.length])),
    requests: deletions.length,
  };
}

const NOTHING = { operations: new Map(), written: new Map() };
