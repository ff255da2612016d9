import type { Listed } from "../../core/contracts.js";
import { messageOf } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { parallel } from "../../core/util/concurrency.js";
import { digest, isObject } from "../../core/util/json.js";
import { NO_ENDPOINT } from "../../service/source/records.js";
import type { ItemEntry, ItemStore } from "../../storage/workspace/item-store.js";
import type { ScratchList } from "../../storage/workspace/scratch.js";
import { endsRun, remedyAt } from "../remedies.js";
import { type ExtractRun, readStored, throwIfStopped, untilStopped } from "./run.js";

/** Refusals or failures before the first answer that end a family for this run. */
const MOST_IN_VAIN = 3;
/** The same for 404, which is usual for most items. */
const MOST_WITHOUT = 100;

type Due = Pick<Listed, "key" | "revision">;

interface Tried {
  readonly asked: number;
  readonly answers: readonly (readonly [Due, Item])[];
  readonly answered: boolean;
}

/**
 * Reads records that cost a request each: those that are new, changed by their token, failed
 * before, or due. A family that the site refuses costs one request for each run.
 */
export class FamilyRecords {
  readonly #run: ExtractRun;
  readonly #failedBefore: ReadonlySet<Key>;
  /** By family; on the disk, since the first run reads every record. */
  readonly #due = new Map<string, ScratchList>();
  #lists = 0;

  constructor(run: ExtractRun, failedBefore: ReadonlySet<Key>) {
    this.#run = run;
    this.#failedBefore = failedBefore;
  }

  /** `entry`: of the stored record, if there is one. */
  add(row: Listed, family: string, entry: ItemEntry | undefined): void {
    if (this.#isDue(row, entry)) this.#queue(row, family);
    else this.#run.counters.count("record", "unchanged");
  }

  #queue(row: Listed, family: string): void {
    const due = this.#due.get(family) ?? this.#newList();
    this.#due.set(family, due);
    due.push(JSON.stringify([row.key, row.revision]));
  }

  /** Its own topic, since a family that is being read may get a new list. */
  #newList(): ScratchList {
    this.#lists += 1;
    return this.#run.workspace.scratch.list(`family ${this.#lists}`);
  }

  async read(): Promise<void> {
    const { items } = this.#run.workspace;
    const refused = new Map(await refusedFamilies(items));
    for (let [next] = this.#due; next !== undefined; [next] = this.#due) {
      const [family, rows] = next;
      this.#due.delete(family);
      this.#run.counters.plan(rows.length);
      const status = await this.#readFamily(rows, refused.has(family));
      throwIfStopped(this.#run);
      if (status === "answered") refused.delete(family);
      if (typeof status === "number") refused.set(family, status);
    }
    await rememberRefused(items, refused);
    for (const [family, status] of refused) this.#run.counters.markRefused(`record/${family}`, status);
  }

  #isDue({ key, revision }: Listed, entry: ItemEntry | undefined): boolean {
    const { options } = this.#run;
    if (this.#failedBefore.has(key)) return true;
    if (options.onlyFailed === true) return false;
    if (entry === undefined || entry.revision !== revision) return true;
    return this.#run.schedule.isDue(key, entry.readAt);
  }

  /** The status with which the site refuses the family; `failed`: unknown. */
  async #readFamily(rows: ScratchList, wasRefused: boolean): Promise<number | "answered" | "failed"> {
    // One iterator, so that what is tried out is not read again.
    const waiting = untilStopped(this.#run, spread(rows, this.#run.completedExtracts));
    const { asked, answers, answered } = await this.#tryOut(waiting, wasRefused);
    if (!answered && asked < rows.length) return answers.map(([, item]) => statusOf(item)).at(-1) ?? "failed";
    for (const [row, item] of answers) await this.#store(row, item);
    await parallel(waiting, this.#run.control.concurrency, async (row) => {
      const item = await this.#ask(row);
      if (item !== undefined) await this.#store(row, item);
    });
    return answered ? "answered" : "failed";
  }

  /** One after the other until one is answered, so that a refusal costs few requests. */
  async #tryOut(rows: Iterator<Due>, wasRefused: boolean): Promise<Tried> {
    const answers: (readonly [Due, Item])[] = [];
    let [asked, inVain] = [0, 0];
    for (let next = rows.next(); next.done !== true; next = rows.next()) {
      const row = next.value;
      const item = await this.#ask(row);
      asked += 1;
      if (item !== undefined) answers.push([row, item]);
      if (item !== undefined && !isRefusal(item)) return { asked, answers, answered: true };
      if (item === undefined || !hasNone(item)) inVain += 1;
      if (wasRefused || inVain >= MOST_IN_VAIN || asked >= MOST_WITHOUT) break;
    }
    return { asked, answers, answered: false };
  }

  async #ask(row: Due): Promise<Item | undefined> {
    const item = await readRecord(this.#run, row.key);
    const { counters, control } = this.#run;
    counters.finish();
    const [{ finished: done, planned: total }, unchanged] = [counters, counters.unchanged()];
    control.progress({ stage: "extract", done, total, unchanged, key: row.key, failed: counters.failed() });
    return item;
  }

  async #store(row: Due, item: Item): Promise<void> {
    await storeRecord(this.#run, item, row);
    if (isRefusal(item)) return;
    this.#run.control.breaker.success();
    for (const next of this.#run.source.follow?.(item) ?? []) {
      this.#run.workspace.items.listed(next);
      this.#run.counters.count("record", "listed");
      // Named by the answer that was read just now, so the schedule does not know them.
      if (next.family !== undefined) this.#queue(next, next.family);
    }
  }
}

function hasNone(item: Item): boolean {
  return statusOf(item) === 404 && !item.issues.some(({ code }) => code === NO_ENDPOINT);
}

/** Puts three distant rows first, others in each extract: one refused item is no refused family. */
function* spread(rows: ScratchList, completedExtracts: number): Generator<Due> {
  const { length } = rows;
  const first = new Set([0, 1, 2].map((third) => (completedExtracts + Math.floor((third * length) / 3)) % length));
  for (const index of first) yield dueAt(rows, index);
  for (let index = 0; index < length; index += 1) if (!first.has(index)) yield dueAt(rows, index);
}

function dueAt(rows: ScratchList, index: number): Due {
  const [key, revision]: readonly [Key, string] = JSON.parse(rows.at(index));
  return { key, revision };
}

export async function readRecord(run: ExtractRun, key: Key): Promise<Item | undefined> {
  const { source, control, workspace, counters } = run;
  try {
    const item = await source.read(key, control.abort);
    workspace.failures.clear("extract", key);
    return item;
  } catch (error) {
    if (endsRun(error, control)) throw error;
    counters.count("record", "failed");
    workspace.failures.add("extract", key, messageOf(error), remedyAt("source", error));
    control.breaker.failure(error);
    return undefined;
  }
}

/**
 * Stores an answer. An equal answer keeps its file and gets a new age. A refused answer keeps the
 * earlier copy with its age.
 * | `listed`: of a record that is read when its token changes; others have the token of their
 * answer.
 */
export async function storeRecord(run: ExtractRun, item: Item, listed?: Pick<Listed, "revision">): Promise<void> {
  const { items } = run.workspace;
  const entry = items.entry(item.key);
  const revision = listed?.revision ?? item.revision;
  if (isRefusal(item) && listed === undefined) run.counters.markRefused(item.key, statusOf(item));
  const kept = await keptCopy(run, item, entry, listed);
  if (kept === undefined) {
    const { readAt } = await items.put(item);
    if (listed !== undefined) items.compared(item.key, { revision, readAt });
    run.counters.count("record", "read");
    return;
  }
  run.counters.count("record", "unchanged");
  items.compared(item.key, {
    revision: kept.isRefused ? (listed?.revision ?? kept.revision) : revision,
    readAt: kept.readAt,
  });
}

interface Kept {
  readonly revision: string;
  readonly readAt: number;
  readonly isRefused: boolean;
}

async function keptCopy(
  { workspace }: ExtractRun,
  item: Item,
  entry: ItemEntry | undefined,
  listed: Pick<Listed, "revision"> | undefined,
): Promise<Kept | undefined> {
  if (entry === undefined) return undefined;
  // A record without its own token is compared by its entry, without reading the file.
  const isAsStored = listed === undefined && entry.revision === item.revision && entry.revision !== "";
  const stored = isAsStored ? item : await readStored(workspace.items, item.key);
  if (stored === undefined) return undefined;
  if (stored.revision === item.revision) return { revision: item.revision, readAt: readAtOf(item), isRefused: false };
  if (!isRefusal(item) || isRefusal(stored)) return undefined;
  return { revision: stored.revision, readAt: entry.readAt, isRefused: true };
}

export function isRefusal(item: Item): boolean {
  return statusOf(item) !== 200;
}

function statusOf(item: Item): number {
  return item.kind === "record" ? item.body.status : 200;
}

function readAtOf(item: Item): number {
  return item.kind === "record" ? item.body.readAt : 0;
}

/** guideferry's own record: families that the site refuses, each requested once in a run. */
export const REFUSED_RECORD: Key = "record/refused";

async function refusedFamilies(items: ItemStore): Promise<ReadonlyMap<string, number>> {
  const item = await readStored(items, REFUSED_RECORD);
  const answer = item?.kind === "record" && isObject(item.body.answer) ? item.body.answer : {};
  return new Map(Object.entries(answer).map(([family, status]) => [family, Number(status)]));
}

async function rememberRefused(items: ItemStore, refused: ReadonlyMap<string, number>): Promise<void> {
  const answer = Object.fromEntries([...refused].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const revision = digest(answer);
  const before = items.entry(REFUSED_RECORD);
  if (before === undefined ? refused.size === 0 : before.revision === revision) return;
  const entry = await items.put({
    key: REFUSED_RECORD,
    kind: "record",
    revision,
    raw: null,
    media: [],
    translations: [],
    issues: [],
    body: { path: "refused", query: {}, status: 200, readAt: 0, answer },
  });
  items.listed(entry);
}
