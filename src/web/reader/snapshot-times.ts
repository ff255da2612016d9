import { readdir } from "node:fs/promises";
import { diskError } from "../../storage/archive/disk-error.js";
import type { SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import { parseArchiveName, parseIndexName, startOf } from "../../storage/repository/names.js";
import type { Browsable } from "../../storage/repository/read/browsable.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { Key } from "../../core/model/key.js";
import { versionsOf } from "../../backup/past/versions.js";
import { RecentlyUsed } from "../../core/util/recently-used.js";
import type { ItemVersion, TimeFacts } from "./library.js";
import { RepositoryShelf } from "./repository-shelf.js";

/** Shelves that are kept, since each holds the rows of its time: the one that is read, the one it is compared with. */
const KEPT = 2;

/** The snapshots of a repository, also those that come while it is open. What a snapshot holds never changes; where that lies may. */
export class SnapshotTimes {
  #repository: Browsable;
  readonly #renew: Renewal | undefined;
  #times: ReadonlyMap<SnapshotId, TimeFacts>;
  readonly #shelves = new RecentlyUsed<SnapshotId, Promise<RepositoryShelf>>(KEPT);
  #looking: Promise<void> | undefined;

  private constructor(repository: Browsable, renewal?: Renewal) {
    this.#repository = repository;
    this.#renew = renewal;
    this.#times = timesOf(repository);
  }

  /** What never changes. Throws ArchiveError (exit 10) where there is no snapshot; the repository is closed then. */
  static async of(repository: Browsable): Promise<SnapshotTimes> {
    return checked(repository, () => new SnapshotTimes(repository));
  }

  /** A folder that backups go on writing to. Throws as `open` does, and ArchiveError (exit 10) where there is no snapshot. */
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
  async at(id: string): Promise<RepositoryShelf | undefined> {
    const time = this.#times.get(id);
    if (time === undefined) return undefined;
    const shelf = this.#shelves.get(id, () => RepositoryShelf.open(() => this.#repository, time));
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

  /** Reads the indexes anew if files came or went; else it costs one listing of the folder. Throws as openRepository does, and all stays as it was. */
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

/** Only what belongs to snapshots: a backup that is at work makes and removes other files all the time. */
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
