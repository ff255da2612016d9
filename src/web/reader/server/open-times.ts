import { messageOf } from "../../../core/errors.js";
import { RecentlyUsed } from "../../../core/util/recently-used.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { OpenLibrary, SnapshotView } from "../library.js";
import type { PageContext } from "../pages/scope.js";
import type { MakeSearchFiles, SearchFiles } from "../search/search-files.js";

/** A time that pages are made of. */
export interface OpenTime extends PageContext {
  readonly catalogue: BuiltCatalogue;
  readonly search: SearchFiles;
}

interface Opening {
  readonly time: Promise<OpenTime>;
  readonly abort: AbortController;
  /** Milliseconds: when the reading began. */
  readonly began: number;
  /** When it ended, whichever way. undefined: it goes on. */
  ended?: number;
}

interface OpenTimesParts {
  readonly library: Pick<OpenLibrary, "path" | "remarks" | "times" | "at" | "close" | "refresh">;
  readonly makeSearch: MakeSearchFiles;
  /** Awaited before each item that is read in the background. */
  readonly giveWay: () => Promise<void>;
  /** Is told why the reading of a time ended early, for people. */
  readonly tell: (problem: string) => void;
}

/**
 * The one that is read, and the one that it is compared with: each holds an entry for every item.
 */
const MOST = 2;

/**
 * A time that changed is not read anew before so many times as long as its reading took: a tenth of
 * the time is the most that goes into it.
 */
const REST = 9;

/** The times that somebody looked at last, each with its catalogue. */
export class OpenTimes {
  readonly #parts: OpenTimesParts;
  /** Times that hold something else than what was read. */
  readonly #changed = new Set<string>();
  /** What was told last. */
  #problem = "";
  /** Times that requests are at work with, and how many of them. */
  readonly #users = new Map<string, number>();
  /** Those who wait until one of the times in use is free. */
  #waiting: (() => void)[] = [];
  readonly #times = new RecentlyUsed<string, Opening>(MOST, ({ abort }) =>
    abort.abort(new Error("It is no longer read.")),
  );

  constructor(parts: OpenTimesParts) {
    this.#parts = parts;
  }

  /**
   * Does work with a time, which is kept until the work ends. Where all that may be kept are in
   * use, it waits for its turn: to let go of one would break off whoever reads it. undefined: the
   * library has no such time. Throws what the library and the work throw.
   */
  async use<T>(id: string, work: (time: OpenTime) => Promise<T>): Promise<T | undefined> {
    if (!this.#parts.library.times.some((time) => time.id === id)) return undefined;
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

  async #at(id: string): Promise<OpenTime> {
    // What is in use counts as used last, so that another one has to go.
    for (const used of this.#users.keys()) {
      const opening = this.#times.peek(used);
      if (opening !== undefined) this.#times.get(used, () => opening);
    }
    const opening = this.#times.get(id, () => this.#open(id));
    try {
      return await opening.time;
    } catch (error) {
      // Another attempt shall look again.
      this.#times.forget(id, opening);
      throw error;
    }
  }

  /**
   * Sees what came to the library since; pages of a time that changed are made of what it holds
   * now. What can't be seen is told, and all goes on as it was.
   */
  async refresh(): Promise<void> {
    try {
      for (const id of await this.#parts.library.refresh()) this.#changed.add(id);
      this.#problem = "";
    } catch (error) {
      this.#tellOnce(`What is new can't be looked for: ${messageOf(error)}`);
    }
    for (const id of this.#changed) {
      const opening = this.#times.peek(id);
      if (opening !== undefined && (!isRested(opening) || this.#users.has(id))) continue;
      this.#changed.delete(id);
      if (opening !== undefined) this.#replace(id, opening);
    }
  }

  /** Ends all reading. */
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

  #tellOnce(problem: string): void {
    if (problem !== this.#problem) this.#parts.tell(problem);
    this.#problem = problem;
  }

  async #make(id: string, signal: AbortSignal, before: Promise<OpenTime> | undefined): Promise<OpenTime> {
    const { library, makeSearch, giveWay, tell } = this.#parts;
    const shelf = await library.at(id);
    if (shelf === undefined) throw new TypeError(`The library has no time ${id}.`);
    const [other] = await Promise.allSettled([before]);
    const search = makeSearch(shelf);
    const catalogue = await BuiltCatalogue.build({
      shelf,
      signal,
      giveWay,
      onItem: (entry, item) => search.add(entry, item),
      before: other.status === "fulfilled" ? other.value?.catalogue : undefined,
    });
    search.follow(catalogue).catch((error: unknown) => tell(`The search of ${id} is not whole: ${messageOf(error)}`));
    watch(catalogue, shelf, signal, tell);
    return { library, shelf, catalogue, mode: "server", search };
  }
}

function isRested({ began, ended }: Opening): boolean {
  return ended !== undefined && performance.now() - ended >= REST * (ended - began);
}

function watch(
  { read }: BuiltCatalogue,
  { facts }: SnapshotView,
  signal: AbortSignal,
  tell: (problem: string) => void,
): void {
  read.catch((error: unknown) => {
    if (signal.aborted) return;
    tell(`Reading ${facts.id} in the background ended early: ${messageOf(error)}`);
  });
}

/**
 * So many milliseconds work in the background waits for those before it: somebody may come and go
 * all the time.
 */
const LONGEST = 50;

/** Those who wait for a page, before whom work in the background gives way. */
export class WaitingRoom {
  #count = 0;
  #leave: (() => void)[] = [];

  /** Somebody waits until the work is done. */
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
   * Resolves when nobody waits, and after a short time in any case, so that a page may wait for
   * what is read in the background.
   */
  async empty(): Promise<void> {
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
