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
  /** Where a package lies, in one spelling; see `PackageRow.place`. */
  readonly placeOf: (found: FoundPackage) => string;
  /** Looks at a package; what it throws is that package's failure. */
  readonly prepare: (found: FoundPackage, signal: AbortSignal) => Promise<PreparedPackage>;
  /** A folder for the archives that are sent; each is removed when its package has ended. */
  readonly scratch: string;
  readonly options: ImportOptions;
  readonly control: ImportControl;
  /** Called once for each package that ended, in the order of their ends. */
  readonly tell: (result: PackageResult) => void | Promise<void>;
  readonly clock?: Clock;
  /**
   * Milliseconds so far in which a person had paused the run, which count for no deadline. Default:
   * 0.
   */
  readonly pausedTime?: () => number;
  readonly random?: () => number;
}

export interface ImportOptions {
  /** Make what was imported what learners see, after it was read where it is used. Default: no. */
  readonly publish?: boolean;
  /** Import again what has an unknown state; it may then be at the site twice. Default: no. */
  readonly retryUnknown?: boolean;
  /**
   * `title`: a package becomes a new version of the one module of its title that came from nowhere
   * else. Default: null, never.
   */
  readonly match?: "title" | null;
  /** Let the site fetch packages that have an address and go in as they are. Default: no. */
  readonly startByUrl?: boolean;
  readonly preview?: boolean;
  /** How long an import may take; default: 2 minutes and 1 more for each 50 MB. */
  readonly deadline?: Deadline;
  readonly poll?: Poll;
  /** Milliseconds after a lost answer in which its work may still show up. Default: 15000. */
  readonly graceTime?: number;
  /**
   * The same after a start, for each byte that was sent and up to a longest: a site that hands an
   * upload on may say nothing of it until all of it is there. Default: 1 minute for 50 MB, 3
   * minutes at most.
   */
  readonly uploadGrace?: { readonly perByte: number; readonly longest: number };
}

/** Milliseconds, and milliseconds for each byte of the content. */
interface Deadline {
  readonly base: number;
  readonly perByte: number;
}

/**
 * Milliseconds before the second look, and at most between two; each pause is `factor` times the
 * one before, give or take a fifth.
 */
interface Poll {
  readonly first: number;
  readonly factor: number;
  readonly longest: number;
}

/** Training modules, 1.3. */
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

/**
 * Imports at work at the same time: the engine unpacks and parses on the site's side (training
 * modules, 1.3).
 */
export const DEFAULT_CONCURRENCY = 2;

interface ImportControl {
  /**
   * When aborted: no package is begun, and imports under way are cancelled at the site; then
   * StoppedError is thrown.
   */
  readonly stop: AbortSignal;
  /** When aborted: drop everything as it is. Always aborted after `stop`. */
  readonly abort: AbortSignal;
  /** Packages at work at the same time; default: DEFAULT_CONCURRENCY. */
  readonly concurrency?: number;
  readonly progress: (event: ImportProgress) => void;
  readonly breaker: CircuitBreaker;
}

interface ImportProgress {
  readonly done: number;
  /** Of those: not there, or nobody knows. Refused ones are not counted. */
  readonly failed: number;
  readonly source: string;
}

export interface ImportSummary {
  readonly packages: number;
  readonly actions: Readonly<Record<Action, number>>;
  /** Packages whose content came to the site, or was found to have come, by this run. */
  readonly imported: number;
  readonly published: number;
  /**
   * Packages that could have come, or been published, and did not: refused by the site, failed
   * there, cancelled, no answer.
   */
  readonly failed: number;
  readonly unknown: number;
}

/** A place in the queue. */
export interface QueueSlot {
  /** Does the work when all that were before it in the queue have left. */
  enter<Value>(work: () => Promise<Value>): Promise<Value>;
  /** To be called whatever happens; may be called again. */
  leave(): void;
}

/**
 * Runs work one at a time, in the order in which slots were taken and not in which they are ready.
 */
class DecisionQueue {
  #last: Promise<unknown> = Promise.resolve();

  take(): QueueSlot {
    const before = this.#last;
    let leave = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    // A slot that leaves early does not let the next one pass those before.
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
  /** In which packages wait to be decided on. */
  readonly queue = new DecisionQueue();
  /** Digests that this run came upon, with the place of the first. */
  readonly seen = new Map<string, string>();
  /** Modules that packages of this run go into, with the place of the first of each. */
  readonly claims = new Map<string, string>();
  /**
   * The last lost answer of each package, for the message: its turn may come again before it is
   * reported.
   */
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

  /** Milliseconds so far in which a person had paused the run. */
  pausedTime(): number {
    return this.job.pausedTime?.() ?? 0;
  }

  get isStopping(): boolean {
    return this.job.control.stop.aborted;
  }

  /**
   * Drafts and import records are made one at a time, so that what is new at the site has one
   * maker.
   */
  making<T>(work: () => Promise<T>): Promise<T> {
    return this.mutex.run("making", work);
  }

  /**
   * Writes a row down. A run that was cut off writes nothing: what it would write was not looked at
   * any more.
   */
  async put(row: PackageRow, changes: Partial<PackageRow>): Promise<PackageRow> {
    this.job.control.abort.throwIfAborted();
    const next: PackageRow = { ...row, ...changes, changed: this.clock.now() };
    await this.job.journal.put(next);
    return next;
  }

  /**
   * Is the module surely not at the site any more? `isPublished`: then the site lists it in any
   * case.
   */
  async isDeleted(moduleId: string, isPublished: boolean): Promise<boolean> {
    if (this.list.get(moduleId) !== undefined) return false;
    return isPublished || (await this.job.journal.listsDrafts()) === true;
  }

  /** Milliseconds to wait between looks, growing; without an end. */
  *pauses(): IterableIterator<number> {
    const { first, factor, longest } = this.options.poll;
    const { random = Math.random } = this.job;
    for (let pause = first; ; pause = Math.min(longest, pause * factor)) yield pause * (0.8 + 0.4 * random());
  }

  /** Waits; ends early when the run is asked to stop, and throws when it is dropped. */
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

/**
 * The modules of a site as they were listed at the start of a run, kept up to date with what the
 * run makes.
 */
export class SiteList {
  #modules = new Map<string, SiteModule>();
  #titles = new Map<string, Set<string>>();
  /** Made by this run; a site may not list them. */
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

/** Of longer titles a site, or what reads its list, may keep the beginning alone. */
const LONGEST_TITLE = 250;

/** Titles that count as one: sites trim them, and people vary the letter case. */
export function foldTitle(title: string): string {
  return title.slice(0, LONGEST_TITLE).normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Digits of a digest that stand for it in a file's name. */
const DIGITS = 12;
const LONGEST_FILE_NAME = 60;
const NO_TITLE = "training-module";

/**
 * What a module is called at a site: the package's own title, else the name of its file without the
 * extension.
 */
export function titleOf(module: Module, source: string): string {
  const own = module.title.trim();
  if (own !== "") return own;
  const name = basename(source)
    .replace(/\.[a-z0-9]{1,5}$/i, "")
    .trim();
  return name === "" ? NO_TITLE : name;
}

/**
 * The name that a package is sent under: `safe-lifting-0123456789ab.zip`. Plain letters, since
 * servers change or refuse others (training modules, 3.2), and the digits, by which any machine
 * knows it again where the site tells the names of files.
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

/** What is looked for in the names of files that a site tells. */
export function marker(digest: string): string {
  return digest.slice(0, DIGITS);
}
