import type { Readable } from "node:stream";
import { UsageError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { MediaRow, Place, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import { isDamage, withoutAdvice } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { EntryTable } from "../../storage/repository/read/opened-archive.js";
import type { FileState } from "./check-files.js";
import type { Hit } from "./repository-check.js";

/** A damaged or missing content. */
export interface Fault {
  readonly reason: string;
  readonly repaired: boolean;
}

interface Looked {
  readonly table: Promise<Table>;
  /** The table, once it is read. */
  entries?: EntryTable;
  readonly sound: Set<string>;
  readonly faults: Map<string, Fault>;
}

/** Checks places, and reads each at most once as long as its archive is not forgotten. */
export class ContentsCheck {
  readonly #repository: OpenRepository;
  readonly #states: ReadonlyMap<string, FileState>;
  readonly #isSampled: (sha256: string) => boolean;
  readonly #looked = new Map<string, Looked>();
  readonly #repaired = new Map<string, boolean>();
  read = 0;

  constructor(
    repository: OpenRepository,
    states: ReadonlyMap<string, FileState>,
    isSampled: (sha256: string) => boolean,
  ) {
    this.#repository = repository;
    this.#states = states;
    this.#isSampled = isSampled;
  }

  /** Forgets all other archives, to limit memory to the archives of one snapshot. */
  keepOnly(archives: ReadonlySet<string>): void {
    for (const name of this.#looked.keys()) if (!archives.has(name)) this.#looked.delete(name);
  }

  /**
   * Is it in its place in a sound archive, and not to be read? false: ask `faultOf`. An await for
   * each of a site's rows takes longer than this check.
   */
  isInPlace(place: Place): boolean {
    const entries = this.#looked.get(place.archive)?.entries;
    if (entries === undefined || this.#states.get(place.archive) !== "sound") return false;
    return misplaced(entries, place) === undefined && !this.#isSampled(place.sha256);
  }

  /** undefined: no fault found. Throws other errors: the disk, a missing key. */
  async faultOf(place: Place): Promise<Fault | undefined> {
    const state = this.#states.get(place.archive);
    const looked = this.#look(place.archive);
    const table = await looked.table;
    if (typeof table === "object" && !("reason" in table)) looked.entries = table;
    if (table === "locked" && state === "sound") return undefined;
    const reason = reasonBy(table, place, state);
    if (reason !== undefined) return { reason, repaired: await this.#isRepaired(place) };
    const isListed = typeof table === "object" && !("reason" in table);
    if (state === "sound" && isListed && !this.#isSampled(place.sha256)) return undefined;
    return this.#readOnce(place, looked);
  }

  async #readOnce(place: Place, { sound, faults }: Looked): Promise<Fault | undefined> {
    const name = `${place.path}\0${place.sha256}`;
    if (sound.has(name)) return undefined;
    const known = faults.get(name);
    if (known !== undefined) return known;
    const reason = await this.#reasonIn(this.#repository.openAt(place));
    if (reason === undefined) {
      sound.add(name);
      return undefined;
    }
    const fault = { reason, repaired: await this.#isRepaired(place) };
    faults.set(name, fault);
    return fault;
  }

  #look(archive: string): Looked {
    const known = this.#looked.get(archive);
    if (known !== undefined) return known;
    const looked: Looked = { table: this.#tableOf(archive), sound: new Set(), faults: new Map() };
    this.#looked.set(archive, looked);
    return looked;
  }

  #tableOf(archive: string): Promise<Table> {
    return this.#repository.pool
      .use(archive, ({ entries }) => entries)
      .catch((error: unknown) => {
        if (isDamage(error)) return { reason: withoutAdvice(error) };
        if (error instanceof UsageError) return "locked" as const;
        throw error;
      });
  }

  async #reasonIn(stream: Readable): Promise<string | undefined> {
    this.read += 1;
    try {
      for await (const _piece of stream);
      return undefined;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return withoutAdvice(error);
    }
  }

  async #isRepaired(place: Place): Promise<boolean> {
    if (this.#repository.repairs().length === 0) return false;
    const known = this.#repaired.get(place.sha256);
    if (known !== undefined) return known;
    const isRepaired = (await this.#reasonIn(await this.#repository.open(place))) === undefined;
    this.#repaired.set(place.sha256, isRepaired);
    return isRepaired;
  }
}

/** `locked`: encrypted, and no key was given. */
type Table = EntryTable | { readonly reason: string } | "locked";

/**
 * undefined: no fault yet; contents of an archive with a damaged list of entries may be readable.
 */
function reasonBy(table: Table, place: Place, state: FileState | undefined): string | undefined {
  if (table === "locked") return "its archive is damaged and encrypted, so it cannot be checked without the key";
  if (state === "suspect") return undefined;
  return "reason" in table ? table.reason : misplaced(table, place);
}

function misplaced(table: EntryTable, { path, size }: Place): string | undefined {
  try {
    const found = table.sizeOf(path);
    if (found === undefined) return "the archive has no such entry";
    return found === size ? undefined : `it has ${found} bytes in the archive, but ${size} bytes in its row`;
  } catch (error) {
    return withoutAdvice(error instanceof Error ? error : new Error(String(error)));
  }
}

type Facts = Omit<Hit, "snapshots" | "items">;

/**
 * A hit, with its snapshots as ranges of numbers: hundreds of snapshots can each have thousands of
 * hits.
 */
export interface Noted {
  readonly facts: Facts;
  /** Pairs of first and last number. */
  readonly ranges: number[];
}

/** Collects hits: each content once, with every snapshot that names it. */
export class HitList {
  readonly #hits = new Map<string, Noted>();
  readonly #snapshots: readonly SnapshotId[];
  readonly #numbers: ReadonlyMap<SnapshotId, number>;

  /** @param snapshots all of them, in order */
  constructor(snapshots: readonly SnapshotId[]) {
    this.#snapshots = snapshots;
    this.#numbers = new Map(snapshots.map((snapshot, number) => [snapshot, number]));
  }

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

  /** Call it with the snapshots in order. */
  note({ ranges }: Noted, snapshot: SnapshotId): void {
    const number = this.#numbers.get(snapshot) ?? 0;
    if (ranges.at(-1) === number - 1) ranges[ranges.length - 1] = number;
    else ranges.push(number, number);
  }

  /** The sha256 of hit media, each with the last snapshot that names it. */
  media(): ReadonlyMap<string, SnapshotId> {
    const media = [...this.#hits.values()].filter(({ facts }) => facts.kind === "media");
    return new Map(media.map(({ facts, ranges }) => [facts.sha256, this.#snapshots[ranges.at(-1) ?? 0] ?? ""]));
  }

  /**
   * The hits by name, then by archive.
   *
   * @param itemsOf the items that use a medium, by its sha256
   */
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
