import { UsageError } from "../../../core/errors.js";
import type { RepositoryStorage } from "../files/repository-storage.js";
import type { ByteRange } from "../repository.js";
import type { ArchiveLocations } from "./archive-locations.js";
import { partOf } from "./contents.js";
import { damage, isDamage } from "./damage.js";
import type { ArchiveGuard } from "./opened-archive.js";
import { type OpenedArchive, openRepositoryArchive, salvageArchive } from "./opened-archive.js";
import type { RepositoryKeys } from "./repository-keys.js";
import type { SalvagedArchive } from "./salvage.js";

/** A chain of daily backups has some thirty archives, each with a file handle. */
const MOST_OPEN = 48;
const MOST_BYTES = 48 * 1024 * 1024;

interface Held {
  readonly opening: Promise<OpenedArchive>;
  users: number;
  bytes: number;
}

/** The archives of a repository. They are opened at first use, and the last used ones stay open. */
export class ArchivePool {
  readonly #storage: RepositoryStorage;
  readonly #keys: RepositoryKeys;
  readonly #guard: ArchiveGuard | undefined;
  /** In the order of use, the last one at the end. */
  readonly #held = new Map<string, Held>();
  readonly #salvaged = new Map<string, ReturnType<typeof salvageArchive>>();
  readonly #proven = new Set<string>();
  #locations: ArchiveLocations | undefined;

  /** With `guard`, every archive has to pass it before it is used, and none is salvaged. */
  constructor(storage: RepositoryStorage, keys: RepositoryKeys, guard?: ArchiveGuard) {
    this.#storage = storage;
    this.#keys = keys;
    this.#guard = guard;
  }

  /**
   * Sets the files of displaced archives. Their hashes also distinguish a damaged header from a
   * wrong key.
   */
  know(locations: ArchiveLocations): void {
    this.#locations = locations;
  }

  /** Notes that the file of an archive has the sha256 of its index. */
  noteProven(name: string): void {
    this.#proven.add(name);
  }

  isProven(name: string): boolean {
    return this.#proven.has(name);
  }

  /** The archive stays open until `work` ends. Throws as openRepositoryArchive. */
  async use<T>(name: string, work: (archive: OpenedArchive) => Promise<T> | T): Promise<T> {
    const held = this.#take(name);
    try {
      return await work(await held.opening);
    } finally {
      await this.#giveBack(held);
    }
  }

  /** The pieces of a content or of its range; the archive stays open until the reader stops. */
  async *content(name: string, path: string, range?: ByteRange): AsyncGenerator<Buffer> {
    const held = this.#take(name);
    let hasBegun = false;
    try {
      const archive = await held.opening;
      for await (const piece of range === undefined ? archive.content(path) : archive.part(path, range)) {
        hasBegun = true;
        yield piece;
      }
    } catch (error) {
      if (hasBegun) throw error;
      const pieces = (await this.#salvage(name, path, error)).content(path);
      yield* range === undefined ? pieces : partOf(pieces, range);
    } finally {
      await this.#giveBack(held);
    }
  }

  /**
   * The contents of a damaged archive by their local headers. The first call reads the whole file.
   * Throws as openRepositoryArchive.
   */
  async remains(name: string): Promise<SalvagedArchive> {
    return (await this.#remainsOf(name)).remains;
  }

  async close(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    for (const held of all) await closeHeld(held);
    for (const salvaged of await Promise.allSettled(this.#salvaged.values())) {
      if (salvaged.status === "fulfilled") await salvaged.value.close();
    }
    this.#salvaged.clear();
  }

  /**
   * Finds a content by its local header when the list of entries is damaged; else throws `error`.
   */
  async #salvage(name: string, path: string, error: unknown): Promise<Pick<OpenedArchive, "content">> {
    if (!isDamage(error) || this.#guard !== undefined) throw error;
    const [salvaged] = await Promise.allSettled([this.#remainsOf(name)]);
    if (salvaged.status === "rejected" || !salvaged.value.remains.has(path)) throw error;
    return salvaged.value.remains;
  }

  #remainsOf(name: string): ReturnType<typeof salvageArchive> {
    const salvage = async () => salvageArchive(this.#storage, name, this.#keys, await this.#fileOf(name));
    const salvaging = this.#salvaged.get(name) ?? salvage();
    this.#salvaged.set(name, salvaging);
    return salvaging;
  }

  async #fileOf(name: string): Promise<string> {
    return (await this.#locations?.fileOf(name)) ?? name;
  }

  #take(name: string): Held {
    const held = this.#held.get(name) ?? this.#open(name);
    held.users += 1;
    this.#held.delete(name);
    this.#held.set(name, held);
    return held;
  }

  #open(name: string): Held {
    const opening = this.#unlocked(name);
    const held: Held = { opening, users: 0, bytes: 0 };
    opening.then(
      (archive) => {
        held.bytes = archive.entries.bytes;
      },
      // Waiting callers get the error; a later call tries again.
      () => {
        if (this.#held.get(name) === held) this.#held.delete(name);
      },
    );
    return held;
  }

  async #unlocked(name: string): Promise<OpenedArchive> {
    const file = await this.#fileOf(name);
    try {
      return await openRepositoryArchive(this.#storage, name, this.#keys, this.#guard, file);
    } catch (error) {
      if (!(error instanceof UsageError) || this.#keys.isEmpty || this.#locations === undefined) throw error;
      if (file !== name || (await this.#locations.isAsWritten(name))) throw error;
      throw damage(`${name} is damaged: its bytes changed after they were written, and no key opens them.`, error);
    }
  }

  async #giveBack(held: Held): Promise<void> {
    held.users -= 1;
    let bytes = [...this.#held.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [name, oldest] of [...this.#held]) {
      if (this.#held.size <= MOST_OPEN && bytes <= MOST_BYTES) return;
      if (oldest.users > 0) continue;
      this.#held.delete(name);
      bytes -= oldest.bytes;
      await closeHeld(oldest);
    }
  }
}

async function closeHeld({ opening }: Held): Promise<void> {
  const [opened] = await Promise.allSettled([opening]);
  if (opened.status === "fulfilled") await opened.value.close();
}
