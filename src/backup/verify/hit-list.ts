import type { MediaRow, Place, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import type { Key } from "../../core/model/key.js";
import type { Fault } from "./contents-check.js";
import type { Hit } from "./repository-check.js";

type Facts = Omit<Hit, "snapshots" | "items">;

/** What is hit. A lost archive may be named by thousands of rows in each of hundreds of snapshots: these are kept as ranges of their numbers. */
export interface Noted {
  readonly facts: Facts;
  /** From and to, and again. */
  readonly ranges: number[];
}

/** Collects what is hit: a content once, with every snapshot that names it. */
export class HitList {
  readonly #hits = new Map<string, Noted>();
  readonly #snapshots: readonly SnapshotId[];
  readonly #numbers: ReadonlyMap<SnapshotId, number>;

  /** All snapshots, in their order. */
  constructor(snapshots: readonly SnapshotId[]) {
    this.#snapshots = snapshots;
    this.#numbers = new Map(snapshots.map((snapshot, number) => [snapshot, number]));
  }

  /** Of a content that is there already the facts stay. */
  add(row: PresentRow | MediaRow, fault: Fault): Noted {
    const known = this.find(row);
    if (known !== undefined) return known;
    const noted = { facts: { ...placeOf(row), ...describe(row), ...fault }, ranges: [] };
    this.#hits.set(nameOf(row), noted);
    return noted;
  }

  find(row: PresentRow | MediaRow): Noted | undefined {
    return this.#hits.get(nameOf(row));
  }

  /** To be called with one snapshot after the other. */
  note({ ranges }: Noted, snapshot: SnapshotId): void {
    const number = this.#numbers.get(snapshot) ?? 0;
    if (ranges.at(-1) === number - 1) ranges[ranges.length - 1] = number;
    else ranges.push(number, number);
  }

  /** The sha256 of media that are hit, with a snapshot that names them: the last one. */
  media(): ReadonlyMap<string, SnapshotId> {
    const media = [...this.#hits.values()].filter(({ facts }) => facts.kind === "media");
    return new Map(media.map(({ facts, ranges }) => [facts.sha256, this.#snapshots[ranges.at(-1) ?? 0] ?? ""]));
  }

  /** `itemsOf`: of a medium. By name, then by archive. */
  list(itemsOf: ReadonlyMap<string, readonly Key[]>): readonly Hit[] {
    const snapshots = this.#snapshots;
    const hits = [...this.#hits.values()].map(({ facts, ranges }) => ({
      ...facts,
      items: itemsOf.get(facts.name) ?? [],
      get snapshots() {
        return named(snapshots, ranges);
      },
    }));
    return hits.toSorted((one, other) => compare(one.name, other.name) || compare(one.archive, other.archive));
  }
}

function nameOf(row: PresentRow | MediaRow): string {
  return `${"key" in row ? row.key : row.sha256}\0${row.sha256}\0${row.archive}`;
}

function describe(row: PresentRow | MediaRow): Pick<Facts, "kind" | "name" | "title"> {
  return "key" in row
    ? { kind: row.kind, name: row.key, title: row.title }
    : { kind: "media", name: row.sha256, title: null };
}

function named(snapshots: readonly SnapshotId[], ranges: readonly number[]): readonly SnapshotId[] {
  const all: SnapshotId[] = [];
  for (let at = 0; at < ranges.length; at += 2)
    all.push(...snapshots.slice(ranges[at] ?? 0, (ranges[at + 1] ?? 0) + 1));
  return all;
}

function placeOf({ archive, path, sha256 }: Place): Pick<Place, "archive" | "path" | "sha256"> {
  return { archive, path, sha256 };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
