import type { ItemRow, MediaRow, Place, PresentRow, SnapshotId } from "../../../archive/repository/format.js";
import type { Key } from "../../../model/key.js";
import type { Fault } from "./contents-check.js";
import type { Hit } from "./repository-check.js";

type Facts = Omit<Hit, "snapshots" | "items">;

/** A lost archive may be named by thousands of rows in each of hundreds of snapshots: these are kept as ranges of their numbers. */
interface Noted {
  readonly facts: Facts;
  /** From and to, and again. */
  readonly ranges: number[];
}

/** Collects what is hit: a content once, with every snapshot that names it. */
export class HitList {
  readonly #hits = new Map<string, Noted>();
  readonly #snapshots: readonly SnapshotId[];

  /** All snapshots, in their order. */
  constructor(snapshots: readonly SnapshotId[]) {
    this.#snapshots = snapshots;
  }

  addItem(row: PresentRow, fault: Fault, snapshot: SnapshotId): void {
    const facts = (): Facts => ({ ...placeOf(row), kind: row.kind, name: row.key, title: row.title, ...fault });
    this.#add(row, row.key, facts, snapshot);
  }

  addMedium(row: MediaRow, fault: Fault, snapshot: SnapshotId): void {
    const facts = (): Facts => ({ ...placeOf(row), kind: "media", name: row.sha256, title: null, ...fault });
    this.#add(row, row.sha256, facts, snapshot);
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

  #add({ archive, sha256 }: Place, of: string, facts: () => Facts, snapshot: SnapshotId): void {
    const name = `${of}\0${sha256}\0${archive}`;
    const known = this.#hits.get(name);
    const number = this.#snapshots.indexOf(snapshot);
    if (known === undefined) this.#hits.set(name, { facts: facts(), ranges: [number, number] });
    else if (known.ranges.at(-1) === number - 1) known.ranges[known.ranges.length - 1] = number;
    else known.ranges.push(number, number);
  }
}

export function isPresent(row: ItemRow): row is PresentRow {
  return row.state === "present";
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
