import type { PresentRow } from "../archive/repository/format.js";
import type { ItemKind, Key } from "../model/key.js";
import type { ShelfRow } from "./library.js";

/** A row of a snapshot, as small as it can be held: a large site has a hundred thousand. */
export class KeptRow implements ShelfRow {
  readonly key: Key;
  readonly kind: ItemKind;
  readonly title: string;
  readonly category: string | null;
  readonly modified: number | null;
  readonly digest: string;
  readonly #size: number;
  readonly #archive: string;
  readonly #path: string;

  private constructor(row: PresentRow, archive: string) {
    this.key = row.key;
    this.kind = row.kind;
    this.title = row.title;
    this.category = row.category;
    this.modified = row.modified;
    this.digest = row.sha256;
    this.#size = row.size;
    this.#archive = archive;
    this.#path = row.path;
  }

  /** `archives`: their names, each held once for all rows. */
  static of(row: PresentRow, archives: Map<string, string> = new Map()): KeptRow {
    const archive = archives.get(row.archive) ?? row.archive;
    archives.set(archive, archive);
    return new KeptRow(row, archive);
  }

  /** What is needed to open it. */
  present(): PresentRow {
    const { key, kind, title, category, modified, digest: sha256 } = this;
    const place = { sha256, size: this.#size, archive: this.#archive, path: this.#path };
    return { key, kind, state: "present", revision: "", title, category, modified, read: 0, ...place };
  }
}
