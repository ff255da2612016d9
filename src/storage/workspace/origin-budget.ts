import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { WorkspaceError } from "../../core/errors.js";
import { dueAfter, nextStart, type Spacing } from "../../core/util/clock.js";
import { Database } from "../sqlite.js";
import { isBusy, isDamaged, storageError } from "../storage-error.js";

/**
 * Divides what an origin may be asked among all processes of this user on this machine that ask it.
 */
interface OriginBudget {
  /**
   * A seat for one who asks. It is taken at the first `claim`, and lost some seconds behind the
   * last.
   */
  join(origin: string): OriginLease;
}

/**
 * One of those who ask an origin. All take their starts from one schedule, each at its own spacing,
 * and in turn.
 */
export interface OriginLease {
  /** So many share the origin, as far as the last `claim` saw. */
  readonly sharers: number;
  /** Milliseconds until the next start may follow; 0: it is counted, and has to follow at once. */
  claim(spacing: Spacing): number;
  /**
   * To be called by a start that `claim` allowed. What it gives is to be called when that leaves.
   */
  started(): () => void;
  leave(): void;
}

/**
 * Milliseconds that a seat is kept unused: a killed process counts among the sharers for so long.
 * At slow rates two intervals more.
 */
const LEASE = 3000;
/** Milliseconds between two renewals. */
const RENEW_EVERY = 1000;
/** Milliseconds: a start that leaves so soon behind its claim is not noted again. */
const AT_ONCE = 2;
/**
 * Starts that are remembered of an origin: as many as a second has at the highest rate for which
 * seconds are counted.
 */
const KEPT = 2048;

export function createOriginBudget(options: LeaseStoreOptions): OriginBudget {
  const store = new LeaseStore(options);
  return { join: (origin) => new SharedLease(store, origin) };
}

class SharedLease implements OriginLease {
  readonly #store: LeaseStore;
  readonly #origin: string;
  readonly #id = randomBytes(8).toString("hex");
  #until = Number.NEGATIVE_INFINITY;
  #sharers = 1;
  /** Before that the others have their turns. */
  #turn = Number.NEGATIVE_INFINITY;
  #isWaiting = false;
  #schedule: Schedule;
  #place = 0;
  #claimedAt = 0;

  constructor(store: LeaseStore, origin: string) {
    this.#store = store;
    this.#origin = origin;
    this.#schedule = new OwnSchedule();
  }

  get sharers(): number {
    return this.#sharers;
  }

  claim(spacing: Spacing): number {
    const now = this.#store.now();
    return this.#store.use(
      (database) => {
        // Who waits has a seat too: the others leave turns to it.
        this.#sharers = this.#renew(database, now, spacing);
        const wait = this.#wait(new NotedSchedule(database, this.#origin, now), now, spacing);
        // Another process may be faster: only what is seen in the transaction counts.
        this.#isWaiting ||= wait > 0;
        if (wait > 0) return wait;
        return database.transaction(() => {
          // The lock of another process may have held this one up: the request leaves now, not when
          // the lock was asked for.
          const locked = this.#store.now();
          return this.#take(new NotedSchedule(database, this.#origin, locked), locked, spacing);
        });
      },
      (state) => {
        if (state === "busy") return BUSY_WAIT;
        this.#sharers = 1;
        return this.#take(this.#schedule, now, spacing);
      },
    );
  }

  started(): () => void {
    const place = this.#place;
    const claimedAt = this.#claimedAt;
    return () => {
      const now = this.#store.now();
      if (now - claimedAt < AT_ONCE) return;
      this.#store.use(
        (database) => new NotedSchedule(database, this.#origin, now).moveTo(place, now),
        () => this.#schedule.moveTo(place, now),
      );
    };
  }

  leave(): void {
    if (this.#until === Number.NEGATIVE_INFINITY) return;
    // Where it can't be noted, the seat is lost by itself.
    this.#store.use(
      (database) => database.run("DELETE FROM seat WHERE id = :id", { id: this.#id }),
      () => 0,
    );
    this.#until = Number.NEGATIVE_INFINITY;
  }

  #wait(schedule: Schedule, now: number, spacing: Spacing): number {
    const { due, count } = schedule.state();
    return Math.max(this.#turn, nextStart(due, schedule.timeOf(count - spacing.most), spacing)) - now;
  }

  #take(schedule: Schedule, now: number, spacing: Spacing): number {
    const wait = this.#wait(schedule, now, spacing);
    const waited = this.#isWaiting;
    this.#isWaiting = wait > 0;
    if (wait > 0) return wait;
    const { due, count } = schedule.state();
    schedule.add(count, now, dueAfter(due, now, waited, spacing));
    this.#place = count;
    this.#claimedAt = now;
    // Whoever comes first at each start would else be the same one every time.
    if (this.#sharers > 1) this.#turn = now + spacing.interval * (this.#sharers - 0.5);
    return 0;
  }

  /**
   * Keeps the seat; returns how many share the origin. Seats that end later than they can are from
   * before the machine started anew.
   */
  #renew(database: Database, now: number, { interval }: Spacing): number {
    const lease = Math.ceil(Math.max(LEASE, 2 * interval + RENEW_EVERY));
    if (now > this.#until - lease + RENEW_EVERY) {
      const until = Math.ceil(now + lease);
      database.run("DELETE FROM seat WHERE until <= :now OR until - lease > :now + 1", { now });
      database.run("INSERT OR REPLACE INTO seat (id, origin, until, lease) VALUES (:id, :origin, :until, :lease)", {
        ...{ id: this.#id, origin: this.#origin, until, lease },
      });
      this.#until = until;
    }
    const row = database.get<{ readonly count: number }>(
      "SELECT count(*) AS count FROM seat WHERE origin = :origin AND id <> :id AND until > :now",
      { origin: this.#origin, id: this.#id, now },
    );
    return 1 + (row?.count ?? 0);
  }
}

/** The starts at one origin, numbered from 0. */
interface Schedule {
  /** When the next one is due, and its number. */
  state(): { readonly due: number; readonly count: number };
  /** When that start left, if it is remembered. */
  timeOf(number: number): number | undefined;
  add(number: number, now: number, due: number): void;
  moveTo(number: number, now: number): void;
}

/** Where nothing can be noted. */
class OwnSchedule implements Schedule {
  readonly #times: number[] = [];
  #due = Number.NEGATIVE_INFINITY;
  #count = 0;

  state() {
    return { due: this.#due, count: this.#count };
  }

  timeOf(number: number): number | undefined {
    return this.#times[number % KEPT];
  }

  add(number: number, now: number, due: number): void {
    this.#times[number % KEPT] = now;
    this.#count = number + 1;
    this.#due = due;
  }

  moveTo(number: number, now: number): void {
    this.#times[number % KEPT] = now;
  }
}

/**
 * The schedule of all processes. What was noted later than now is from before the machine started
 * anew.
 */
class NotedSchedule implements Schedule {
  readonly #database: Database;
  readonly #origin: string;
  readonly #now: number;

  constructor(database: Database, origin: string, now: number) {
    this.#database = database;
    this.#origin = origin;
    this.#now = now;
  }

  state() {
    const row = this.#database.get<{ readonly due: number; readonly count: number; readonly at: number }>(
      "SELECT due, count, at FROM schedule WHERE origin = :origin",
      { origin: this.#origin },
    );
    return row === undefined || row.at > this.#now ? { due: -1, count: 0 } : row;
  }

  timeOf(number: number): number | undefined {
    if (number < 0) return undefined;
    const row = this.#database.get<{ readonly at: number }>(
      "SELECT at FROM start WHERE origin = :origin AND place = :place",
      { origin: this.#origin, place: number % KEPT },
    );
    return row === undefined || row.at > this.#now ? undefined : row.at;
  }

  add(number: number, now: number, due: number): void {
    this.#database.run("INSERT OR REPLACE INTO schedule (origin, due, count, at) VALUES (:origin, :due, :count, :at)", {
      ...{ origin: this.#origin, due, count: number + 1, at: now },
    });
    this.moveTo(number, now);
  }

  moveTo(number: number, now: number): void {
    this.#database.run("INSERT OR REPLACE INTO start (origin, place, at) VALUES (:origin, :place, :at)", {
      ...{ origin: this.#origin, place: number % KEPT, at: now },
    });
  }
}

interface LeaseStoreOptions {
  /** See user-state-folder.ts. */
  readonly base: string;
  /** Called once, when nothing can be noted there: from then on the rate is not shared. */
  readonly warn: (text: string) => void;
  /**
   * Milliseconds on a clock that all processes of this machine share and nobody sets; default: the
   * time since it started.
   */
  readonly now?: (() => number) | undefined;
}

/**
 * Milliseconds that a start may wait for another process' write, and then for the next try; and
 * tries before it goes on without.
 */
const BUSY_WAIT = 50;
const BUSY_TRIES = 40;
/**
 * Of the tables. Whoever changes them counts it up: versions of the program run side by side, each
 * with a file that has its own columns.
 */
const FORMAT = 2;

/** The file in which the processes of a machine note who asks whom, and what became of it. */
class LeaseStore {
  readonly now: () => number;
  readonly #options: LeaseStoreOptions;
  #database: Database | undefined;
  #given = false;
  #busy = 0;

  constructor(options: LeaseStoreOptions) {
    this.#options = options;
    this.now = options.now ?? sinceMachineStarted;
  }

  /** What `work` gives; `otherwise` while another process writes, and when nothing can be noted. */
  use<T>(work: (database: Database) => T, otherwise: (state: "busy" | "given up") => T): T {
    if (this.#given) return otherwise("given up");
    try {
      this.#database ??= openStore(this.#options.base);
      const result = work(this.#database);
      this.#busy = 0;
      return result;
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      this.#busy += 1;
      if (isBusy(error) && this.#busy < BUSY_TRIES) return otherwise("busy");
      this.#giveUp(error);
      return otherwise("given up");
    }
  }

  #giveUp(error: WorkspaceError): void {
    this.#given = true;
    this.#options.warn(
      `Other runs of guideferry on this machine are not counted: what may be sent to a site can't be shared with them. ${error.message}`,
    );
  }
}

/** A file for each machine: a home may be on several. */
function openStore(base: string): Database {
  const folder = join(base, "budgets");
  const file = join(folder, `${hostname().replaceAll(/[^\w.-]/g, "_")}.${FORMAT}.sqlite`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageError(error, `making ${folder}`);
  }
  try {
    return prepared(file);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    // It only holds what is true for seconds.
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    return prepared(file);
  }
}

function prepared(file: string): Database {
  const database = new Database(file, { timeout: BUSY_WAIT });
  try {
    // What a killed process leaves can be read, and nobody who looks waits for one who writes; a
    // lost power line may take it all.
    database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF");
    database.execute(
      "CREATE TABLE IF NOT EXISTS seat (id TEXT PRIMARY KEY, origin TEXT NOT NULL, until INTEGER NOT NULL, lease INTEGER NOT NULL) STRICT, WITHOUT ROWID;" +
        "CREATE TABLE IF NOT EXISTS schedule (origin TEXT PRIMARY KEY, due REAL NOT NULL, count INTEGER NOT NULL, at REAL NOT NULL) STRICT, WITHOUT ROWID;" +
        "CREATE TABLE IF NOT EXISTS start (origin TEXT NOT NULL, place INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (origin, place)) STRICT, WITHOUT ROWID",
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Fractions of a millisecond count: two hundred starts a second are five milliseconds apart. */
function sinceMachineStarted(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
