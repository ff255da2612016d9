import type { PresentRow } from "../../storage/repository/format.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { ShelfRow } from "./library.js";
import { NameList } from "./name-list.js";
import { PackedRecords } from "./packed-records.js";

type Kept = readonly [
  key: Key,
  kind: ItemKind,
  title: string,
  category: string | null,
  modified: number | null,
  sha256: string,
  size: number,
  archive: number,
  path: string,
];

/** Where an item lies, with what is known of it without opening it. */
export interface KeptRow extends ShelfRow {
  /** What is needed to open it. */
  readonly present: PresentRow;
}

/** The rows of a snapshot, as small as they can be held: a large site has a hundred thousand. */
export class RowTable {
  readonly #rows = new PackedRecords<Kept>();
  readonly #archives = new NameList();

  add({ key, kind, title, category, modified, sha256, size, archive, path }: PresentRow): void {
    this.#rows.add(key, [key, kind, title, category, modified, sha256, size, this.#archives.numberOf(archive), path]);
  }

  get(key: Key): KeptRow | undefined {
    const kept = this.#rows.find(key);
    return kept && this.#row(kept);
  }

  /** So many at a time, by their keys. */
  *batches(size: number): Generator<readonly ShelfRow[]> {
    let batch: ShelfRow[] = [];
    for (const kept of this.#rows.values()) {
      batch.push(shelfRowOf(this.#row(kept).present));
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }

  #row([key, kind, title, category, modified, sha256, size, archive, path]: Kept): KeptRow {
    const place = { sha256, size, archive: this.#archives.at(archive), path };
    return keptRowOf({
      ...{ key, kind, state: "present", revision: "", title, category, modified, read: 0 },
      ...place,
    });
  }
}

export function keptRowOf(present: PresentRow): KeptRow {
  return { ...shelfRowOf(present), present };
}

export function shelfRowOf({ key, kind, title, category, modified, sha256: digest }: PresentRow): ShelfRow {
  return { key, kind, title, category, modified, digest };
}
