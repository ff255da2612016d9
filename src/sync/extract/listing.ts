import type { Listed } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { COMMENTS, type ItemKind, idIn, type Key, kindOf } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import { mergeCommentLists } from "../../service/wire/comments.js";
import type { ItemEntry } from "../../storage/workspace/item-store.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import { asksForTree, isChosen, pathsOf, takesEverything } from "../selection.js";
import { FamilyRecords, readRecord, storeRecord } from "./families.js";
import { isRefusedList, KeptItems } from "./missing.js";
import { type ExtractRun, emptiedList, ROWS, readStored, throwIfStopped, type Unlisted } from "./run.js";

export interface Found {
  readonly chosen: readonly Key[];
  /** New or changed items. Those that are not chosen are read when a chosen item needs them. */
  readonly changed: ChangedRows;
  readonly kept: KeptItems;
  readonly comments: CommentNews | undefined;
  readonly families: FamilyRecords;
  readonly emptied: readonly Emptied[];
  readonly unseenFailures: ReadonlySet<Key>;
}

/** On the disk: a site may have a hundred thousand guides. */
class ChangedRows {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    scratch.clear(CHANGED);
    this.#scratch = scratch;
  }

  add(row: Listed): void {
    this.#scratch.put(CHANGED, row.key, JSON.stringify(row));
  }

  has(key: Key): boolean {
    return this.#scratch.get(CHANGED, key) !== undefined;
  }

  get(key: Key): Listed | undefined {
    const row = this.#scratch.get(CHANGED, key);
    return row === undefined ? undefined : JSON.parse(row);
  }
}

const CHANGED = "changed";

interface Emptied {
  readonly list: Unlisted;
  readonly record: Item;
}

const LISTED_KINDS: readonly ItemKind[] = ["record", "category", "wiki", "guide"];
const DEFAULT_REFRESH_AFTER = 30 * 24 * 60 * 60;

export async function listChanges(run: ExtractRun, following: boolean): Promise<Found> {
  const { workspace, source, selection, control, since } = run;
  const kinds = new Set(LISTED_KINDS.filter((kind) => isListed(run, kind)));
  const kept = new KeptItems(run);
  const listing = new Listing(run, kept, following);
  workspace.items.beginListing(kinds);
  const { includePrivate } = selection;
  // Records of items and rows are useful only as a whole.
  const families = takesEverything(selection);
  // A list of changes never shows deletions.
  const allComments = run.schedule.isDue(COMMENTS, workspace.items.entry(COMMENTS)?.readAt ?? 0);
  const rows = workspace.scratch.texts(ROWS);
  for await (const row of source.list({ kinds, includePrivate, since, families, allComments, rows }, control.abort)) {
    throwIfStopped(run);
    await listing.add(row);
  }
  return listing.found();
}

/** Dependencies can be of any kind but records, so all these kinds are listed. */
function isListed({ selection }: ExtractRun, kind: ItemKind): boolean {
  if (kind === "category" && asksForTree(selection)) return true;
  return selection.only.has(kind) || (selection.dependencies && kind !== "record");
}

class Listing {
  readonly #run: ExtractRun;
  readonly #kept: KeptItems;
  readonly #following: boolean;
  readonly #chosen: Key[] = [];
  readonly #changed: ChangedRows;
  readonly #parents = new Map<string, string | null>();
  readonly #path = pathsOf(this.#parents);
  readonly #failedBefore: ReadonlySet<Key>;
  readonly #lackMedia: ReadonlySet<Key>;
  readonly #unseenFailures: Set<Key>;
  readonly #families: FamilyRecords;
  #comments: CommentNews | undefined;
  readonly #emptied: Emptied[] = [];
  #count = 0;
  /** Items of the last complete extract; 0: none. */
  readonly #before: number;

  constructor(run: ExtractRun, kept: KeptItems, following: boolean) {
    this.#run = run;
    this.#kept = kept;
    this.#following = following;
    this.#changed = new ChangedRows(run.workspace.scratch);
    this.#failedBefore = failedKeys(run, "extract");
    this.#lackMedia = failedKeys(run, "media");
    this.#families = new FamilyRecords(run, this.#failedBefore);
    this.#before = run.since === null ? 0 : countListed(run);
    this.#unseenFailures = new Set(
      [...this.#failedBefore, ...this.#lackMedia].filter((key) => isListed(run, kindOf(key) as ItemKind)),
    );
  }

  async add(row: Listed): Promise<void> {
    const { workspace, control, counters } = this.#run;
    const kind = kindOf(row.key) as ItemKind;
    const entry = workspace.items.listed(row);
    this.#unseenFailures.delete(row.key);
    counters.count(kind, "listed");
    this.#count += 1;
    const estimate = this.#before < this.#count ? {} : { estimate: this.#before };
    const failed = counters.failed();
    control.progress({ stage: "list", done: this.#count, total: null, ...estimate, key: row.key, failed });
    if (row.family !== undefined) return this.#families.add(row, row.family, entry);
    if (kind === "record") return this.#addRecord(row.key);
    if (kind === "category") this.#parents.set(row.title, row.category);
    this.#addItem(row, kind, entry);
  }

  found(): Found {
    return {
      chosen: this.#inOrder(),
      changed: this.#changed,
      kept: this.#kept,
      comments: this.#comments,
      families: this.#families,
      emptied: this.#emptied,
      // Failures of items outside of this run wait for another run.
      unseenFailures: new Set([...this.#unseenFailures].filter((key) => this.#run.source.covers?.(key) ?? true)),
    };
  }

  #inOrder(): readonly Key[] {
    if (this.#run.options.failedFirst !== true) return this.#chosen;
    const failed = (key: Key): boolean => this.#failedBefore.has(key) || this.#lackMedia.has(key);
    return [...this.#chosen.filter(failed), ...this.#chosen.filter((key) => !failed(key))];
  }

  #addItem(row: Listed, kind: ItemKind, entry: ItemEntry | undefined): void {
    const changed = this.#isChanged(row, entry);
    const chosen = isChosen(this.#run.selection, row, this.#path) && this.#isWanted(row.key);
    if (chosen && !changed) this.#run.counters.count(kind, "unchanged");
    if (changed && (chosen || this.#following)) this.#changed.add(row);
    if (chosen && (changed || this.#following)) this.#chosen.push(row.key);
    if (!changed || !chosen) this.#kept.keepTranslations(row.key);
  }

  #isWanted(key: Key): boolean {
    const { options, workspace } = this.#run;
    return (
      options.onlyFailed !== true ||
      this.#failedBefore.has(key) ||
      this.#lackMedia.has(key) ||
      workspace.items.entry(key)?.revision === ""
    );
  }

  #isChanged({ key, revision }: Listed, entry: ItemEntry | undefined): boolean {
    const { options, startedAt, schedule } = this.#run;
    if (entry === undefined || revision === "" || entry.revision !== revision) return true;
    if (this.#failedBefore.has(key) || this.#comments?.touched.has(key) === true) return true;
    if ((options.onlyFailed === true || options.failedFirst === true) && this.#lackMedia.has(key)) return true;
    if (options.refreshCycle !== undefined) return schedule.isDue(key, entry.readAt);
    // A read time in the future: the clock was wrong, so the age is unknown.
    return (
      entry.readAt > Date.now() / 1000 ||
      entry.readAt < startedAt - (options.refreshAfterSeconds ?? DEFAULT_REFRESH_AFTER)
    );
  }

  async #emptiedBy(record: Item): Promise<Unlisted | undefined> {
    const { options, workspace } = this.#run;
    return options.beforeDeletions === undefined || isChanges(record)
      ? undefined
      : emptiedList(workspace.items, record);
  }

  async #addRecord(key: Key): Promise<void> {
    if (isRefusedList(key)) this.#kept.keepRefusedList(key);
    const record = await readRecord(this.#run, key);
    if (record === undefined) return;
    const emptied = await this.#emptiedBy(record);
    if (emptied !== undefined) this.#emptied.push({ list: emptied, record });
    if (key === COMMENTS) this.#comments = await commentNews(this.#run, record);
    else if (emptied === undefined) await storeRecord(this.#run, record);
    for (const row of this.#run.source.follow?.(record) ?? []) await this.add(row);
  }
}

function countListed(run: ExtractRun): number {
  const counts = run.workspace.items.counts();
  return LISTED_KINDS.filter((kind) => isListed(run, kind)).reduce((sum, kind) => sum + counts[kind].present, 0);
}

/** Translations have the key of their guide here, since they are read with it. */
function failedKeys({ workspace }: ExtractRun, stage: "extract" | "media"): ReadonlySet<Key> {
  const keys = workspace.failures
    .list(stage)
    .map(({ key }): Key => (kindOf(key) === "guide" ? `guide/${idIn(key)}` : key));
  return new Set(keys);
}

interface CommentNews {
  /** Stored after these guides were read, so that the run after a kill finds the changes again. */
  readonly record: Item;
  readonly touched: ReadonlySet<Key>;
}

function isChanges(item: Item): boolean {
  return item.kind === "record" && item.body.query["modifiedSince"] !== undefined;
}

/**
 * A comment changes no token, so a guide is stale if its comments differ from the stored list. An
 * answer with changes only is merged into the stored list. An answer with all comments replaces it,
 * so that deleted comments make their guides stale too.
 */
async function commentNews(run: ExtractRun, fresh: Item): Promise<CommentNews> {
  const { items } = run.workspace;
  const stored = await readStored(items, fresh.key);
  if (fresh.kind !== "record" || fresh.body.answer === null) return { record: fresh, touched: new Set() };
  const before = stored?.kind === "record" ? stored.body.answer : undefined;
  const { merged, touched } = mergeCommentLists(before, fresh.body.answer, !isChanges(fresh));
  const record: Item = { ...fresh, revision: digest(merged), body: { ...fresh.body, answer: merged } };
  return { record, touched: before === undefined ? new Set() : await guidesOf(run, touched) };
}

/** Comments on steps name only the step, so the stored guides have to be searched. */
async function guidesOf(run: ExtractRun, touched: readonly Key[]): Promise<ReadonlySet<Key>> {
  const guides = new Set(touched.filter((key) => kindOf(key) === "guide"));
  const steps = new Set(touched.filter((key) => kindOf(key) === "step"));
  if (steps.size === 0) return guides;
  const { items } = run.workspace;
  for (const { key } of items.entries("guide")) {
    const item = await readStored(items, key);
    if (item?.kind === "guide" && item.body.steps.some((step) => steps.has(step.key))) guides.add(key);
  }
  return guides;
}
