import { basename } from "node:path";
import { storedItem } from "../../backup/history/diff.js";
import { versionsOf } from "../../backup/history/history.js";
import { UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { RecentlyUsed } from "../../core/util/recently-used.js";
import { storageAt } from "../../storage/repository/files/open-storage.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
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
  SnapshotFacts,
  SnapshotRow,
  SnapshotView,
} from "./library.js";
import { type KeptRow, keptRowOf, MediaTable, RowTable, snapshotRowOf } from "./packed-rows.js";

/**
 * The snapshots of a repository; `refresh` adds those of later backups. Throws what openRepository
 * throws, and ArchiveError (exit 10) where there is no snapshot yet.
 */
export async function openRepositoryLibrary(address: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  let remarks: readonly string[] = [];
  const storage = await storageAt(address);
  const times = await RepositorySnapshots.follow(storage, async () => {
    const repository = await openRepository(storage, { keys });
    remarks = repository.warnings;
    return repository;
  });
  return Object.assign(opened(times, { path: address, kind: "repository", remarks }), {
    versions: (key: Key) => times.versions(key),
  });
}

/** One archive, which has one snapshot. Throws what openSingleArchive throws. */
export async function openArchiveLibrary(file: string, { keys }: LibraryOptions): Promise<OpenLibrary> {
  const repository = await openSingleArchive(file, { keys });
  const remarks = repository.findings.map(({ code, entry, detail }) =>
    [basename(file), [code, ...(entry === null ? [] : [`(${entry})`]), detail].join(" ")].join(": "),
  );
  return opened(await RepositorySnapshots.of(repository), { path: file, kind: "archive", remarks });
}

function opened(times: RepositorySnapshots, facts: Pick<OpenLibrary, "path" | "kind" | "remarks">): OpenLibrary {
  return {
    ...facts,
    get snapshots() {
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

/** A snapshot never changes its content. */
const NOTHING_ELSE: ReadonlySet<string> = new Set();

/** Open snapshots: the shown one and the compared one. Each holds the rows of its snapshot. */
const KEPT = 2;

/**
 * The snapshots of a repository that backups may still write to. Their content never changes; its
 * place may.
 */
export class RepositorySnapshots {
  #repository: Browsable;
  readonly #renew: Renewal | undefined;
  #times: ReadonlyMap<SnapshotId, SnapshotFacts>;
  readonly #snapshots = new RecentlyUsed<SnapshotId, Promise<RepositorySnapshotView>>(KEPT);
  #looking: Promise<void> | undefined;

  private constructor(repository: Browsable, renewal?: Renewal) {
    this.#repository = repository;
    this.#renew = renewal;
    this.#times = timesOf(repository);
  }

  /** Throws ArchiveError (exit 10) where there is no snapshot, after closing the repository. */
  static async of(repository: Browsable): Promise<RepositorySnapshots> {
    return checked(repository, () => new RepositorySnapshots(repository));
  }

  /**
   * Follows a repository that backups write to. Throws as `open` does, and ArchiveError (exit 10)
   * where there is no snapshot.
   */
  static async follow(storage: RepositoryStorage, open: () => Promise<OpenRepository>): Promise<RepositorySnapshots> {
    // Listed before opening, so that the next refresh finds what comes in between.
    const names = await namesIn(storage);
    const repository = await open();
    return checked(repository, () => new RepositorySnapshots(repository, { names, repository }));
  }

  get times(): readonly SnapshotFacts[] {
    return [...this.#times.values()];
  }

  get isEncrypted(): boolean {
    return this.#repository.snapshots().some(({ encrypted }) => encrypted);
  }

  /** Throws as `findSnapshot`. */
  find(at?: string): SnapshotFacts {
    return timeOf(this.#repository.find(at));
  }

  /** undefined: no such snapshot. Throws ArchiveError when the manifest can't be read. */
  async at(id: string): Promise<RepositorySnapshotView | undefined> {
    const time = this.#times.get(id);
    if (time === undefined) return undefined;
    const snapshot = this.#snapshots.get(id, () => RepositorySnapshotView.open(() => this.#repository, time));
    // The next request tries again.
    snapshot.catch(() => this.#snapshots.forget(id, snapshot));
    return snapshot;
  }

  /** See `Library.versions`; a single archive has none. */
  async versions(key: Key): Promise<readonly ItemVersion[]> {
    if (this.#renew === undefined) return [];
    const versions = await versionsOf(this.#renew.repository, key);
    return versions.map(({ index, row }) => ({ snapshot: timeOf(index), isThere: row.state === "present" }));
  }

  /**
   * Reads the indexes again if files came or went. Throws as openRepository does, and then nothing
   * changes.
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
    const names = await namesIn(renewal.repository.storage);
    if (names === renewal.names) return;
    const before = indexesOf(this.#repository);
    const repository = await renewal.repository.again();
    renewal.names = names;
    // Readers keep what they see when all backups are removed.
    if (repository.snapshots().length === 0) return;
    renewal.repository = repository;
    this.#repository = repository;
    this.#times = timesOf(repository);
    for (const [id, index] of indexesOf(repository)) {
      if (before.get(id) !== index) (await this.#snapshots.peek(id))?.moved();
    }
  }
}

interface Renewal {
  names: string;
  repository: OpenRepository;
}

async function checked(repository: Browsable, make: () => RepositorySnapshots): Promise<RepositorySnapshots> {
  try {
    repository.find();
    return make();
  } catch (error) {
    await repository.close();
    throw error;
  }
}

/** Only files of snapshots: a running backup creates and removes others all the time. */
async function namesIn(storage: RepositoryStorage): Promise<string> {
  const files = await storage.list();
  return files
    .map(({ name }) => name)
    .filter(isOfSnapshot)
    .join("\n");
}

function isOfSnapshot(file: string): boolean {
  const whole = file.replace(/\.(?:new|removed)$/, "");
  return parseArchiveName(whole) !== undefined || parseIndexName(whole) !== undefined;
}

function timesOf(repository: Browsable): ReadonlyMap<SnapshotId, SnapshotFacts> {
  return new Map(repository.snapshots().map((index) => [index.snapshot, timeOf(index)]));
}

function indexesOf(repository: Browsable): ReadonlyMap<SnapshotId, string> {
  return new Map(repository.snapshots().map((index) => [index.snapshot, JSON.stringify(index)]));
}

function timeOf(index: SnapshotIndex): SnapshotFacts {
  return { id: index.snapshot, time: Math.floor(startOf(index).getTime() / 1000), complete: index.complete };
}

/** One snapshot. Keeps its rows once all were read, so that pages find theirs at once. */
class RepositorySnapshotView implements SnapshotView {
  readonly facts: SnapshotFacts;
  readonly site: SiteIdentity;
  readonly #repository: () => Browsable;
  readonly #snapshot: SnapshotId;
  #media: MediaTable;
  /** Rows that are being read during a move are outdated. */
  #moves = 0;
  #kept: RowTable | undefined;
  /** Archives that no key opens: each try of a passphrase takes a second. */
  readonly #locked = new Map<string, UsageError>();

  private constructor(repository: () => Browsable, facts: SnapshotFacts, manifest: Manifest) {
    this.#repository = repository;
    this.#snapshot = manifest.snapshot;
    this.facts = facts;
    this.site = manifest.site;
    this.#media = this.#mediaTable();
  }

  /**
   * `repository`: the current one at each call. Throws ArchiveError when the manifest can't be
   * read.
   */
  static async open(repository: () => Browsable, facts: SnapshotFacts): Promise<RepositorySnapshotView> {
    return new RepositorySnapshotView(repository, facts, await repository().manifest(facts.id));
  }

  /** The content is in other archives now. */
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

/** Rows in a batch. */
const BATCH = 1000;
