import { messageOf } from "../../../core/errors.js";
import { RecentlyUsed } from "../../../core/util/recently-used.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { OpenLibrary, SnapshotView } from "../library.js";
import type { PageContext } from "../pages/scope.js";
import type { MakeSearchFiles, SearchFiles } from "../search/search-index.js";

export interface OpenSnapshot extends PageContext {
  readonly catalogue: BuiltCatalogue;
  readonly search: SearchFiles;
}

interface Opening {
  readonly time: Promise<OpenSnapshot>;
  readonly abort: AbortController;
  readonly began: number;
  /** undefined: it still reads. */
  ended?: number;
}

interface OpenSnapshotsParts {
  readonly library: Pick<OpenLibrary, "path" | "remarks" | "snapshots" | "at" | "close" | "refresh">;
  readonly makeSearch: MakeSearchFiles;
  /** Awaited before each item that is read in the background. */
  readonly giveWay: () => Promise<void>;
  /** Called with the reason when reading ends early. */
  readonly report: (problem: string) => void;
}

/** The shown snapshot and the compared one: each holds an entry for every item. */
const MOST = 2;

/**
 * A changed snapshot is read again after a pause of so many times its reading, which limits this
 * work to a tenth of the time.
 */
const REST = 9;

/** The snapshots that were used last, each with its catalogue. */
export class OpenSnapshots {
  readonly #parts: OpenSnapshotsParts;
  /** Times with other content than was read. */
  readonly #changed = new Set<string>();
  /** The last reported problem. */
  #problem = "";
  /** Requests by snapshot. */
  readonly #users = new Map<string, number>();
  /** Requests that wait for a free snapshot. */
  #waiting: (() => void)[] = [];
  readonly #times = new RecentlyUsed<string, Opening>(MOST, ({ abort }) =>
    abort.abort(new Error("The reader closed this snapshot.")),
  );

  constructor(parts: OpenSnapshotsParts) {
    this.#parts = parts;
  }

  /**
   * Does work with a snapshot, which stays open until the work ends. Waits where all open snapshots
   * are in use, since closing one would end its requests. undefined: no such snapshot. Throws what
   * the library and the work throw.
   */
  async use<T>(id: string, work: (time: OpenSnapshot) => Promise<T>): Promise<T | undefined> {
    if (!this.#parts.library.snapshots.some((time) => time.id === id)) return undefined;
    await this.#enter(id);
    try {
      return await work(await this.#at(id));
    } finally {
      this.#leave(id);
    }
  }

  async #enter(id: string): Promise<void> {
    while (!this.#users.has(id) && this.#users.size >= MOST)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#users.set(id, (this.#users.get(id) ?? 0) + 1);
  }

  #leave(id: string): void {
    const others = (this.#users.get(id) ?? 1) - 1;
    if (others > 0) this.#users.set(id, others);
    else this.#users.delete(id);
    if (others > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  async #at(id: string): Promise<OpenSnapshot> {
    // Marks the used snapshots as recent, so that another one is closed.
    for (const used of this.#users.keys()) {
      const opening = this.#times.peek(used);
      if (opening !== undefined) this.#times.get(used, () => opening);
    }
    const opening = this.#times.get(id, () => this.#open(id));
    try {
      return await opening.time;
    } catch (error) {
      // The next request tries again.
      this.#times.forget(id, opening);
      throw error;
    }
  }

  /**
   * Looks for changes of the library and reads changed snapshots again. Reports errors and keeps
   * what it has.
   */
  async refresh(): Promise<void> {
    try {
      for (const id of await this.#parts.library.refresh()) this.#changed.add(id);
      this.#problem = "";
    } catch (error) {
      this.#reportOnce(`The reader cannot look for new snapshots: ${messageOf(error)}`);
    }
    for (const id of this.#changed) {
      const opening = this.#times.peek(id);
      if (opening !== undefined && (!isRested(opening) || this.#users.has(id))) continue;
      this.#changed.delete(id);
      if (opening !== undefined) this.#replace(id, opening);
    }
  }

  close(): void {
    this.#times.clear();
  }

  #open(id: string, before = this.#times.values().at(-1)?.time): Opening {
    const abort = new AbortController();
    const opening: Opening = { time: this.#make(id, abort.signal, before), abort, began: performance.now() };
    const end = (): void => {
      opening.ended = performance.now();
    };
    opening.time.then(({ catalogue }) => catalogue.read).then(end, end);
    return opening;
  }

  #replace(id: string, { time }: Opening): void {
    this.#times.remove(id);
    this.#times.get(id, () => this.#open(id, time));
  }

  #reportOnce(problem: string): void {
    if (problem !== this.#problem) this.#parts.report(problem);
    this.#problem = problem;
  }

  async #make(id: string, signal: AbortSignal, before: Promise<OpenSnapshot> | undefined): Promise<OpenSnapshot> {
    const { library, makeSearch, giveWay, report } = this.#parts;
    const snapshot = await library.at(id);
    if (snapshot === undefined) throw new TypeError(`The library has no snapshot ${id}.`);
    const [other] = await Promise.allSettled([before]);
    const search = makeSearch(snapshot);
    const catalogue = await BuiltCatalogue.build({
      snapshot,
      signal,
      giveWay,
      onItem: (entry, item) => search.add(entry, item),
      before: other.status === "fulfilled" ? other.value?.catalogue : undefined,
    });
    search
      .follow(catalogue)
      .catch((error: unknown) => report(`The search index of ${id} is incomplete: ${messageOf(error)}`));
    watch(catalogue, snapshot, signal, report);
    return { library, snapshot, catalogue, mode: "server", search };
  }
}

function isRested({ began, ended }: Opening): boolean {
  return ended !== undefined && performance.now() - ended >= REST * (ended - began);
}

function watch(
  { read }: BuiltCatalogue,
  { facts }: SnapshotView,
  signal: AbortSignal,
  report: (problem: string) => void,
): void {
  read.catch((error: unknown) => {
    if (signal.aborted) return;
    report(`Reading ${facts.id} in the background ended early: ${messageOf(error)}`);
  });
}

/** Milliseconds that background work waits at most, since requests may never stop. */
const LONGEST = 50;

/** Requests for pages, which go before background work. */
export class PendingPages {
  #count = 0;
  #leave: (() => void)[] = [];

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const leave of this.#leave.splice(0)) leave();
    }
  }

  /**
   * Resolves when no request waits, or after `LONGEST`, since a page may wait for background
   * reading.
   */
  async idle(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#go(leave), LONGEST);
      const leave = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#leave.push(leave);
    });
  }

  #go(leave: () => void): void {
    this.#leave = this.#leave.filter((one) => one !== leave);
    leave();
  }
}
