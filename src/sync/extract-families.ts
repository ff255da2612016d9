import { NO_ENDPOINT } from "../service/source/list-records.js";
import type { Listed } from "../core/contracts.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { parallel } from "../core/util/parallel.js";
import { isRefusal, readRecord, statusOf, storeRecord } from "./extract-record.js";
import { refusedFamilies, rememberRefused } from "./extract-refused.js";
import { type ExtractRun, failedSoFar } from "./extract-run.js";
import { throwIfStopped, untilStopped } from "./extract-stop.js";

/** So many refusals or failures before the first answer, and the rest of a family is not asked for in this run. */
const MOST_IN_VAIN = 3;
/** The same for "there is none of it here" (404), which a site may well say of most items. */
const MOST_WITHOUT = 100;

/** A record that is to be read, with the token that its row has. */
type Due = Pick<Listed, "key" | "revision">;

/** What came of the first rows of a family. */
interface Tried {
  readonly asked: number;
  readonly answers: readonly (readonly [Due, Item])[];
  readonly answered: boolean;
}

/**
 * The records that cost a request each. Of those that are listed it reads the new ones, those whose token is another, those that failed,
 * and those whose turn it is; a family that the site refuses costs one request a run.
 */
export class FamilyRecords {
  readonly #run: ExtractRun;
  readonly #failedBefore: ReadonlySet<Key>;
  /** By family; packed, since at first it is every record that there is. */
  readonly #due = new Map<string, string[]>();

  constructor(run: ExtractRun, failedBefore: ReadonlySet<Key>) {
    this.#run = run;
    this.#failedBefore = failedBefore;
  }

  /** A record that the source listed. */
  add(row: Listed, family: string): void {
    if (this.#isDue(row)) this.#queue(row, family);
    else this.#run.counters.kinds.record.unchanged += 1;
  }

  #queue(row: Listed, family: string): void {
    const due = this.#due.get(family);
    const packed = `${row.revision} ${row.key}`;
    if (due === undefined) this.#due.set(family, [packed]);
    else due.push(packed);
  }

  /** Reads what is due, family by family, and what the answers name in their turn. */
  async read(): Promise<void> {
    const { items } = this.#run.workspace;
    const refused = new Map(await refusedFamilies(items));
    for (let [next] = this.#due; next !== undefined; [next] = this.#due) {
      const [family, rows] = next;
      this.#due.delete(family);
      this.#run.counters.planned += rows.length;
      const status = await this.#readFamily(rows, refused.has(family));
      throwIfStopped(this.#run);
      if (status === "answered") refused.delete(family);
      if (typeof status === "number") refused.set(family, status);
    }
    await rememberRefused(items, refused);
    for (const [family, status] of refused) this.#run.counters.refused.set(`record/${family}`, status);
  }

  #isDue({ key, revision }: Listed): boolean {
    const { options, workspace } = this.#run;
    if (this.#failedBefore.has(key)) return true;
    if (options.onlyFailed === true) return false;
    const entry = workspace.items.entry(key);
    if (entry === undefined || entry.revision !== revision) return true;
    return this.#run.turns.isDue(key, entry.readAt);
  }

  /** The status with which the site refuses all of them; `failed`: nothing is known of it. */
  async #readFamily(rows: readonly string[], wasRefused: boolean): Promise<number | "answered" | "failed"> {
    const waiting = spread(rows, this.#run.night);
    const { asked, answers, answered } = await this.#tryOut(waiting, wasRefused);
    if (!answered && asked < rows.length) return answers.map(([, item]) => statusOf(item)).at(-1) ?? "failed";
    for (const [row, item] of answers) await this.#store(row, item);
    await parallel(untilStopped(this.#run, waiting.slice(asked)), this.#run.control.concurrency, async (packed) => {
      const row = unpacked(packed);
      const item = await this.#ask(row);
      if (item !== undefined) await this.#store(row, item);
    });
    return answered ? "answered" : "failed";
  }

  /** One after the other until one is answered: a family that is refused shall not cost a request an item. */
  async #tryOut(rows: readonly string[], wasRefused: boolean): Promise<Tried> {
    const answers: (readonly [Due, Item])[] = [];
    let [asked, inVain] = [0, 0];
    for (const packed of untilStopped(this.#run, rows)) {
      const row = unpacked(packed);
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
    counters.finished += 1;
    const { finished: done, planned: total } = counters;
    control.progress({ stage: "extract", done, total, key: row.key, failed: failedSoFar(counters) });
    return item;
  }

  async #store(row: Due, item: Item): Promise<void> {
    await storeRecord(this.#run, item, row);
    if (isRefusal(item)) return;
    this.#run.control.brake.success();
    for (const next of this.#run.source.follow?.(item) ?? []) {
      this.#run.workspace.items.listed(next);
      this.#run.counters.kinds.record.listed += 1;
      // These have no turn of their own: nobody knows of them but when this one is read.
      if (next.family !== undefined) this.#queue(next, next.family);
    }
  }
}

function unpacked(packed: string): Due {
  const end = packed.indexOf(" ");
  return { revision: packed.slice(0, end), key: packed.slice(end + 1) as Key };
}

/** Does the site have the family, and nothing of it for this one? */
function hasNone(item: Item): boolean {
  return statusOf(item) === 404 && !item.issues.some(({ code }) => code === NO_ENDPOINT);
}

/** First those that stand far from each other: what is refused to one by chance is not refused to all. Others in each night. */
function spread(rows: readonly string[], night: number): readonly string[] {
  const first = new Set([0, 1, 2].map((third) => (night + Math.floor((third * rows.length) / 3)) % rows.length));
  return [...[...first].flatMap((index) => rows[index] ?? []), ...rows.filter((_, index) => !first.has(index))];
}
