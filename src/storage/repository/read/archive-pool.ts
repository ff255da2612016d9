import { UsageError } from "../../../core/errors.js";
import type { ByteRange } from "../repository.js";
import type { ArchiveLocations } from "./archive-locations.js";
import { partOf } from "./contents.js";
import { damage, isDamage } from "./damage.js";
import type { ForeignGuard } from "./opened-archive.js";
import { type OpenedArchive, openRepositoryArchive, salvageArchive } from "./opened-archive.js";
import type { RepositoryKeys } from "./repository-keys.js";
import type { SalvagedArchive } from "./salvage.js";

/** A nightly chain is some thirty archives, each with a file handle. */
const MOST_OPEN = 48;
const MOST_BYTES = 48 * 1024 * 1024;

interface Held {
  readonly opening: Promise<OpenedArchive>;
  users: number;
  bytes: number;
}

/**
 * The archives of a repository, opened when they are needed and kept open while they are used or
 * were lately.
 */
export class ArchivePool {
  readonly #folder: string;
  readonly #keys: RepositoryKeys;
  readonly #guard: ForeignGuard | undefined;
  /** The one used last comes last. */
  readonly #held = new Map<string, Held>();
  readonly #salvaged = new Map<string, ReturnType<typeof salvageArchive>>();
  #locations: ArchiveLocations | undefined;

  /**
   * With `guard` every archive passes that before anything of it is used, and nothing is salvaged
   * of one that does not.
   */
  constructor(folder: string, keys: RepositoryKeys, guard?: ForeignGuard) {
    this.#folder = folder;
    this.#keys = keys;
    this.#guard = guard;
  }

  /**
   * Archives are opened where they lie from now on. By their hashes damage of a header, which no
   * key fits either, is told from a wrong key.
   */
  know(locations: ArchiveLocations): void {
    this.#locations = locations;
  }

  /**
   * Lets `work` use an archive, which stays open as long. Throws what openRepositoryArchive throws.
   */
  async use<T>(name: string, work: (archive: OpenedArchive) => Promise<T> | T): Promise<T> {
    const held = this.#take(name);
    try {
      return await work(await held.opening);
    } finally {
      await this.#giveBack(held);
    }
  }

  /**
   * The pieces of a content, or of a part of it; the archive stays open until they end or the
   * reader stops.
   */
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
   * What is left of an archive by what stands before each of its contents; reads all of it, the
   * first time. Throws what openRepositoryArchive throws.
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
   * What is left of an archive whose list of entries is damaged, if that has the content; else the
   * reason why it can't be had.
   */
  async #salvage(name: string, path: string, error: unknown): Promise<Pick<OpenedArchive, "content">> {
    if (!isDamage(error) || this.#guard !== undefined) throw error;
    const [salvaged] = await Promise.allSettled([this.#remainsOf(name)]);
    if (salvaged.status === "rejected" || !salvaged.value.remains.has(path)) throw error;
    return salvaged.value.remains;
  }

  #remainsOf(name: string): ReturnType<typeof salvageArchive> {
    const salvage = async () => salvageArchive(this.#folder, name, this.#keys, await this.#fileOf(name));
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
      // Who waits for it gets the error; another attempt shall look again.
      () => {
        if (this.#held.get(name) === held) this.#held.delete(name);
      },
    );
    return held;
  }

  async #unlocked(name: string): Promise<OpenedArchive> {
    const file = await this.#fileOf(name);
    try {
      return await openRepositoryArchive(this.#folder, name, this.#keys, this.#guard, file);
    } catch (error) {
      if (!(error instanceof UsageError) || this.#keys.isEmpty || this.#locations === undefined) throw error;
      if (file !== name || (await this.#locations.isAsWritten(name))) throw error;
      throw damage(`${name} is damaged: its bytes are not those that were written, and no key opens them.`, error);
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
