import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { WorkspaceError } from "../../core/errors.js";
import { dueAfter, nextStart, type Spacing } from "../../core/util/clock.js";
import { Database } from "../sqlite.js";
import { isBusy, isDamaged, storageError } from "../storage-error.js";

/** Divides the request rate of an origin among all processes of this user on this machine. */
interface OriginBudget {
  /** A lease begins at the first `claim`, and ends some seconds after the last one. */
  join(origin: string): OriginLease;
}

/**
 * One user of an origin. All users take their starts from one schedule, each with its own spacing,
 * and in turn.
 */
export interface OriginLease {
  /** The number of users of the origin at the last `claim`. */
  readonly sharers: number;
  /** Milliseconds until the next start; 0: the start is counted and has to follow immediately. */
  claim(spacing: Spacing): number;
  /** Call it for a start that `claim` allowed; call its result when the request is sent. */
  started(): () => void;
  leave(): void;
}

/**
 * Milliseconds that an unused lease lasts, and that a killed process counts as a user. At slow
 * rates two intervals more.
 */
const LEASE = 3000;
const RENEW_EVERY = 1000;
/** Milliseconds. A request that is sent so soon after its claim is not recorded again. */
const AT_ONCE = 2;
/** Starts stored for an origin: those of one second at the highest rate with a limit per second. */
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
  /** Until this time it is the turn of others. */
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
        // A waiting user has a lease too, so that the others leave turns to it.
        this.#sharers = this.#renew(database, now, spacing);
        const wait = this.#wait(new StoredSchedule(database, this.#origin, now), now, spacing);
        // Another process may be faster, so only the state inside the transaction counts.
        this.#isWaiting ||= wait > 0;
        if (wait > 0) return wait;
        return database.transaction(() => {
          // Waiting for the lock takes time: the request is sent now, not at the time of the call.
          const locked = this.#store.now();
          return this.#take(new StoredSchedule(database, this.#origin, locked), locked, spacing);
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
        (database) => new StoredSchedule(database, this.#origin, now).moveTo(place, now),
        () => this.#schedule.moveTo(place, now),
      );
    };
  }

  leave(): void {
    if (this.#until === Number.NEGATIVE_INFINITY) return;
    // If it can't be recorded, the lease expires.
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
    // Otherwise the same user could win every start.
    if (this.#sharers > 1) this.#turn = now + spacing.interval * (this.#sharers - 0.5);
    return 0;
  }

  /**
   * Renews the lease and returns the number of users. A lease that began in the future is from
   * before the last start of the machine.
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
  /** The time of the next start, and its number. */
  state(): { readonly due: number; readonly count: number };
  /** The time of a start, if it is stored. */
  timeOf(number: number): number | undefined;
  add(number: number, now: number, due: number): void;
  moveTo(number: number, now: number): void;
}

/** The schedule of this process alone, for a store that can't be written. */
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
 * The schedule of all processes. A time in the future is from before the last start of the machine.
 */
class StoredSchedule implements Schedule {
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
  readonly base: string;
  /** Called once if the store can't be used; from then on the rate is not shared. */
  readonly warn: (text: string) => void;
  /**
   * Milliseconds of a clock that all processes of this machine share and that nobody can set;
   * default: the time since the machine started.
   */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds to wait for a write of another process, and before the next attempt. */
const BUSY_WAIT = 50;
/** Attempts before the rate is no longer shared. */
const BUSY_TRIES = 40;
/** Version of the tables, part of the file name: several versions of guideferry may run at once. */
const FORMAT = 2;

/** The file in which the processes of a machine record their leases and starts. */
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

  /** The result of `work`, or of `otherwise` while another process writes or the store fails. */
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
      `guideferry cannot share the request rate with other runs on this machine, so together they may send more requests than allowed. ${error.message}`,
    );
  }
}

/** A file for each machine, because several machines can share a home folder. */
function openStore(base: string): Database {
  const folder = join(base, "budgets");
  const file = join(folder, `${hostname().replaceAll(/[^\w.-]/g, "_")}.${FORMAT}.sqlite`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageError(error, `creating ${folder}`);
  }
  try {
    return prepared(file);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    // Its data is valid for seconds only.
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    return prepared(file);
  }
}

function prepared(file: string): Database {
  const database = new Database(file, { timeout: BUSY_WAIT });
  try {
    // WAL: the file of a killed process stays readable, and readers do not wait for writers. A
    // power failure may lose all of it.
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

/** Fractions of a millisecond matter: 200 starts a second have intervals of 5 ms. */
function sinceMachineStarted(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
