import { hash } from "node:crypto";
import type { Source } from "../../core/contracts.js";
import { EXIT, StoppedError, WorkspaceError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import { ITEM_KINDS, type ItemKind, type Key, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { recordEndpoint, SITE_WALKS } from "../../service/endpoints/record-endpoints.js";
import { rowsIn } from "../../service/source/records.js";
import type { ItemReader, ItemStore } from "../../storage/workspace/item-store.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";
import type { Selection } from "../selection.js";

export interface ExtractOptions {
  /** Older copies are read again, since no token covers all fields. Default: 30 days. */
  readonly refreshAfterSeconds?: number;
  /**
   * Number of complete extracts in which everything is read again once: 14 for `--refresh 1/14`, 1
   * for `all`. Default: items by their age (`refreshAfterSeconds`), records that cost a request
   * each in 14 extracts.
   */
  readonly refreshCycle?: number;
  readonly onlyFailed?: boolean;
  /** Reads what failed or lacks media first, and without regard to tokens. */
  readonly failedFirst?: boolean;
  /**
   * Called after all lists with those that show less than before, and again for more deletions. A
   * thrown error ends the run.
   */
  readonly beforeDeletions?: (unlisted: readonly Unlisted[]) => void;
  readonly onKept?: (key: Key) => void;
}

export interface ExtractParts {
  readonly source: Source;
  readonly workspace: Workspace;
  readonly selection: Selection;
  readonly options: ExtractOptions;
  readonly control: Control;
}

export interface ExtractRun extends ExtractParts {
  readonly site: SiteIdentity;
  readonly startedAt: number;
  /** UNIX seconds of the start of the last complete extract; null: there was none. */
  readonly since: number | null;
  readonly completedExtracts: number;
  readonly schedule: RefreshSchedule;
  readonly counters: Counters;
}

export interface KindCounters {
  listed: number;
  read: number;
  unchanged: number;
  failed: number;
}

/** Topic of what the source keeps of each row. */
export const ROWS = "rows";

export class Counters {
  readonly #kinds: Readonly<Record<ItemKind, KindCounters>>;
  readonly #vanished = new Set<Key>();
  readonly #unlisted = new Set<Key>();
  readonly #unreleased: Key[] = [];
  readonly #archived: Key[] = [];
  readonly #refusedMedia = new Set<Key>();
  readonly #refused = new Map<Key, number>();
  #mediaFiles = 0;
  #mediaBytes = 0;
  #finished = 0;
  #planned = 0;

  constructor() {
    const zero = (): KindCounters => ({ listed: 0, read: 0, unchanged: 0, failed: 0 });
    this.#kinds = Object.fromEntries(ITEM_KINDS.map((kind) => [kind, zero()])) as Record<ItemKind, KindCounters>;
  }

  count(kind: ItemKind, what: keyof KindCounters): void {
    this.#kinds[kind][what] += 1;
  }

  of(kind: ItemKind): Readonly<KindCounters> {
    return this.#kinds[kind];
  }

  failed(): number {
    return Object.values(this.#kinds).reduce((sum, { failed }) => sum + failed, 0);
  }

  unchanged(): number {
    return Object.values(this.#kinds).reduce((sum, { unchanged }) => sum + unchanged, 0);
  }

  storeFile(bytes: number): void {
    this.#mediaFiles += 1;
    this.#mediaBytes += bytes;
  }

  media(): { readonly files: number; readonly bytes: number } {
    return { files: this.#mediaFiles, bytes: this.#mediaBytes };
  }

  plan(items: number): void {
    this.#planned += items;
  }

  finish(): void {
    this.#finished += 1;
  }

  get planned(): number {
    return this.#planned;
  }

  get finished(): number {
    return this.#finished;
  }

  markVanished(key: Key): void {
    this.#vanished.add(key);
  }

  markFailed(key: Key): void {
    this.#vanished.delete(key);
    this.count(kindOf(key) as ItemKind, "failed");
  }

  get vanished(): ReadonlySet<Key> {
    return this.#vanished;
  }

  /** On no list, but not deleted, or not certainly. */
  markUnlisted(key: Key): void {
    this.#unlisted.add(key);
  }

  get unlisted(): ReadonlySet<Key> {
    return this.#unlisted;
  }

  markUnreleased(key: Key): void {
    this.#unreleased.push(key);
  }

  get unreleased(): readonly Key[] {
    return this.#unreleased;
  }

  markArchived(guide: Key): void {
    this.#archived.push(guide);
  }

  get archived(): readonly Key[] {
    return this.#archived;
  }

  markRefusedMedia(media: Key): void {
    this.#refusedMedia.add(media);
  }

  get refusedMedia(): ReadonlySet<Key> {
    return this.#refusedMedia;
  }

  markRefused(record: Key, status: number): void {
    this.#refused.set(record, status);
  }

  get refused(): ReadonlyMap<Key, number> {
    return this.#refused;
  }
}

/** Selects unchanged items to read again, each once in `cycle` complete extracts. */
interface RefreshSchedule {
  /** `readAt`: UNIX seconds of the stored copy. */
  isDue(key: Key, readAt: number): boolean;
}

interface RefreshScheduleOptions {
  readonly cycle: number;
  readonly completedExtracts: number;
  /** UNIX seconds of the first start of a resumed extract: what was read since is not due. */
  readonly startedAt: number;
  readonly now: () => number;
}

/**
 * Spreads the keys over the cycle by their hash. A read time in the future is due: the clock was
 * wrong, so the age is unknown.
 */
export function refreshSchedule({ cycle, completedExtracts, startedAt, now }: RefreshScheduleOptions): RefreshSchedule {
  const share = completedExtracts % cycle;
  return { isDue: (key, readAt) => readAt > now() || (readAt <= startedAt && placeOf(key) % cycle === share) };
}

function placeOf(key: Key): number {
  return Number.parseInt(hash("sha256", key).slice(0, 8), 16);
}

const RESUME = "All results so far are kept.";

export function stopped({ counters }: Pick<ExtractRun, "counters">, cause?: unknown): StoppedError {
  const { finished, planned } = counters;
  const where = planned === 0 ? "while it read the lists" : `after ${finished} of ${planned} new or changed items`;
  return new StoppedError(`The extract stopped ${where}. ${RESUME}`, cause === undefined ? {} : { cause });
}

export function throwIfStopped(run: ExtractRun): void {
  if (run.control.stop.aborted) throw stopped(run);
}

export function* untilStopped<T>(run: ExtractRun, inputs: Iterable<T>): Generator<T> {
  for (const input of inputs) {
    if (run.control.stop.aborted) return;
    yield input;
  }
}

type Items = Pick<Workspace, "items">;

/**
 * Remembers complete extracts, in the `revision` of its entry and not in its file: that is no new
 * content.
 */
export const EXTRACT_RECORD: Key = "record/extract";

/** What complete extracts leave for the next one. */
interface ExtractMemory {
  /**
   * UNIX seconds of the start of the last complete one, since which lists without tokens are asked;
   * null: there was none.
   */
  readonly since: number | null;
  readonly completedExtracts: number;
  /** UNIX seconds of the start of an incomplete one; null: there is none. */
  readonly unfinishedSince: number | null;
}

/** An older guideferry wrote `since` only. */
export function extractMemory({ items }: Items): ExtractMemory {
  const [, since, completed, unfinished] =
    /^(\d*)(?:\/(\d+)\/(\d*))?$/.exec(items.entry(EXTRACT_RECORD)?.revision ?? "") ?? [];
  return {
    since: numberOr(since, null),
    completedExtracts: numberOr(completed, 0),
    unfinishedSince: numberOr(unfinished, null),
  };
}

/** Returns the first start of the extract that begins or is resumed. */
export async function rememberStart(workspace: Items, startedAt: number): Promise<number> {
  const { since, completedExtracts, unfinishedSince } = extractMemory(workspace);
  if (unfinishedSince !== null) return unfinishedSince;
  await remember(workspace, { since, completedExtracts, unfinishedSince: startedAt }, since ?? startedAt);
  return startedAt;
}

export async function rememberCompleteExtract(workspace: Items, startedAt: number): Promise<void> {
  const completedExtracts = extractMemory(workspace).completedExtracts + 1;
  await remember(workspace, { since: startedAt, completedExtracts, unfinishedSince: null }, startedAt);
}

async function remember({ items }: Items, memory: ExtractMemory, readAt: number): Promise<void> {
  if (items.entry(EXTRACT_RECORD) === undefined) await items.put(OWN_RECORD);
  const revision = `${memory.since ?? ""}/${memory.completedExtracts}/${memory.unfinishedSince ?? ""}`;
  items.compared(EXTRACT_RECORD, { revision, readAt });
}

const OWN_RECORD = {
  key: EXTRACT_RECORD,
  kind: "record",
  revision: "",
  raw: null,
  media: [],
  translations: [],
  issues: [],
  body: { path: "extract", query: {}, status: 200, readAt: 0, answer: null },
} as const;

function numberOr<T>(digits: string | undefined, fallback: T): number | T {
  return digits === undefined || digits === "" ? fallback : Number(digits);
}

/** A list of one kind, namespace or family that shows less than before. */
export interface Unlisted {
  /** Name for people: `guides`, `INFO pages`, `quizzes/:quizid`. */
  readonly list: string;
  readonly of: ListedSort;
  readonly present: number;
  readonly unlisted: number;
}

/**
 * What an unlisted entry deletes: `items`; `records` of its rows; `rows` of an answer that is kept
 * whole; `passing`: lists that people fill and empty every day.
 */
export type ListedSort = "items" | "records" | "rows" | "passing";

const PASSING: ReadonlySet<string> = new Set([
  "approvals/requests",
  "approvals/request/{approval_requestid}",
  "guides/featured",
  "user/favorites/guides",
  "user/media/current",
]);

type ListedItems = Pick<ItemStore, "entries" | "unlisted">;

/** Called after all lists, before `endListing`. */
export function unlistedParts(items: ListedItems): readonly Unlisted[] {
  const unlisted = countByList(items.unlisted());
  const kinds = new Set([...unlisted.values()].map(({ kind }) => kind));
  const stored = new Map([...kinds].flatMap((kind) => [...countByList(storedKeys(items, kind))]));
  return [...unlisted].map(([list, { kind, count }]) => ({
    list,
    of: sortOf(list, kind === "record" ? "records" : "items"),
    present: stored.get(list)?.count ?? count,
    unlisted: count,
  }));
}

function sortOf(list: string, usual: ListedSort): ListedSort {
  return PASSING.has(list) ? "passing" : usual;
}

const LISTS: ReadonlySet<string> = new Set([
  ...["tags", "comments", "releases"],
  ...SITE_WALKS.filter(({ walk }) => walk.paged !== undefined).map(({ endpoint }) => endpoint.path.slice(1)),
]);

/** The list, if the site answers it empty where it had rows. `fresh` is not stored yet. */
export async function emptiedList(items: ItemReader, fresh: Item): Promise<Unlisted | undefined> {
  const list = restOf(fresh.key);
  if (!LISTS.has(list) || rowsOf(fresh)?.length !== 0) return undefined;
  const stored = await readStored(items, fresh.key);
  const { length = 0 } = (stored === undefined ? undefined : rowsOf(stored)) ?? [];
  return length === 0 ? undefined : { list, of: sortOf(list, "rows"), present: length, unlisted: length };
}

function rowsOf(item: Item): readonly unknown[] | undefined {
  return item.kind === "record" && item.body.status === 200 ? rowsIn(item.body.answer) : undefined;
}

interface Count {
  readonly kind: ItemKind;
  count: number;
}

function countByList(keys: Iterable<Key>): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const key of keys) {
    const list = listOf(key);
    if (list === undefined) continue;
    const counted = counts.get(list);
    if (counted === undefined) counts.set(list, { kind: kindOf(key) as ItemKind, count: 1 });
    else counted.count += 1;
  }
  return counts;
}

function* storedKeys(items: ListedItems, kind: ItemKind): Generator<Key> {
  for (const { key, state } of items.entries(kind)) if (state === "present" && !isTranslation(key)) yield key;
}

function isTranslation(key: Key): boolean {
  return kindOf(key) === "guide" && key.includes("@");
}

/** undefined: no own list, or deleted with its guide or page. */
function listOf(key: Key): string | undefined {
  const kind = kindOf(key);
  if (kind === "guide") return "guides";
  if (kind === "category") return "categories";
  return kind === "wiki" ? `${wikiOf(key).namespace} pages` : familyOf(key);
}

function familyOf(key: Key): string | undefined {
  const endpoint = recordEndpoint(restOf(key));
  const dependsOnRows = endpoint?.use.by === "backup" && endpoint.use.walks.some(({ per }) => per === "row");
  return dependsOnRows ? endpoint.path.slice(1) : undefined;
}

/**
 * undefined: not stored, or damaged: then the store deletes its token, so that it is read again.
 */
export async function readStored(items: ItemReader, key: Key): Promise<Item | undefined> {
  if (items.entry(key) === undefined) return undefined;
  try {
    return await items.get(key);
  } catch (error) {
    if (error instanceof WorkspaceError && error.exitCode === EXIT.someFailed) return undefined;
    throw error;
  }
}
