import { setMaxListeners } from "node:events";
import { basename } from "node:path";
import type { Module } from "../../core/model/module.js";
import type { ModuleJournal, ModuleSite, PackageRow, SiteModule } from "../../core/training.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { KeyedMutex } from "../../core/util/concurrency.js";
import type { CircuitBreaker } from "../../sync/control.js";
import type { Action, FoundPackage, PackageResult, PreparedPackage } from "../package.js";

export interface ImportJob {
  readonly site: ModuleSite;
  readonly journal: ModuleJournal;
  /** The place of a package in a canonical form; see `PackageRow.place`. */
  readonly placeOf: (found: FoundPackage) => string;
  readonly prepare: (found: FoundPackage, signal: AbortSignal) => Promise<PreparedPackage>;
  /** A folder for the archives to send; each is removed when its package ends. */
  readonly scratch: string;
  readonly options: ImportOptions;
  readonly control: ImportControl;
  readonly tell: (result: PackageResult) => void | Promise<void>;
  readonly clock?: Clock;
  /** Milliseconds in which a person paused the run, which deadlines don't count. Default: 0. */
  readonly pausedTime?: () => number;
  readonly random?: () => number;
}

export interface ImportOptions {
  /** Publishes imported modules, after reading where they are used. Default: no. */
  readonly publish?: boolean;
  /** Imports packages of unknown state again, so the site may have them twice. Default: no. */
  readonly retryUnknown?: boolean;
  /**
   * `title`: a package becomes a new version of the only module with its title, if no other package
   * was imported into it. Default: null.
   */
  readonly match?: "title" | null;
  /** Lets the site fetch packages that have an address and need no change. Default: no. */
  readonly startByUrl?: boolean;
  readonly preview?: boolean;
  /** Time limit of an import. Default: 2 minutes, and 1 more for each 50 MB. */
  readonly deadline?: Deadline;
  readonly poll?: Poll;
  /** Milliseconds after a lost answer in which its result can still appear. Default: 15000. */
  readonly graceTime?: number;
  /**
   * Added after the start of an import, for each sent byte up to a limit, since some sites report
   * an upload only when they have all of it. Default: 1 minute for 50 MB, at most 3 minutes.
   */
  readonly uploadGrace?: { readonly perByte: number; readonly longest: number };
}

/** Milliseconds, and milliseconds for each byte of the content. */
interface Deadline {
  readonly base: number;
  readonly perByte: number;
}

/** Pauses in milliseconds; each is `factor` times the one before, with a jitter of a fifth. */
interface Poll {
  readonly first: number;
  readonly factor: number;
  readonly longest: number;
}

const DEFAULTS: Required<ImportOptions> = {
  publish: false,
  retryUnknown: false,
  match: null,
  startByUrl: false,
  preview: false,
  deadline: { base: 120_000, perByte: 60_000 / 50_000_000 },
  poll: { first: 1000, factor: 1.5, longest: 15_000 },
  graceTime: 15_000,
  uploadGrace: { perByte: 60_000 / 50_000_000, longest: 180_000 },
};

/** Imports at a time: the engine of the site unpacks and parses (training modules, 1.3). */
export const DEFAULT_CONCURRENCY = 2;

interface ImportControl {
  /** Starts no package, cancels running imports on the site, and then throws StoppedError. */
  readonly stop: AbortSignal;
  /** Ends everything at once. Always aborted after `stop`. */
  readonly abort: AbortSignal;
  /** Packages at a time. Default: DEFAULT_CONCURRENCY. */
  readonly concurrency?: number;
  readonly progress: (event: ImportProgress) => void;
  readonly breaker: CircuitBreaker;
}

interface ImportProgress {
  readonly done: number;
  /** Failed packages and those of unknown state, without refused ones. */
  readonly failed: number;
  readonly source: string;
}

export interface ImportSummary {
  readonly packages: number;
  readonly actions: Readonly<Record<Action, number>>;
  /** Packages whose import ended in this run, or was found complete. */
  readonly imported: number;
  readonly published: number;
  /** Accepted packages without import or publication: refused by the site, failed, cancelled. */
  readonly failed: number;
  readonly unknown: number;
}

export interface QueueSlot {
  /** Does the work after all earlier slots have left. */
  enter<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Call it in any case; it may be called again. */
  leave(): void;
}

/** Runs work one at a time, in the order in which slots were taken. */
class DecisionQueue {
  #last: Promise<unknown> = Promise.resolve();

  take(): QueueSlot {
    const before = this.#last;
    let leave = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // The next slot waits for all earlier ones, also if this one leaves early.
    this.#last = Promise.all([before, gone]);
    return { enter: async (work) => before.then(work).finally(leave), leave };
  }
}

export class ImportRun {
  readonly job: ImportJob;
  readonly list: SiteList;
  readonly options: Required<ImportOptions>;
  readonly clock: Clock;
  readonly mutex = new KeyedMutex();
  readonly queue = new DecisionQueue();
  /** Digests in this run, each with the first source. */
  readonly seen = new Map<string, string>();
  /** Modules that packages of this run go into, each with the source. */
  readonly claims = new Map<string, string>();
  /** The last lost answer of each package, for its message, which can come in a later turn. */
  readonly losses = new Map<string, unknown>();
  readonly ending: AbortSignal;

  constructor(job: ImportJob, list: SiteList) {
    const { clock = systemClock, control, options } = job;
    this.job = job;
    this.list = list;
    this.options = { ...DEFAULTS, ...options };
    this.clock = clock;
    this.ending = AbortSignal.any([control.stop, control.abort]);
    setMaxListeners(0, this.ending);
  }

  /** Milliseconds in which a person paused the run. */
  pausedTime(): number {
    return this.job.pausedTime?.() ?? 0;
  }

  get isStopping(): boolean {
    return this.job.control.stop.aborted;
  }

  /** Creates drafts and imports one at a time, so that each new one on the site has one origin. */
  making<T>(work: () => Promise<T>): Promise<T> {
    return this.mutex.run("making", work);
  }

  /** Writes a row to the journal. An aborted run writes nothing, since its state is outdated. */
  async put(row: PackageRow, changes: Partial<PackageRow>): Promise<PackageRow> {
    this.job.control.abort.throwIfAborted();
    const next: PackageRow = { ...row, ...changes, changed: this.clock.now() };
    await this.job.journal.put(next);
    return next;
  }

  /**
   * Is it certain that the module was deleted on the site?
   *
   * @param isPublished a site always lists published modules
   */
  async isDeleted(moduleId: string, isPublished: boolean): Promise<boolean> {
    if (this.list.get(moduleId) !== undefined) return false;
    return isPublished || (await this.job.journal.listsDrafts()) === true;
  }

  /** An endless series of growing pauses, in milliseconds. */
  *pauses(): IterableIterator<number> {
    const { first, factor, longest } = this.options.poll;
    const { random = Math.random } = this.job;
    for (let pause = first; ; pause = Math.min(longest, pause * factor)) yield pause * (0.8 + 0.4 * random());
  }

  /** Ends early when the run is stopped, and throws when it is aborted. */
  async pause(milliseconds: number): Promise<void> {
    const { abort } = this.job.control;
    try {
      await this.clock.sleep(milliseconds, this.ending);
    } catch (error) {
      abort.throwIfAborted();
      if (!this.ending.aborted) throw error;
    }
  }
}

/** The modules of a site, with those that the run creates. */
export class SiteList {
  #modules = new Map<string, SiteModule>();
  #titles = new Map<string, Set<string>>();
  /** Created by this run; a site may not list them. */
  readonly #own = new Map<string, SiteModule>();

  constructor(modules: readonly SiteModule[]) {
    this.replace(modules);
  }

  replace(modules: readonly SiteModule[]): void {
    this.#modules = new Map();
    this.#titles = new Map();
    for (const module of [...this.#own.values(), ...modules]) this.#put(module);
  }

  add(module: SiteModule): void {
    this.#own.set(module.id, module);
    this.#put(module);
  }

  get isEmpty(): boolean {
    return this.#modules.size === 0;
  }

  get(id: string): SiteModule | undefined {
    return this.#modules.get(id);
  }

  alike(title: string): readonly SiteModule[] {
    const ids = this.#titles.get(foldTitle(title)) ?? [];
    return [...ids].flatMap((id) => this.#modules.get(id) ?? []);
  }

  #put(module: SiteModule): void {
    this.#modules.set(module.id, module);
    const title = foldTitle(module.title);
    const ids = this.#titles.get(title) ?? new Set();
    this.#titles.set(title, ids.add(module.id));
  }
}

/** Sites can shorten longer titles. */
const LONGEST_TITLE = 250;

/** For comparing titles: sites trim them, and people vary the letter case. */
export function foldTitle(title: string): string {
  return title.slice(0, LONGEST_TITLE).normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Digits of a digest in a file name. */
const DIGITS = 12;
const LONGEST_FILE_NAME = 60;
const NO_TITLE = "training-module";

/** The title of a module: that of the package, else the file name without its extension. */
export function titleOf(module: Module, source: string): string {
  const own = module.title.trim();
  if (own !== "") return own;
  const name = basename(source)
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .trim();
  return name === "" ? NO_TITLE : name;
}

/**
 * The name of the sent file: `safe-lifting-0123456789ab.zip`. Only ASCII letters, since servers
 * change or refuse others (training modules, 3.2). Any machine recognises the package by the digits
 * where the site reports file names.
 */
export function uploadName(title: string, digest: string): string {
  const plain = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_FILE_NAME)
    .replace(/^-+|-+$/g, "");
  return `${plain === "" ? NO_TITLE : plain}-${marker(digest)}.zip`;
}

/** The digits in the name of the sent file. */
export function marker(digest: string): string {
  return digest.slice(0, DIGITS);
}
