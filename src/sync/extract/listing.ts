import type { Listed } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type ItemKind, idIn, type Key, kindOf } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import { mergeCommentLists } from "../../service/wire/comments.js";
import { asksForTree, isChosen, pathsOf, takesEverything } from "../selection.js";
import { FamilyRecords, readRecord, storeRecord } from "./families.js";
import { isRefusedList, KeptItems } from "./missing.js";
import { type ExtractRun, emptiedList, readStored, throwIfStopped, type Unlisted } from "./run.js";

/** What a listing found. */
export interface Found {
  readonly chosen: readonly Key[];
  /** New or changed, chosen or not: the others are read when something chosen needs them. */
  readonly changed: ReadonlyMap<Key, Listed>;
  readonly kept: KeptItems;
  readonly comments: CommentNews | undefined;
  readonly families: FamilyRecords;
  readonly emptied: readonly Emptied[];
  /** Failures of earlier runs whose items no list showed. */
  readonly unseenFailures: ReadonlySet<Key>;
}

/** A record that is a list and came back empty: it is stored when that is allowed. */
interface Emptied {
  readonly list: Unlisted;
  readonly record: Item;
}

const LISTED_KINDS: readonly ItemKind[] = ["record", "category", "wiki", "guide"];
const DEFAULT_REFRESH_AFTER = 30 * 24 * 60 * 60;

/**
 * Reads the lists: what is there, and what of it is new or changed. Records are lists themselves
 * and stored at once.
 */
export async function listChanges(run: ExtractRun, following: boolean): Promise<Found> {
  const { workspace, source, selection, control, since } = run;
  const kinds = new Set(LISTED_KINDS.filter((kind) => isListed(run, kind)));
  const kept = new KeptItems(run);
  const listing = new Listing(run, kept, following);
  workspace.items.beginListing(kinds);
  const { includePrivate } = selection;
  // What stands on items and rows is of use as a whole only.
  const families = takesEverything(selection);
  // Lists of what changed never tell what is gone.
  const allComments = run.schedule.isDue(COMMENTS, workspace.items.entry(COMMENTS)?.readAt ?? 0);
  for await (const row of source.list({ kinds, includePrivate, since, families, allComments }, control.abort)) {
    throwIfStopped(run);
    await listing.add(row);
  }
  return listing.found();
}

/**
 * What is needed can be of any kind, so with dependencies all are listed; nothing needs records.
 */
function isListed({ selection }: ExtractRun, kind: ItemKind): boolean {
  if (kind === "category" && asksForTree(selection)) return true;
  return selection.only.has(kind) || (selection.dependencies && kind !== "record");
}

class Listing {
  readonly #run: ExtractRun;
  readonly #kept: KeptItems;
  readonly #following: boolean;
  readonly #chosen: Key[] = [];
  readonly #changed = new Map<Key, Listed>();
  readonly #parents = new Map<string, string | null>();
  readonly #path = pathsOf(this.#parents);
  readonly #failedBefore: ReadonlySet<Key>;
  readonly #lackMedia: ReadonlySet<Key>;
  readonly #unseenFailures: Set<Key>;
  readonly #families: FamilyRecords;
  #comments: CommentNews | undefined;
  readonly #emptied: Emptied[] = [];
  #count = 0;
  /** As many as a whole extract found before; 0: there was none. */
  readonly #before: number;

  constructor(run: ExtractRun, kept: KeptItems, following: boolean) {
    this.#run = run;
    this.#kept = kept;
    this.#following = following;
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
    workspace.items.listed(row);
    this.#unseenFailures.delete(row.key);
    counters.count(kind, "listed");
    this.#count += 1;
    const estimate = this.#before < this.#count ? {} : { estimate: this.#before };
    const failed = counters.failed();
    control.progress({ stage: "list", done: this.#count, total: null, ...estimate, key: row.key, failed });
    if (row.family !== undefined) return this.#families.add(row, row.family);
    if (kind === "record") return this.#addRecord(row.key);
    if (kind === "category") this.#parents.set(row.title, row.category);
    if (kind === "guide") this.#kept.noteGuide(row.key);
    this.#addItem(row, kind);
  }

  found(): Found {
    return {
      chosen: this.#inOrder(),
      changed: this.#changed,
      kept: this.#kept,
      comments: this.#comments,
      families: this.#families,
      emptied: this.#emptied,
      // What this run did not ask for still waits for the run that does.
      unseenFailures: new Set([...this.#unseenFailures].filter((key) => this.#run.source.covers?.(key) ?? true)),
    };
  }

  #inOrder(): readonly Key[] {
    if (this.#run.options.failedFirst !== true) return this.#chosen;
    const failed = (key: Key): boolean => this.#failedBefore.has(key) || this.#lackMedia.has(key);
    return [...this.#chosen.filter(failed), ...this.#chosen.filter((key) => !failed(key))];
  }

  #addItem(row: Listed, kind: ItemKind): void {
    const changed = this.#isChanged(row);
    const chosen = isChosen(this.#run.selection, row, this.#path) && this.#isWanted(row.key);
    if (chosen && !changed) this.#run.counters.count(kind, "unchanged");
    if (changed && (chosen || this.#following)) this.#changed.set(row.key, row);
    if (chosen && (changed || this.#following)) this.#chosen.push(row.key);
    if (!changed || !chosen) this.#kept.keepTranslations(row.key);
  }

  /** Under `retry` only what failed, or lacks media that may come right. */
  #isWanted(key: Key): boolean {
    const { options, workspace } = this.#run;
    return (
      options.onlyFailed !== true ||
      this.#failedBefore.has(key) ||
      this.#lackMedia.has(key) ||
      workspace.items.entry(key)?.revision === ""
    );
  }

  #isChanged({ key, revision }: Listed): boolean {
    const { workspace, options, startedAt, schedule } = this.#run;
    const entry = workspace.items.entry(key);
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

/** Under the key of the guide for its translations: they are read with it. */
function failedKeys({ workspace }: ExtractRun, stage: "extract" | "media"): ReadonlySet<Key> {
  const keys = workspace.failures
    .list(stage)
    .map(({ key }): Key => (kindOf(key) === "guide" ? `guide/${idIn(key)}` : key));
  return new Set(keys);
}

export const COMMENTS: Key = "record/comments";

/** The comments of a site, and what new ones stand on. */
interface CommentNews {
  /**
   * To be stored when everything that they stand on was read: a run that is killed before sees them
   * again.
   */
  readonly record: Item;
  /** The guides that they stand on. */
  readonly touched: ReadonlySet<Key>;
}

/** Is it the comments that changed since a time, and not all of them? */
function isChanges(item: Item): boolean {
  return item.kind === "record" && item.body.query["modifiedSince"] !== undefined;
}

/**
 * A comment makes no revision, so no token shows it. The list of comments since the last extract
 * does: what is new or another in it than in the stored list makes its guide stale. An answer that
 * holds changes only is put together with the stored list; one that has all comments takes its
 * place, and those that are gone make their guides stale too.
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

/** Comments on steps name the step only; whose it is, the stored guides know. */
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
