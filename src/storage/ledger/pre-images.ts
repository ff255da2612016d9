import type { Key } from "../../core/model/key.js";
import type { Body, PreImage, RemoteBody, Written } from "../../core/writing.js";
import type { Database } from "../sqlite.js";

/**
 * How many writing runs of a target can be undone: the rows of older ones are dropped when a new
 * one first writes.
 */
const KEPT_RUNS = 20;

/** What a run has noted of a thing so far. */
interface Noted {
  /** `made`: it was not there before. */
  readonly how: "made" | "kept";
  /** What the ledger knew of it then, as it was stored. */
  readonly written: string | null;
}

interface EarlierRow {
  readonly thing: string;
  readonly item: Key;
  readonly id: string | null;
  readonly body: string | null;
  readonly written: string | null;
  readonly theirs: number;
  readonly sent: string | null;
}

/** How things were before each run first changed them, in the table `earlier`. */
export class PreImageRows {
  readonly #database: Database;
  readonly #target: number;
  readonly #run: () => string | undefined;
  /** The run whose first row made place for itself. */
  #pruned: string | undefined;

  constructor(database: Database, target: number, run: () => string | undefined) {
    this.#database = database;
    this.#target = target;
    this.#run = run;
  }

  /** Does anybody keep what this one changes? */
  keeps(): boolean {
    return this.#run() !== undefined;
  }

  /** What this run noted of a thing; undefined: nothing. */
  noted(thing: string): Noted | undefined {
    const sql = "SELECT id, written FROM earlier WHERE target = :target AND run = :run AND thing = :thing";
    const row = this.#database.get<Pick<EarlierRow, "id" | "written">>(sql, { ...this.#scope(), thing });
    if (row === undefined) return undefined;
    return { how: row.id === null && row.written === null ? "made" : "kept", written: row.written };
  }

  /** Inside a transaction. It was not there before. */
  made(item: Key, thing: string): void {
    this.#put({ item, thing, id: null, body: null, written: null, theirs: false, sent: null });
  }

  /** Inside a transaction. Only the first state of a run counts. */
  kept(earlier: PreImage): void {
    this.#put(earlier);
  }

  /** Inside a transaction. What was to be made or changed is there and somebody else's. */
  found(thing: string, { id, body }: RemoteBody): void {
    this.#database.run(
      "UPDATE earlier SET id = :id, body = :body, theirs = 1 WHERE target = :target AND run = :run AND thing = :thing",
      { ...this.#scope(), thing, id, body: JSON.stringify(body) },
    );
  }

  /** A hint that outlives a killed process, and costs no wait for the disk. */
  sending(thing: string, sent: Body): void {
    const sql = "UPDATE earlier SET sent = :sent WHERE target = :target AND run = :run AND thing = :thing";
    this.#database.lightly(() => this.#database.run(sql, { ...this.#scope(), thing, sent: JSON.stringify(sent) }));
  }

  #put({ item, thing, id, body, written, theirs, sent }: PreImage): void {
    if (!this.keeps()) return;
    this.#prune();
    this.#database.run(
      `INSERT OR IGNORE INTO earlier (target, run, thing, item, id, body, written, theirs, sent)
       VALUES (:target, :run, :thing, :item, :id, :body, :written, :theirs, :sent)`,
      {
        ...this.#scope(),
        thing,
        item,
        id,
        body: textOf(body),
        written: textOf(written),
        theirs: theirs ? 1 : 0,
        sent: textOf(sent),
      },
    );
  }

  #prune(): void {
    const run = this.#run();
    if (this.#pruned === run) return;
    this.#pruned = run;
    // The run that begins now is one of those that stay.
    this.#database.run(
      `DELETE FROM earlier WHERE target = :target AND run IN (
         SELECT run FROM earlier WHERE target = :target AND run <> :run GROUP BY run ORDER BY max(rowid) DESC LIMIT -1 OFFSET :others)`,
      { ...this.#scope(), others: KEPT_RUNS - 1 },
    );
  }

  #scope(): { readonly target: number; readonly run: string } {
    return { target: this.#target, run: this.#run() ?? "" };
  }
}

/** What a row says, with its bodies parsed. */
export function toPreImage({ thing, item, id, body, written, theirs, sent }: EarlierRow): PreImage {
  return {
    thing,
    item,
    id,
    body: body === null ? null : JSON.parse(body),
    written: written === null ? null : JSON.parse(written),
    theirs: theirs === 1,
    sent: sent === null ? null : JSON.parse(sent),
  };
}

export type { EarlierRow };

function textOf(value: Written | Body | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
