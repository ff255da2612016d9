import type { Manifest, SnapshotId } from "../archive/repository/format.js";
import type { Browsable } from "../archive/repository/read/browsable.js";
import { UsageError } from "../errors.js";
import type { Item } from "../model/item.js";
import type { Key } from "../model/key.js";
import type { SiteIdentity } from "../model/site.js";
import { storedItem } from "../pipeline/backup/past/stored-item.js";
import { KeptRow } from "./kept-row.js";
import type { Medium, Shelf, ShelfRow, TimeFacts } from "./library.js";
import { MediaTable } from "./media-table.js";

/** One snapshot of a repository or an archive. Its rows are kept once somebody read all of them, so that pages find theirs at once. */
export class RepositoryShelf implements Shelf {
  readonly facts: TimeFacts;
  readonly site: SiteIdentity;
  readonly #repository: Browsable;
  readonly #snapshot: SnapshotId;
  readonly #media: MediaTable;
  #kept: ReadonlyMap<Key, KeptRow> | undefined;
  /** Archives that no key opens: a passphrase takes a second for each try. */
  readonly #locked = new Map<string, UsageError>();

  private constructor(repository: Browsable, facts: TimeFacts, manifest: Manifest) {
    this.#repository = repository;
    this.#snapshot = manifest.snapshot;
    this.facts = facts;
    this.site = manifest.site;
    this.#media = new MediaTable(() => repository.mediaBatches(manifest.snapshot));
  }

  /** Throws ArchiveError when the manifest can't be read. */
  static async open(repository: Browsable, facts: TimeFacts): Promise<RepositoryShelf> {
    return new RepositoryShelf(repository, facts, await repository.manifest(facts.id));
  }

  async *rows(): AsyncGenerator<ShelfRow> {
    for await (const rows of this.rowBatches()) yield* rows;
  }

  async *rowBatches(): AsyncGenerator<readonly ShelfRow[]> {
    if (this.#kept !== undefined) {
      yield [...this.#kept.values()];
      return;
    }
    const kept = new Map<Key, KeptRow>();
    const archives = new Map<string, string>();
    for await (const rows of this.#repository.itemBatches(this.#snapshot)) {
      const own = rows.flatMap((row) => (row.state === "present" ? [KeptRow.of(row, archives)] : []));
      for (const row of own) kept.set(row.key, row);
      yield own;
    }
    this.#kept = kept;
  }

  async row(key: Key): Promise<ShelfRow | undefined> {
    return this.#row(key);
  }

  async item({ key }: ShelfRow): Promise<Item> {
    const row = await this.#row(key);
    if (row === undefined) throw new TypeError(`${key} is not in the snapshot ${this.#snapshot}.`);
    const present = row.present();
    return this.#unlocked(present.archive, () => storedItem(this.#repository, present));
  }

  async medium(sha256: string): Promise<Medium | undefined> {
    const place = await this.#media.find(sha256);
    if (place === undefined) return undefined;
    const open: Medium["open"] = (range) =>
      this.#unlocked(place.archive, () =>
        range === undefined ? this.#repository.open(place) : this.#repository.openPart(place, range),
      );
    return { size: place.size, open };
  }

  async #row(key: Key): Promise<KeptRow | undefined> {
    if (this.#kept !== undefined) return this.#kept.get(key);
    const row = await this.#repository.item(this.#snapshot, key);
    return row?.state === "present" ? KeptRow.of(row) : undefined;
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
