import { readdir } from "node:fs/promises";
import { basename } from "node:path";
import { storedItem } from "../../backup/history/diff.js";
import { versionsOf } from "../../backup/history/history.js";
import { UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { RecentlyUsed } from "../../core/util/recently-used.js";
import { diskError } from "../../storage/archive/disk-error.js";
import type { Manifest, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import { parseArchiveName, parseIndexName, startOf } from "../../storage/repository/names.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import { openSingleArchive } from "../../storage/repository/read/open-single-archive.js";
import type { Browsable } from "../../storage/repository/repository.js";
import type {
  ItemVersion,
  LibraryOptions,
  Medium,
  OpenLibrary,
  SnapshotRow,
  SnapshotView,
  TimeFacts,
} from "./library.js";
import { type KeptRow, keptRowOf, MediaTable, RowTable, snapshotRowOf } from "./packed-rows.js";

/**
 * The snapshots of a repository, oldest first; those that a backup adds meanwhile come with the
 * next `refresh`. Throws what openRepository throws, and ArchiveError (exit 10) where there is no
 * snapshot yet.
 */
export async function openRepositoryLibrary(folder: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  let remarks: readonly string[] = [];
  const times = await SnapshotTimes.follow(folder, async () => {
    const repository = await openRepository(folder, { keys });
    remarks = repository.oddities;
    return repository;
  });
  return Object.assign(opened(times, { path: folder, kind: "repository", remarks }), {
    versions: (key: Key) => times.versions(key),
  });
}

/** One archive, which has one time. Throws what openSingleArchive throws. */
export async function openArchiveLibrary(file: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  const repository = await openSingleArchive(file, { keys });
  const remarks = repository.findings.map(({ code, entry, detail }) =>
    [basename(file), [code, ...(entry === null ? [] : [`(${entry})`]), detail].join(" ")].join(": "),
  );
  return opened(await SnapshotTimes.of(repository), { path: file, kind: "archive", remarks });
}

function opened(times: SnapshotTimes, facts: Pick<OpenLibrary, "path" | "kind" | "remarks">): OpenLibrary {
  return {
    ...facts,
    get times() {
      return times.times;
    },
    get isEncrypted() {
      return times.isEncrypted;
    },
    find: (at) => times.find(at),
    at: (id) => times.at(id),
    refresh: async () => {
      await times.refresh();
      return NOTHING_ELSE;
    },
    close: () => times.close(),
  };
}

/** What a snapshot holds never changes. */
const NOTHING_ELSE: ReadonlySet<string> = new Set();

/**
 * Shelves that are kept, since each holds the rows of its time: the one that is read, the one it is
 * compared with.
 */
const KEPT = 2;

/**
 * The snapshots of a repository, also those that come while it is open. What a snapshot holds never
 * changes; where that lies may.
 */
export class SnapshotTimes {
  #repository: Browsable;
  readonly #renew: Renewal | undefined;
  #times: ReadonlyMap<SnapshotId, TimeFacts>;
  readonly #shelves = new RecentlyUsed<SnapshotId, Promise<RepositorySnapshotView>>(KEPT);
  #looking: Promise<void> | undefined;

  private constructor(repository: Browsable, renewal?: Renewal) {
    this.#repository = repository;
    this.#renew = renewal;
    this.#times = timesOf(repository);
  }

  /**
   * What never changes. Throws ArchiveError (exit 10) where there is no snapshot; the repository is
   * closed then.
   */
  static async of(repository: Browsable): Promise<SnapshotTimes> {
    return checked(repository, () => new SnapshotTimes(repository));
  }

  /**
   * A folder that backups go on writing to. Throws as `open` does, and ArchiveError (exit 10) where
   * there is no snapshot.
   */
  static async follow(folder: string, open: () => Promise<OpenRepository>): Promise<SnapshotTimes> {
    // Before the opening: what comes in between is found by the next look.
    const names = await namesIn(folder);
    const repository = await open();
    return checked(repository, () => new SnapshotTimes(repository, { folder, names, repository }));
  }

  /** Oldest first. */
  get times(): readonly TimeFacts[] {
    return [...this.#times.values()];
  }

  get isEncrypted(): boolean {
    return this.#repository.snapshots().some(({ encrypted }) => encrypted);
  }

  /** See `findSnapshot`, whose errors it throws. */
  find(at?: string): TimeFacts {
    return timeOf(this.#repository.find(at));
  }

  /** undefined: there is no such time. Throws ArchiveError when its manifest can't be read. */
  async at(id: string): Promise<RepositorySnapshotView | undefined> {
    const time = this.#times.get(id);
    if (time === undefined) return undefined;
    const shelf = this.#shelves.get(id, () => RepositorySnapshotView.open(() => this.#repository, time));
    // Another attempt shall look again.
    shelf.catch(() => this.#shelves.forget(id, shelf));
    return shelf;
  }

  /** See `Library.versions`; of what never changes there are none. */
  async versions(key: Key): Promise<readonly ItemVersion[]> {
    if (this.#renew === undefined) return [];
    const versions = await versionsOf(this.#renew.repository, key);
    return versions.map(({ index, row }) => ({ time: timeOf(index), isThere: row.state === "present" }));
  }

  /**
   * Reads the indexes anew if files came or went; else it costs one listing of the folder. Throws
   * as openRepository does, and all stays as it was.
   */
  refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  close(): Promise<void> {
    return this.#repository.close();
  }

  async #look(): Promise<void> {
    const renewal = this.#renew;
    if (renewal === undefined) return;
    const names = await namesIn(renewal.folder);
    if (names === renewal.names) return;
    const before = indexesOf(this.#repository);
    const repository = await renewal.repository.again();
    renewal.names = names;
    // Backups that are all taken away leave what people read.
    if (repository.snapshots().length === 0) return;
    renewal.repository = repository;
    this.#repository = repository;
    this.#times = timesOf(repository);
    for (const [id, index] of indexesOf(repository)) {
      if (before.get(id) !== index) (await this.#shelves.peek(id))?.moved();
    }
  }
}

/** How a repository is read anew. */
interface Renewal {
  readonly folder: string;
  /** What was in the folder when it was read last. */
  names: string;
  /** As it was read last. */
  repository: OpenRepository;
}

async function checked(repository: Browsable, make: () => SnapshotTimes): Promise<SnapshotTimes> {
  try {
    repository.find();
    return make();
  } catch (error) {
    await repository.close();
    throw error;
  }
}

/**
 * Only what belongs to snapshots: a backup that is at work makes and removes other files all the
 * time.
 */
async function namesIn(folder: string): Promise<string> {
  try {
    const names = await readdir(folder);
    return names.filter(isOfSnapshot).toSorted().join("\n");
  } catch (error) {
    throw diskError(error, `reading the repository ${folder}`);
  }
}

function isOfSnapshot(file: string): boolean {
  const whole = file.replace(/\.(?:new|removed)$/, "");
  return parseArchiveName(whole) !== undefined || parseIndexName(whole) !== undefined;
}

function timesOf(repository: Browsable): ReadonlyMap<SnapshotId, TimeFacts> {
  return new Map(repository.snapshots().map((index) => [index.snapshot, timeOf(index)]));
}

function indexesOf(repository: Browsable): ReadonlyMap<SnapshotId, string> {
  return new Map(repository.snapshots().map((index) => [index.snapshot, JSON.stringify(index)]));
}

function timeOf(index: SnapshotIndex): TimeFacts {
  return { id: index.snapshot, time: Math.floor(startOf(index).getTime() / 1000), complete: index.complete };
}

/**
 * One snapshot of a repository or an archive. Its rows are kept once somebody read all of them, so
 * that pages find theirs at once.
 */
class RepositorySnapshotView implements SnapshotView {
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

  /**
   * `repository`: as it is at the moment of each question. Throws ArchiveError when the manifest
   * can't be read.
   */
  static async open(repository: () => Browsable, facts: TimeFacts): Promise<RepositorySnapshotView> {
    return new RepositorySnapshotView(repository, facts, await repository().manifest(facts.id));
  }

  /** What it holds lies in other archives now: where that is is looked up anew. */
  moved(): void {
    this.#moves += 1;
    this.#kept = undefined;
    this.#locked.clear();
    this.#media = this.#mediaTable();
  }

  async *rows(): AsyncGenerator<SnapshotRow> {
    for await (const rows of this.rowBatches()) yield* rows;
  }

  async *rowBatches(): AsyncGenerator<readonly SnapshotRow[]> {
    if (this.#kept !== undefined) {
      yield* this.#kept.batches(BATCH);
      return;
    }
    const [kept, moves] = [new RowTable(), this.#moves];
    for await (const rows of this.#repository().itemBatches(this.#snapshot)) {
      const present = rows.filter((row) => row.state === "present");
      for (const row of present) kept.add(row);
      yield present.map(snapshotRowOf);
    }
    if (moves === this.#moves) this.#kept = kept;
  }

  async row(key: Key): Promise<SnapshotRow | undefined> {
    return this.#row(key);
  }

  async item({ key }: Pick<SnapshotRow, "key">): Promise<Item> {
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
