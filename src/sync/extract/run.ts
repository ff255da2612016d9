import { createHash } from "node:crypto";
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
  /**
   * An item whose copy is older is read again whatever its token says, since no token covers all
   * fields. Default: 30 days.
   */
  readonly refreshAfterSeconds?: number;
  /**
   * The number of complete extracts in which everything is read again once: 14 for
   * `--refresh 1/14`, 1 for `all`. Default: items by their age (`refreshAfterSeconds`), records
   * that cost a request each in 14 extracts.
   */
  readonly refreshCycle?: number;
  /** Only what failed before (`retry`). */
  readonly onlyFailed?: boolean;
  /** Try what failed or lacks media before anything else, whatever its token says. */
  readonly failedFirst?: boolean;
  /**
   * Called when every list was read, before any item is read or marked as gone, with the lists that
   * lack something; once more when further items turned out to be deleted. What it throws ends the
   * run.
   */
  readonly beforeDeletions?: (unlisted: readonly Unlisted[]) => void;
  /**
   * Called with each guide and page that no list showed and that stays as it is, since this run had
   * no way to see it.
   */
  readonly onKept?: (key: Key) => void;
}

/** What an extract is given. */
export interface ExtractParts {
  readonly source: Source;
  readonly workspace: Workspace;
  readonly selection: Selection;
  readonly options: ExtractOptions;
  readonly control: Control;
}

/** One run, as its parts share it. The counters are of what was stored. */
export interface ExtractRun extends ExtractParts {
  readonly site: SiteIdentity;
  /** UNIX seconds. */
  readonly startedAt: number;
  /** UNIX seconds at which the last complete extract began; null: there was none. */
  readonly since: number | null;
  /** Complete extracts before this one. */
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

/** What a run did so far, and what it found out about single items. Each is noted by its method. */
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

  /** Failed so far, all kinds. */
  failed(): number {
    return Object.values(this.#kinds).reduce((sum, { failed }) => sum + failed, 0);
  }

  /** The file of a medium was stored. */
  storeFile(bytes: number): void {
    this.#mediaFiles += 1;
    this.#mediaBytes += bytes;
  }

  media(): { readonly files: number; readonly bytes: number } {
    return { files: this.#mediaFiles, bytes: this.#mediaBytes };
  }

  /** So many more items are to be read. */
  plan(items: number): void {
    this.#planned += items;
  }

  /** The reading of one of them is finished. */
  finish(): void {
    this.#finished += 1;
  }

  get planned(): number {
    return this.#planned;
  }

  get finished(): number {
    return this.#finished;
  }

  /** It was listed, and was not there when it was read. */
  markVanished(key: Key): void {
    this.#vanished.add(key);
  }

  /** It had vanished, and a list shows it all the same. */
  markFailed(key: Key): void {
    this.#vanished.delete(key);
    this.count(kindOf(key) as ItemKind, "failed");
  }

  get vanished(): ReadonlySet<Key> {
    return this.#vanished;
  }

  /** It is on no list, and at the site when it is asked for, or not clearly deleted. */
  markUnlisted(key: Key): void {
    this.#unlisted.add(key);
  }

  get unlisted(): ReadonlySet<Key> {
    return this.#unlisted;
  }

  /** It was never released, where released versions are asked for. */
  markUnreleased(key: Key): void {
    this.#unreleased.push(key);
  }

  get unreleased(): readonly Key[] {
    return this.#unreleased;
  }

  /** It is archived, and not shown to the account of the source. */
  markArchived(guide: Key): void {
    this.#archived.push(guide);
  }

  get archived(): readonly Key[] {
    return this.#archived;
  }

  /** Its address must not be asked: it is left out, and no failure. */
  markRefusedMedia(media: Key): void {
    this.#refusedMedia.add(media);
  }

  get refusedMedia(): ReadonlySet<Key> {
    return this.#refusedMedia;
  }

  /** The site refused a record with this status. */
  markRefused(record: Key, status: number): void {
    this.#refused.set(record, status);
  }

  get refused(): ReadonlyMap<Key, number> {
    return this.#refused;
  }
}

/**
 * Selects the unchanged items that this extract reads again, so that each item is read once in
 * `cycle` complete extracts.
 */
interface RefreshSchedule {
  /** `readAt`: when the stored copy was read, UNIX seconds. */
  isDue(key: Key, readAt: number): boolean;
}

/** Complete extracts. */
export const DEFAULT_CYCLE = 14;

interface RefreshScheduleOptions {
  /** In complete extracts. */
  readonly cycle: number;
  /** Complete extracts before this one. */
  readonly completedExtracts: number;
  /**
   * UNIX seconds of the first start of this extract, which may have been stopped and resumed: what
   * was read since is not due.
   */
  readonly startedAt: number;
  /** UNIX seconds now. */
  readonly now: () => number;
}

/**
 * Spreads the keys evenly over the cycle by their hash. An item with a read time in the future is
 * due: the clock was wrong, so its age is unknown.
 */
export function refreshSchedule({ cycle, completedExtracts, startedAt, now }: RefreshScheduleOptions): RefreshSchedule {
  const share = completedExtracts % cycle;
  return { isDue: (key, readAt) => readAt > now() || (readAt <= startedAt && placeOf(key) % cycle === share) };
}

function placeOf(key: Key): number {
  return createHash("sha256").update(key).digest().readUInt32BE(0);
}

const RESUME = "Everything done so far is kept. Run the same command again: it goes on from here.";

/** The error that a run ends with when it was asked to stop. */
export function stopped({ counters }: Pick<ExtractRun, "counters">, cause?: unknown): StoppedError {
  const { finished, planned } = counters;
  const where = planned === 0 ? "while the lists were read" : `after ${finished} of ${planned} new or changed items`;
  return new StoppedError(`The extract was stopped ${where}. ${RESUME}`, cause === undefined ? {} : { cause });
}

export function throwIfStopped(run: ExtractRun): void {
  if (run.control.stop.aborted) throw stopped(run);
}

/** The inputs until the run is asked to stop. */
export function* untilStopped<T>(run: ExtractRun, inputs: Iterable<T>): Generator<T> {
  for (const input of inputs) {
    if (run.control.stop.aborted) return;
    yield input;
  }
}

type Items = Pick<Workspace, "items">;

/**
 * The item that remembers complete extracts. What changes stands in its entry (`revision`), not in
 * its file: to remember is no new content.
 */
export const EXTRACT_RECORD: Key = "record/extract";

/** What extracts of everything leave for the next one. */
interface ExtractMemory {
  /**
   * UNIX seconds at which the last complete one began; lists without tokens are asked for what
   * changed since. Null: there was none.
   */
  readonly since: number | null;
  readonly completedExtracts: number;
  /** When the one began that is not complete yet; null: the last one is. */
  readonly unfinishedSince: number | null;
}

/** What is remembered in a workspace. An older guideferry wrote `since` only. */
export function extractMemory({ items }: Items): ExtractMemory {
  const [, since, completed, unfinished] =
    /^(\d*)(?:\/(\d+)\/(\d*))?$/.exec(items.entry(EXTRACT_RECORD)?.revision ?? "") ?? [];
  return {
    since: numberOr(since, null),
    completedExtracts: numberOr(completed, 0),
    unfinishedSince: numberOr(unfinished, null),
  };
}

/** An extract of everything begins. Gives when it began first, if it was broken off since. */
export async function rememberStart(workspace: Items, startedAt: number): Promise<number> {
  const { since, completedExtracts, unfinishedSince } = extractMemory(workspace);
  if (unfinishedSince !== null) return unfinishedSince;
  await remember(workspace, { since, completedExtracts, unfinishedSince: startedAt }, since ?? startedAt);
  return startedAt;
}

/** An extract of everything is complete. */
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

/** A list that shows less than before: of one kind, one namespace, or one family of rows. */
export interface Unlisted {
  /** For people: `guides`, `INFO pages`, `quizzes/:quizid`. */
  readonly list: string;
  readonly of: ListedSort;
  /** How many there were until now, and how many of these the list has no more. */
  readonly present: number;
  readonly unlisted: number;
}

/**
 * What vanishes with it: `items`; `records` that stand on its rows; `rows` of an answer that is
 * kept whole; `passing`, what people fill and empty in their daily work.
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

/**
 * The lists that lack something which they had; to be called when everything was listed, before
 * `endListing`.
 */
export function unlistedParts(items: ListedItems): readonly Unlisted[] {
  const unlisted = countByList(items.unlisted());
  const kinds = new Set([...unlisted.values()].map(({ kind }) => kind));
  const present = new Map([...kinds].flatMap((kind) => [...countByList(presentKeys(items, kind))]));
  return [...unlisted].map(([list, { kind, count }]) => ({
    list,
    of: sortOf(list, kind === "record" ? "records" : "items"),
    present: present.get(list)?.count ?? count,
    unlisted: count,
  }));
}

function sortOf(list: string, usual: ListedSort): ListedSort {
  return PASSING.has(list) ? "passing" : usual;
}

/** Records that are lists themselves. */
const LISTS: ReadonlySet<string> = new Set([
  ...["tags", "comments", "releases"],
  ...SITE_WALKS.filter(({ walk }) => walk.paged === true).map(({ endpoint }) => endpoint.path.slice(1)),
]);

/** Does the site answer with an empty list where it had rows? `fresh` is not stored yet. */
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

function* presentKeys(items: ListedItems, kind: ItemKind): Generator<Key> {
  // Translations have no list: their guides tell of them.
  for (const { key, state } of items.entries(kind)) if (state === "present" && !isTranslation(key)) yield key;
}

function isTranslation(key: Key): boolean {
  return kindOf(key) === "guide" && key.includes("@");
}

/** undefined: it has no list of its own, or goes with the guide or page that it stands on. */
function listOf(key: Key): string | undefined {
  const kind = kindOf(key);
  if (kind === "guide") return "guides";
  if (kind === "category") return "categories";
  return kind === "wiki" ? `${wikiOf(key).namespace} pages` : familyOf(key);
}

function familyOf(key: Key): string | undefined {
  const endpoint = recordEndpoint(restOf(key));
  const standsOnRows = endpoint?.use.by === "backup" && endpoint.use.walks.some(({ per }) => per === "row");
  return standsOnRows ? endpoint.path.slice(1) : undefined;
}

/**
 * A stored item, or undefined: there is none, or its file is damaged. The latter is as if there
 * were none, since the store takes the token from a damaged item, and what has none is read from
 * the site again.
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
