import type { Manifest, SnapshotId } from "../../storage/repository/format.js";
import type { Browsable } from "../../storage/repository/read/browsable.js";
import { UsageError } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { SiteIdentity } from "../../core/model/site.js";
import { storedItem } from "../../backup/past/stored-item.js";
import type { Medium, Shelf, ShelfRow, TimeFacts } from "./library.js";
import { MediaTable } from "./media-table.js";
import { type KeptRow, keptRowOf, RowTable, shelfRowOf } from "./row-table.js";

/** One snapshot of a repository or an archive. Its rows are kept once somebody read all of them, so that pages find theirs at once. */
export class RepositoryShelf implements Shelf {
  readonly facts: TimeFacts;
  readonly site: SiteIdentity;
  readonly #repository: () => Browsable;
  readonly #snapshot: SnapshotId;
  #media: MediaTable;
  /** Rows that are being read when it moves are those of before. */
  #moves = 0;
  #kept: RowTable | undefined;
  /** Archives that no key opens: a passphrase takes a second for each try. */
  readonly #locked = new Map<string, UsageError>();

  private constructor(repository: () => Browsable, facts: TimeFacts, manifest: Manifest) {
    this.#repository = repository;
    this.#snapshot = manifest.snapshot;
    this.facts = facts;
    this.site = manifest.site;
    this.#media = this.#mediaTable();
  }

  /** `repository`: as it is at the moment of each question. Throws ArchiveError when the manifest can't be read. */
  static async open(repository: () => Browsable, facts: TimeFacts): Promise<RepositoryShelf> {
    return new RepositoryShelf(repository, facts, await repository().manifest(facts.id));
  }

  /** What it holds lies in other archives now: where that is is looked up anew. */
  moved(): void {
    this.#moves += 1;
    this.#kept = undefined;
    this.#locked.clear();
    this.#media = this.#mediaTable();
  }

  async *rows(): AsyncGenerator<ShelfRow> {
    for await (const rows of this.rowBatches()) yield* rows;
  }

  async *rowBatches(): AsyncGenerator<readonly ShelfRow[]> {
    if (this.#kept !== undefined) {
      yield* this.#kept.batches(BATCH);
      return;
    }
    const [kept, moves] = [new RowTable(), this.#moves];
    for await (const rows of this.#repository().itemBatches(this.#snapshot)) {
      const present = rows.filter((row) => row.state === "present");
      for (const row of present) kept.add(row);
      yield present.map(shelfRowOf);
    }
    if (moves === this.#moves) this.#kept = kept;
  }

  async row(key: Key): Promise<ShelfRow | undefined> {
    return this.#row(key);
  }

  async item({ key }: Pick<ShelfRow, "key">): Promise<Item> {
    const row = await this.#row(key);
    if (row === undefined) throw new TypeError(`${key} is not in the snapshot ${this.#snapshot}.`);
    const { present } = row;
    return this.#unlocked(present.archive, () => storedItem(this.#repository(), present));
  }

  async medium(sha256: string): Promise<Medium | undefined> {
    const place = await this.#media.find(sha256);
    if (place === undefined) return undefined;
    const open: Medium["open"] = (range) =>
      this.#unlocked(place.archive, () =>
        range === undefined ? this.#repository().open(place) : this.#repository().openPart(place, range),
      );
    return { size: place.size, open };
  }

  #mediaTable(): MediaTable {
    return new MediaTable(() => this.#repository().mediaBatches(this.#snapshot));
  }

  async #row(key: Key): Promise<KeptRow | undefined> {
    if (this.#kept !== undefined) return this.#kept.get(key);
    const row = await this.#repository().item(this.#snapshot, key);
    return row?.state === "present" ? keptRowOf(row) : undefined;
  }

  async #unlocked<T>(archive: string, work: () => Promise<T>): Promise<T> {
    const known = this.#locked.get(archive);
    if (known !== undefined) throw known;
    try {
      return await work();
    } catch (error) {
      if (error instanceof UsageError) this.#locked.set(archive, error);
      throw error;
    }
  }
}

/** Rows that are given at once. */
const BATCH = 1000;
