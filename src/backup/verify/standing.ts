import type {
  ItemRow,
  MediaRow,
  Place,
  PresentRow,
  SnapshotId,
  SnapshotIndex,
} from "../../storage/repository/format.js";
import type { Fault } from "./contents-check.js";
import type { HitList, Noted } from "./hit-list.js";

/**
 * What the rows of the snapshot that was looked at last come to, moved on by what is other in the next one: a night's rows are nearly those of
 * the night before. Sums and what is hit, no rows.
 */
export class Standing {
  readonly #hits: HitList;
  readonly #needs = new Map<string, { contents: number; bytes: number }>();
  readonly #noted = new Set<Noted>();
  /** Whose rows these are; null: nobody's yet, and the next snapshot is looked at as a whole. */
  of: SnapshotId | null = null;

  constructor(hits: HitList) {
    this.#hits = hits;
  }

  /** Contents that are lost. */
  get lost(): { readonly items: number; readonly media: number } {
    const lost = { items: 0, media: 0 };
    for (const { facts } of this.#noted) if (!facts.repaired) lost[facts.kind === "media" ? "media" : "items"] += 1;
    return lost;
  }

  forget(): void {
    this.of = null;
    this.#needs.clear();
    this.#noted.clear();
  }

  add(row: PresentRow | MediaRow, fault: Fault | undefined): void {
    this.#sum(row, 1);
    if (fault !== undefined) this.#noted.add(this.#hits.add(row, fault));
  }

  remove(row: PresentRow | MediaRow): void {
    this.#sum(row, -1);
    const noted = this.#noted.size === 0 ? undefined : this.#hits.find(row);
    if (noted !== undefined) this.#noted.delete(noted);
  }

  /** Everything that is hit is so in this snapshot. */
  noteHits(snapshot: SnapshotId): void {
    for (const noted of this.#noted) this.#hits.note(noted, snapshot);
  }

  /** Do the rows need of other snapshots' archives what the index says? `prune` goes by that. */
  isAsSaid({ archives, needs }: SnapshotIndex): boolean {
    const own = new Set(archives.map(({ name }) => name));
    const others = [...this.#needs.keys()].filter((archive) => !own.has(archive));
    if (needs.length !== others.length) return false;
    return needs.every(({ archive, contents, bytes }) => {
      const found = own.has(archive) ? undefined : this.#needs.get(archive);
      return found?.contents === contents && found.bytes === bytes;
    });
  }

  #sum({ archive, size }: Place, by: 1 | -1): void {
    const { contents, bytes } = this.#needs.get(archive) ?? { contents: 0, bytes: 0 };
    if (contents + by === 0) this.#needs.delete(archive);
    else this.#needs.set(archive, { contents: contents + by, bytes: bytes + by * size });
  }
}

/** The row, where it has bytes; a tombstone has none. */
export function withBytes<Row extends ItemRow | MediaRow>(
  row: Row | undefined,
): Exclude<Row, { readonly state: "deleted" }> | undefined {
  return row === undefined || ("state" in row && row.state === "deleted")
    ? undefined
    : (row as Exclude<Row, { readonly state: "deleted" }>);
}
