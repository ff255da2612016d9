import type { Key } from "../../core/model/key.js";
import type { Body, PreImage, RemoteBody, Written } from "../../core/writing.js";
import type { Database } from "../sqlite.js";

/** Runs of a target that can be undone. The first write of a new run deletes the older ones. */
const KEPT_RUNS = 20;

interface Noted {
  /** `made`: the thing did not exist before. */
  readonly how: "made" | "kept";
  /** The record of the ledger at that time, as it is stored. */
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

/** Things as they were before each run first changed them, in the table `earlier`. */
export class PreImageRows {
  readonly #database: Database;
  readonly #target: number;
  readonly #run: () => string | undefined;
  #pruned: string | undefined;

  constructor(database: Database, target: number, run: () => string | undefined) {
    this.#database = database;
    this.#target = target;
    this.#run = run;
  }

  keeps(): boolean {
    return this.#run() !== undefined;
  }

  noted(thing: string): Noted | undefined {
    const sql = "SELECT id, written FROM earlier WHERE target = :target AND run = :run AND thing = :thing";
    const row = this.#database.get<Pick<EarlierRow, "id" | "written">>(sql, { ...this.#scope(), thing });
    if (row === undefined) return undefined;
    return { how: row.id === null && row.written === null ? "made" : "kept", written: row.written };
  }

  /**
   * A work of `durably` that keeps pre-images. The first one of a run also deletes those of older
   * runs, and each time when it is repeated.
   */
  keeping(work: () => void): () => void {
    const run = this.#run();
    if (this.#pruned === run) return work;
    this.#pruned = run;
    return () => {
      this.#prune();
      work();
    };
  }

  /** Inside a transaction. The thing did not exist before. */
  made(item: Key, thing: string): void {
    this.#put({ item, thing, id: null, body: null, written: null, theirs: false, sent: null });
  }

  /** Inside a transaction. Only the first pre-image of a run counts. */
  kept(earlier: PreImage): void {
    this.#put(earlier);
  }

  /** Inside a transaction. The thing to be created or changed has a remote state of others. */
  found(thing: string, { id, body }: RemoteBody): void {
    this.#database.run(
      "UPDATE earlier SET id = :id, body = :body, theirs = 1 WHERE target = :target AND run = :run AND thing = :thing",
      { ...this.#scope(), thing, id, body: JSON.stringify(body) },
    );
  }

  /** Inside a transaction. */
  sending(thing: string, sent: Body): void {
    const sql = "UPDATE earlier SET sent = :sent WHERE target = :target AND run = :run AND thing = :thing";
    this.#database.run(sql, { ...this.#scope(), thing, sent: JSON.stringify(sent) });
  }

  #put({ item, thing, id, body, written, theirs, sent }: PreImage): void {
    if (!this.keeps()) return;
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
    // The new run itself is one of the kept runs.
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
