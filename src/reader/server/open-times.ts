import { RecentlyUsed } from "../../util/recently-used.js";
import { BuiltCatalogue } from "../build-catalogue.js";
import type { Library, Shelf } from "../library.js";
import type { PageContext } from "../render.js";
import type { MakeSearchFiles, SearchFiles } from "./search-files.js";

/** A time that pages are made of. */
export interface OpenTime extends PageContext {
  readonly catalogue: BuiltCatalogue;
  readonly search: SearchFiles | undefined;
}

interface Opening {
  readonly time: Promise<OpenTime>;
  readonly abort: AbortController;
}

export interface OpenTimesParts {
  readonly library: Library;
  readonly makeSearch: MakeSearchFiles | undefined;
  /** Awaited before each item that is read in the background. */
  readonly giveWay: () => Promise<void>;
  /** Is told why the reading of a time ended early, for people. */
  readonly tell: (problem: string) => void;
}

/** The one that is read, and the one that it is compared with: each holds an entry for every item. */
const MOST = 2;

/** The times that somebody looked at last, each with its catalogue. */
export class OpenTimes {
  readonly #parts: OpenTimesParts;
  readonly #times = new RecentlyUsed<string, Opening>(MOST, ({ abort }) =>
    abort.abort(new Error("It is no longer read.")),
  );

  constructor(parts: OpenTimesParts) {
    this.#parts = parts;
  }

  /** undefined: the library has no such time. Throws what the library throws. */
  async at(id: string): Promise<OpenTime | undefined> {
    if (!this.#parts.library.times.some((time) => time.id === id)) return undefined;
    const opening = this.#times.get(id, () => this.#open(id));
    try {
      return await opening.time;
    } catch (error) {
      // Another attempt shall look again.
      this.#times.forget(id, opening);
      throw error;
    }
  }

  /** Ends all reading. */
  close(): void {
    this.#times.clear();
  }

  #open(id: string): Opening {
    const abort = new AbortController();
    const before = this.#times.values().at(-1)?.time;
    return { time: this.#make(id, abort.signal, before), abort };
  }

  async #make(id: string, signal: AbortSignal, before: Promise<OpenTime> | undefined): Promise<OpenTime> {
    const { library, makeSearch, giveWay, tell } = this.#parts;
    const shelf = await library.at(id);
    if (shelf === undefined) throw new TypeError(`The library has no time ${id}.`);
    const [other] = await Promise.allSettled([before]);
    const search = makeSearch?.(shelf);
    const catalogue = await BuiltCatalogue.build({
      shelf,
      signal,
      giveWay,
      onItem: search === undefined ? undefined : (entry, item) => search.add(entry, item),
      before: other.status === "fulfilled" ? other.value?.catalogue : undefined,
    });
    search?.follow(catalogue);
    watch(catalogue, shelf, signal, tell);
    return { library, shelf, catalogue, mode: "server", search };
  }
}

function watch({ read }: BuiltCatalogue, { facts }: Shelf, signal: AbortSignal, tell: (problem: string) => void): void {
  read.catch((error: unknown) => {
    if (signal.aborted) return;
    tell(
      `Reading ${facts.id} in the background ended early: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}
