import { performance } from "node:perf_hooks";
import type { Client } from "pg";
import { EXIT, type FerryError, messageOf, StoppedError } from "../core/errors.js";
import { type FleetDatabase, FleetDatabaseError, type Queries } from "./database.js";

/**
 * The right to write for a task has ended (exit 75). It ends the run: what follows is the work of
 * the next holder.
 */
export class LeaseLostError extends StoppedError {}

/** What an operator asks of the holder: end the run as after Ctrl-C, and what follows then. */
export type Wanted = "pause" | "cancel" | "drain";

interface LeaseOptions {
  readonly task: string;
  /** The worker and its machine, for the messages of other workers. */
  readonly holder: string;
  /** Milliseconds without a renewal after which another may take the lease; default 8,000. */
  readonly length?: number;
  /** Milliseconds between the starts of two renewals; default a quarter of the length. */
  readonly renewal?: number | undefined;
  /**
   * Milliseconds within which a request that was sent has its effect at the site; default 30,000,
   * as long as proxies wait for a server. A successor recovers no pending creates before.
   */
  readonly longestRequest?: number;
  /** Called once for each wish, from a renewal. */
  readonly onWanted?: ((wanted: Wanted) => void) | undefined;
}

/** Who holds the lease in the place of the caller. */
export interface Held {
  readonly holder: string;
  /** UNIX milliseconds by the server's clock: it ends then, unless it is renewed. */
  readonly until: number;
  /** Milliseconds until then. */
  readonly endsIn: number;
}

const LENGTH = 8000;
const LONGEST_REQUEST = 30_000;
/** The share of the length that is left unused, for the difference of two clocks' speeds. */
const MARGIN = 1 / 8;
/** The share of the length after which a renewal without an answer is given up. */
const PATIENCE = 1 / 4;
/** The share of the length between a failed renewal and the next one. */
const PAUSE = 1 / 32;

/**
 * Takes the lease of a task if it is free: released, or not renewed in time by the server's clock.
 * Each holder has a greater token than all before. The lease renews itself until `release`.
 *
 * @returns the lease, or who holds it
 *
 * @throws FleetDatabaseError, with exit 10 when the fleet has no such task
 */
export async function takeLease(database: FleetDatabase, options: LeaseOptions): Promise<Lease | Held> {
  const settings = { length: LENGTH, longestRequest: LONGEST_REQUEST, ...options };
  const taken = await database.transaction((queries) => takeRow(queries, settings));
  return "holder" in taken ? taken : new Lease(database, settings, taken);
}

async function takeRow(queries: Queries, settings: Settings): Promise<Taken | Held> {
  const { task, holder, length, longestRequest } = settings;
  await queries.query(
    `INSERT INTO guideferry.lease (task, token, holder, until, recover_from)
     SELECT id, 0, '', to_timestamp(0), to_timestamp(0) FROM guideferry.task WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [task],
  );
  // FOR UPDATE waits for the transactions that `fence` let pass; an UPDATE alone would not.
  const free = await queries.query(
    "SELECT FROM guideferry.lease WHERE task = $1 AND until <= clock_timestamp() FOR UPDATE",
    [task],
  );
  if (free.length === 0) return holderOf(queries, task);
  const askedAt = performance.now();
  // A wish to drain was for the worker of the last holder.
  const [taken] = await queries.query<Omit<Taken, "askedAt">>(
    `UPDATE guideferry.lease AS new SET token = old.token + 1, holder = $2,
       until = clock_timestamp() + make_interval(secs => $3),
       recover_from = clock_timestamp() + make_interval(secs => $3 + $4),
       wanted = nullif(old.wanted, 'drain')
     FROM guideferry.lease AS old WHERE new.task = $1 AND old.task = $1
     RETURNING new.token::float8 AS token, old.recover_from::text AS "recoverFrom",
       (extract(epoch FROM old.recover_from - clock_timestamp()) * 1000)::float8 AS "recoverIn"`,
    [task, holder, length / 1000, longestRequest / 1000],
  );
  if (taken === undefined) throw noTask(task);
  return { ...taken, askedAt };
}

async function holderOf(queries: Queries, task: string): Promise<Held> {
  const [held] = await queries.query<Held>(
    `SELECT holder, (extract(epoch FROM until) * 1000)::float8 AS until,
       greatest(0, extract(epoch FROM until - clock_timestamp()) * 1000)::float8 AS "endsIn"
     FROM guideferry.lease WHERE task = $1`,
    [task],
  );
  if (held === undefined) throw noTask(task);
  return held;
}

interface Taken {
  readonly token: number;
  /** By performance.now(), before the server was asked. */
  readonly askedAt: number;
  /** The server's own text: a number would round it. */
  readonly recoverFrom: string;
  readonly recoverIn: number;
}

interface HolderRow {
  readonly holder: string;
  readonly isOurs: boolean;
}

interface RenewalRow extends HolderRow {
  readonly isRenewed: boolean;
  readonly wanted: Wanted | null;
}

interface Settings extends LeaseOptions {
  readonly length: number;
  readonly longestRequest: number;
}

/** The right to write for a task, renewed in the background. Its end is final. */
export class Lease {
  /** Greater than that of every earlier holder of the task. */
  readonly token: number;
  readonly #database: FleetDatabase;
  readonly #settings: Settings;
  /** By performance.now(), which goes on while the process is stopped, as all times here. */
  readonly #recoverAt: number;
  readonly #recoverFrom: string;
  readonly #lost = new AbortController();
  #deadline: number;
  #deadlineTimer: NodeJS.Timeout | undefined;
  #renewalTimer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #client: Client | undefined;
  #wanted: Wanted | null = null;
  /** Why the last renewal failed. */
  #failure = "no renewal was answered";
  #isReleased = false;

  constructor(database: FleetDatabase, settings: Settings, taken: Taken) {
    this.token = taken.token;
    this.#database = database;
    this.#settings = settings;
    this.#recoverFrom = taken.recoverFrom;
    this.#recoverAt = performance.now() + taken.recoverIn;
    this.#deadline = taken.askedAt;
    this.#extend(taken.askedAt);
    this.#renewAt(taken.askedAt + this.#interval);
  }

  /** Aborted with the LeaseLostError when the lease has ended before `release`. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Milliseconds until pending creates may be recovered: requests of earlier holders may still have
   * their effect before. 0 or less: at once, as after holders that released the lease.
   */
  get recoverIn(): number {
    return this.#recoverAt - performance.now();
  }

  /**
   * For the gate before each write request: throws LeaseLostError unless a renewal that began less
   * than the lease ago was confirmed.
   */
  assertWritable(): void {
    if (performance.now() >= this.#deadline) this.#lose(this.#notRenewed());
    this.#lost.signal.throwIfAborted();
  }

  /**
   * The first statement of each transaction that writes for the task. Until that transaction ends,
   * nobody else can take the lease. Throws LeaseLostError when the lease has ended.
   */
  async fence(queries: Queries): Promise<void> {
    const rows = await queries.query(
      "SELECT FROM guideferry.lease WHERE task = $1 AND token = $2 AND until > clock_timestamp() FOR KEY SHARE",
      [this.#settings.task, this.token],
    );
    this.#lost.signal.throwIfAborted();
    if (rows.length > 0) return;
    const [row] = await queries.query<HolderRow>(
      `SELECT holder, token = $2 AS "isOurs" FROM guideferry.lease WHERE task = $1`,
      [this.#settings.task, this.token],
    );
    throw this.#lose(this.#endedFor(row));
  }

  /**
   * Ends the lease, so that another can take it at once. Without an answer of the server, the lease
   * ends by itself.
   *
   * @param mayBeActive was a request aborted that may still have its effect? The successor then
   * waits before it recovers; otherwise it recovers at once
   */
  async release(mayBeActive = false): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#renewalTimer);
    clearTimeout(this.#deadlineTimer);
    await this.#renewing;
    clearTimeout(this.#renewalTimer);
    const isLost = this.#lost.signal.aborted;
    this.#deadline = Number.NEGATIVE_INFINITY;
    this.#failure = "the run has released it";
    try {
      if (!isLost) {
        const client = await this.#connection();
        await client.query(
          `UPDATE guideferry.lease SET until = clock_timestamp(), recover_from = coalesce($3::timestamptz, recover_from),
             wanted = NULL WHERE task = $1 AND token = $2`,
          [this.#settings.task, this.token, mayBeActive ? null : this.#recoverFrom],
        );
      }
    } catch (error) {
      this.#failure = messageOf(error);
    } finally {
      this.#disconnect();
    }
  }

  get #interval(): number {
    return this.#settings.renewal ?? this.#settings.length / 4;
  }

  #extend(askedAt: number): void {
    this.#deadline = askedAt + this.#settings.length * (1 - MARGIN);
    clearTimeout(this.#deadlineTimer);
    // Without it, a run that writes nothing would not end.
    this.#deadlineTimer = setTimeout(
      () => this.#lose(this.#notRenewed()),
      Math.max(0, this.#deadline - performance.now()),
    );
  }

  #renewAt(time: number): void {
    if (this.#isReleased || this.#lost.signal.aborted) return;
    const renew = () => {
      this.#renewing = this.#renew();
    };
    this.#renewalTimer = setTimeout(renew, Math.max(0, time - performance.now()));
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    const { task, length, longestRequest } = this.#settings;
    try {
      const client = await this.#connection();
      // The time of the connection is not one of the renewal.
      const sentAt = performance.now();
      const { rows } = await client.query<RenewalRow>(
        `WITH renewed AS (
           UPDATE guideferry.lease SET until = clock_timestamp() + make_interval(secs => $3),
             recover_from = clock_timestamp() + make_interval(secs => $3 + $4)
           WHERE task = $1 AND token = $2 AND until > clock_timestamp() RETURNING task, wanted)
         SELECT holder, token = $2 AS "isOurs", renewed.task IS NOT NULL AS "isRenewed", renewed.wanted
         FROM guideferry.lease LEFT JOIN renewed USING (task) WHERE lease.task = $1`,
        [task, this.token, length / 1000, longestRequest / 1000],
      );
      const [row] = rows;
      if (this.#isReleased || this.#lost.signal.aborted) return;
      if (row?.isRenewed !== true) {
        this.#lose(this.#endedFor(row));
        return;
      }
      this.#extend(sentAt);
      this.#hear(row.wanted);
      this.#renewAt(askedAt + this.#interval);
    } catch (error) {
      this.#failure = messageOf(error);
      this.#disconnect();
      this.#renewAt(performance.now() + length * PAUSE);
    }
  }

  #hear(wanted: Wanted | null): void {
    const isNew = wanted !== null && wanted !== this.#wanted;
    this.#wanted = wanted;
    if (isNew) this.#settings.onWanted?.(wanted);
  }

  /** Its own, as the pool's may all wait. A connection without an answer is not used again. */
  async #connection(): Promise<Client> {
    this.#client ??= await this.#database.connect(this.#settings.length * PATIENCE);
    return this.#client;
  }

  #disconnect(): void {
    // The server ends what is left of it.
    void this.#client?.end().catch(() => undefined);
    this.#client = undefined;
  }

  #lose(error: LeaseLostError): LeaseLostError {
    clearTimeout(this.#renewalTimer);
    clearTimeout(this.#deadlineTimer);
    this.#deadline = Number.NEGATIVE_INFINITY;
    if (!this.#lost.signal.aborted) this.#lost.abort(error);
    return error;
  }

  #endedFor(row: HolderRow | undefined): LeaseLostError {
    if (row === undefined) return leaseLost("The task was removed from the fleet.");
    if (row.isOurs) return this.#notRenewed();
    return leaseLost(`The worker ${row.holder} has taken this task over and continues it.`);
  }

  #notRenewed(): LeaseLostError {
    const seconds = (this.#settings.length * (1 - MARGIN)) / 1000;
    return leaseLost(
      `The lease of this task was not renewed within ${seconds} s: this process was paused, or the database ` +
        `${this.#database.place} could not be reached (the last failure: ${this.#failure}). ` +
        "Another worker of the fleet continues the task.",
    );
  }
}

function leaseLost(why: string): LeaseLostError {
  return new LeaseLostError(`${why} This run stops, and sends no further write. All results so far are kept.`, {
    exitCode: EXIT.leaseLost,
  });
}

function noTask(task: string): FerryError {
  return new FleetDatabaseError(
    `The fleet has no task ${task}: it may have been removed. To list the tasks: guideferry fleet list`,
    { exitCode: EXIT.notFound },
  );
}
