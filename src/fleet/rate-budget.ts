import { performance } from "node:perf_hooks";
import type { Client } from "pg";
import { ConnectionError, EXIT, messageOf } from "../core/errors.js";
import { isObject } from "../core/util/json.js";
import type { CommonRate, RateLease, SharedBudget } from "../service/http/request-rate.js";
import { type FleetDatabase, FleetDatabaseError, type Queries } from "./database.js";

/** What several origins of a vendor have together. Other origins have the rates of their runs. */
export interface Budget {
  readonly name: string;
  /** Sorted: `https://a.example`. */
  readonly origins: readonly string[];
  readonly requestsPerSecond: number;
}

export function listBudgets(queries: Queries): Promise<readonly Budget[]> {
  return queries.query<Budget>(
    `SELECT budget.name, budget.rate AS "requestsPerSecond",
       ARRAY(SELECT origin FROM guideferry.origin WHERE origin.budget = budget.name ORDER BY origin COLLATE "C") AS origins
     FROM guideferry.budget ORDER BY budget.name`,
  );
}

/**
 * Creates or changes a budget; without origins it is removed. Call it in a transaction. Runs follow
 * with their next start. A budget with an origin that had another one before has no window: nothing
 * starts until no start that the other one granted can count, as after a crash.
 */
export async function setBudget(queries: Queries, { name, origins, requestsPerSecond }: Budget): Promise<void> {
  await queries.query(
    `WITH freed AS (
       UPDATE guideferry.origin SET budget = origin WHERE budget = $1 AND origin <> ALL($2::text[]) RETURNING budget),
     taken AS (
       INSERT INTO guideferry.origin SELECT unnest($2::text[]), $1
       ON CONFLICT (origin) DO UPDATE SET budget = excluded.budget WHERE origin.budget <> excluded.budget RETURNING budget)
     DELETE FROM guideferry.rate_window WHERE budget IN (TABLE freed UNION TABLE taken)`,
    [name, [...origins]],
  );
  await queries.query(
    origins.length === 0
      ? "DELETE FROM guideferry.budget WHERE name = $1"
      : "INSERT INTO guideferry.budget VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET rate = excluded.rate",
    origins.length === 0 ? [name] : [name, requestsPerSecond],
  );
}

/** The request rates that all workers of a fleet share, by origin. */
export interface FleetBudget extends SharedBudget {
  /** Gives unused starts back, and closes its connection. Call it when the queues are closed. */
  close(): Promise<void>;
}

/** Microseconds after its time in which a start may be sent: half of `lease` in schema.ts. */
const START_VALID = 2_000_000;
/** Microseconds after which an unused start is given back. */
const UNUSED = 250_000;
/** Microseconds in which a request is sent that has its turn and a connection. */
const SOON = 2000;
/** Microseconds until a server without a free start is asked again; longer for a low rate. */
const ASK_AGAIN = 50_000;
/** Of a window: its starts are granted up to a window ahead, so nothing is lost in this time. */
const SHARE_ASK_AGAIN = 1 / 8;
/** Microseconds until a server that did not answer is asked again. */
const RECONNECT = 250_000;
/** Most starts that are fetched ahead, and their share of a second's starts. */
const MOST_AHEAD = 16;
const SHARE_AHEAD = 0.05;
/** Milliseconds for an answer: it holds up no other than the starts of this process. */
const TIMEOUT = 5000;

/**
 * Takes each start of a request from the database, where all workers of the fleet take theirs. In
 * any window, no more starts than the rate allows: docs/design/fleet.md. While the database does
 * not answer, nothing starts.
 *
 * @param onFailure told when the database refuses to grant starts, which no later try changes
 */
export function createFleetBudget(
  database: FleetDatabase,
  onFailure: (error: FleetDatabaseError) => void,
): FleetBudget {
  const server = new StartServer(database, onFailure);
  const leases = new Set<FleetLease>();
  return {
    join: (origin, rate) => {
      const lease = new FleetLease(server, origin, rate);
      leases.add(lease);
      return lease;
    },
    close: async () => {
      for (const lease of leases) lease.leave();
      await Promise.all([...leases].map((lease) => lease.left()));
      server.close();
    },
  };
}

/** By performance.now(), which goes on while the process is stopped. */
const microseconds = (): number => performance.now() * 1000;

interface Turn {
  readonly origin: string;
  readonly rate: number;
  readonly wanted: number;
  readonly reports: readonly Report[];
  readonly pause: number;
  readonly adapted: CommonRate | undefined;
  readonly seen: number;
}

/** A start that was sent; `sentBy` is null: it was not, and never will be. */
interface Report {
  readonly start: number;
  /** By the clock of this process. */
  readonly sentBy: number | null;
}

interface TurnRow extends CommonRate {
  readonly now: number;
  readonly granted: readonly string[];
  readonly freeFrom: number;
  readonly version: number;
  readonly isAdapted: boolean;
}

/**
 * The connection of a process, and how far the clock of the server is ahead of its own: between two
 * bounds that each answer narrows.
 */
class StartServer {
  readonly #database: FleetDatabase;
  readonly #onFailure: (error: FleetDatabaseError) => void;
  #client: Promise<Client> | undefined;
  #isClosed = false;
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  #learnedAt = 0;
  /** Grows with each lost connection: another server may answer then, with another clock. */
  generation = 0;

  constructor(database: FleetDatabase, onFailure: (error: FleetDatabaseError) => void) {
    this.#database = database;
    this.#onFailure = onFailure;
  }

  /** The time of the server is at least this one. */
  earliest(): number {
    return microseconds() + this.#least;
  }

  /** The time of the server is at most this one. */
  latest(): number {
    return microseconds() + this.#most;
  }

  /** null: no answer, or none that can be used. */
  async turn({ origin, rate, wanted, reports, pause, adapted, seen }: Turn): Promise<TurnRow | null> {
    if (this.#isClosed) return null;
    this.#client ??= this.#connect();
    const opened = this.#client;
    try {
      const client = await opened;
      const askedAt = microseconds();
      const { rows } = await client.query<TurnRow>({
        name: "take-starts",
        text: `SELECT now::float8, granted, free_from::float8 AS "freeFrom", rate, slowed_by AS "slowedBy",
            refused_at AS "refusedAt", version::float8, is_adapted AS "isAdapted"
          FROM guideferry.take_starts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        values: [
          origin,
          rate,
          wanted,
          reports.map(({ start }) => start),
          reports.map(({ sentBy }) => (sentBy === null ? -1 : Math.ceil(sentBy + this.#most))),
          Math.round(pause),
          adapted !== undefined,
          adapted?.rate,
          adapted?.slowedBy,
          adapted?.refusedAt,
          seen,
        ],
      });
      const [row] = rows;
      if (row !== undefined) this.#learn(row.now, askedAt, microseconds());
      return row ?? null;
    } catch (error) {
      this.#drop(opened);
      if (isLasting(error) && !this.#isClosed) {
        this.#isClosed = true;
        this.#onFailure(refused(this.#database.place, error));
      }
      return null;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#drop(this.#client);
  }

  async #connect(): Promise<Client> {
    const client = await this.#database.connect(TIMEOUT);
    const askedAt = microseconds();
    const { rows } = await client.query<{ readonly now: number }>(
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::float8 AS now",
    );
    for (const { now } of rows) this.#learn(now, askedAt, microseconds());
    return client;
  }

  /** Two clocks differ by 0.02 % of the time at most: more than any quartz that is not broken. */
  #learn(now: number, askedAt: number, answeredAt: number): void {
    const drift = (answeredAt - this.#learnedAt) * 0.0002;
    const least = now - answeredAt;
    const most = now - askedAt;
    this.#learnedAt = answeredAt;
    this.#least = Math.max(this.#least - drift, least);
    this.#most = Math.min(this.#most + drift, most);
    if (this.#least <= this.#most) return;
    // The clock of the server was set.
    this.#least = least;
    this.#most = most;
  }

  #drop(client: Promise<Client> | undefined): void {
    if (client === undefined || client !== this.#client) return;
    this.#client = undefined;
    this.generation += 1;
    this.#least = Number.NEGATIVE_INFINITY;
    this.#most = Number.POSITIVE_INFINITY;
    // A connection that was not made, or is lost already, needs no end.
    client.then((opened) => opened.end()).catch(() => undefined);
  }
}

/** The starts of one queue. Times are microseconds of the server's clock. */
class FleetLease implements RateLease {
  readonly sharers = 1;
  readonly #server: StartServer;
  readonly #origin: string;
  readonly #rate: number;
  /** Granted and not used yet, in their order. */
  #ahead: number[] = [];
  /** Given to a request that did not start yet. */
  #claimed: number | undefined;
  /** Of requests that started and were not sent yet. */
  readonly #unsent = new Set<number>();
  #reports: Report[] = [];
  #generation = 0;
  #lot = 1;
  /** The last turn granted all of it, and the first start at once: only the turns take time. */
  #isFree = false;
  #asking: Promise<void> | undefined;
  /** By microseconds(): not for further starts before. */
  #askAt = 0;
  /** By microseconds(): not at all before. */
  #retryAt = 0;
  #claimedAt = 0;
  #usedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #pause = 0;
  #change: CommonRate | undefined;
  #news: CommonRate | undefined;
  #seen = 0;
  #isLeft = false;

  constructor(server: StartServer, origin: string, rate: number) {
    this.#server = server;
    this.#origin = origin;
    this.#rate = rate;
  }

  claim(): number {
    this.#claimedAt = microseconds();
    this.#giveBack();
    // The request of the last claim was cancelled before its start.
    if (this.#claimed !== undefined) return 0;
    const [start] = this.#ahead;
    if (start === undefined) {
      // The report of the start that was just used fetches the next one too.
      if (microseconds() - this.#usedAt < SOON) return SOON / 1000;
      // Others wait for the budget: more of it fetched ahead would not be faster.
      if (this.#asking !== undefined && this.#isFree) this.#lot = Math.min(this.#lot * 2, this.#mostAhead());
      this.#ask();
      return Math.max(2, (this.#askAt - microseconds()) / 1000);
    }
    const left = start - this.#server.earliest();
    if (left > 0) return Math.max(1, Math.ceil(left / 1000));
    this.#claimed = this.#ahead.shift();
    this.#usedAt = microseconds();
    return 0;
  }

  started(): () => void {
    const start = this.#claimed;
    this.#claimed = undefined;
    if (start !== undefined) this.#unsent.add(start);
    this.#watch();
    return () => {
      this.#giveBack();
      // After a wait for its connection, or of the whole process, it would count for another time.
      if (start === undefined || !this.#unsent.delete(start)) throw tooLate(this.#origin);
      // Its bytes are written at the end of this turn.
      setImmediate(() => {
        this.#report(start, microseconds());
        this.#ask();
      });
    };
  }

  adapted(): CommonRate | undefined {
    const news = this.#news;
    this.#news = undefined;
    return news;
  }

  adapt(rate: CommonRate): void {
    this.#change = rate;
    this.#ask();
  }

  pauseFor(milliseconds: number): void {
    this.#pause = Math.max(this.#pause, milliseconds * 1000);
    if (this.#pause > 0) this.#ask();
  }

  leave(): void {
    this.#isLeft = true;
    clearTimeout(this.#timer);
    this.#giveBack();
    this.#ask();
  }

  /** Fulfilled when what was left over is given back. */
  async left(): Promise<void> {
    while (this.#asking !== undefined) await this.#asking;
  }

  /** What is too late, or not needed soon; all of it from a server that was lost, or at the end. */
  #giveBack(): void {
    const isOver = this.#isLeft || this.#generation !== this.#server.generation;
    this.#generation = this.#server.generation;
    const oldest = isOver ? Number.POSITIVE_INFINITY : this.#server.latest() - START_VALID;
    const unused = microseconds() - this.#claimedAt > UNUSED ? this.#server.latest() - UNUSED : oldest;
    for (const start of this.#unsent) if (start < oldest && this.#unsent.delete(start)) this.#report(start, null);
    if (this.#claimed !== undefined && this.#claimed < oldest) {
      this.#report(this.#claimed, null);
      this.#claimed = undefined;
    }
    if (this.#dropAhead(Math.max(oldest, unused))) this.#lot = 1;
  }

  #dropAhead(before: number): boolean {
    const dropped = this.#ahead.filter((start) => start < before);
    if (dropped.length > 0) this.#ahead = this.#ahead.filter((start) => start >= before);
    for (const start of dropped) this.#report(start, null);
    return dropped.length > 0;
  }

  #report(start: number, sentBy: number | null): void {
    this.#reports.push({ start, sentBy });
  }

  #mostAhead(): number {
    return Math.min(MOST_AHEAD, Math.max(2, Math.floor(this.#rate * SHARE_AHEAD)));
  }

  /** How many starts are asked for: none if nobody waits. */
  #wanted(): number {
    const isWaiting = !this.#isLeft && microseconds() - this.#claimedAt < UNUSED;
    return isWaiting ? Math.max(0, this.#lot - this.#ahead.length) : 0;
  }

  /** One turn at a time; what comes meanwhile goes with the next. */
  #ask(): void {
    this.#watch();
    const now = microseconds();
    if (this.#asking !== undefined || now < this.#retryAt) return;
    if (!this.#hasNews() && (now < this.#askAt || this.#wanted() === 0)) return;
    this.#asking = this.#turn().finally(() => {
      this.#asking = undefined;
      this.#ask();
    });
  }

  #hasNews(): boolean {
    return this.#reports.length > 0 || this.#pause > 0 || this.#change !== undefined;
  }

  async #turn(): Promise<void> {
    this.#giveBack();
    const [reports, pause, change] = [this.#reports, this.#pause, this.#change];
    const wanted = this.#wanted();
    this.#reports = [];
    this.#pause = 0;
    this.#change = undefined;
    const origin = this.#origin;
    const turn = { origin, rate: this.#rate, wanted, reports, pause, adapted: change, seen: this.#seen };
    const row = await this.#server.turn(turn);
    if (row === null) {
      // The lease of the task ends the run if this goes on; until then nothing starts.
      this.#retryAt = microseconds() + RECONNECT;
      this.#askAt = this.#retryAt;
      this.#reports.unshift(...reports);
      this.#pause = Math.max(this.#pause, pause);
      this.#change ??= change;
      return;
    }
    this.#take(row, wanted);
    if (row.version !== this.#seen || change !== undefined) this.#follow(row);
  }

  #take({ granted, now, freeFrom }: TurnRow, wanted: number): void {
    const starts = granted.map(Number);
    if (wanted > 0) this.#isFree = starts.length === wanted && (starts[0] ?? now) <= now;
    this.#ahead.push(...starts);
    // Another sharer was asked to pause.
    this.#dropAhead(freeFrom);
    const pollAfter = Math.max(ASK_AGAIN, (SHARE_ASK_AGAIN * 1e6) / this.#rate) * (1 + Math.random());
    const wait = Math.max(freeFrom - now, starts.length < wanted ? pollAfter : 0);
    this.#askAt = microseconds() + wait;
    if (this.#isLeft) this.#giveBack();
  }

  #follow({ version, isAdapted, rate, slowedBy, refusedAt }: TurnRow): void {
    this.#seen = version;
    if (!isAdapted) this.#news = { rate, slowedBy, refusedAt };
  }

  /** Gives back what nobody claims, and repeats what was not answered, while there is something. */
  #watch(): void {
    const isIdle = this.#ahead.length + this.#unsent.size === 0 && this.#claimed === undefined && !this.#hasNews();
    if (this.#timer !== undefined || this.#isLeft || isIdle) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#giveBack();
      this.#ask();
    }, UNUSED / 1000);
  }
}

/** SQLSTATE classes that say the same to each try: a refused sign-in, a missing right or table. */
const LASTING = /^(?:22|23|28|3D|3F|42|P0)[0-9A-Z]{3}$/;

function isLasting(error: unknown): boolean {
  if (error instanceof FleetDatabaseError) return error.exitCode === EXIT.usage;
  return isObject(error) && typeof error["code"] === "string" && LASTING.test(error["code"]);
}

function refused(place: string, error: unknown): FleetDatabaseError {
  if (error instanceof FleetDatabaseError) return error;
  return new FleetDatabaseError(
    `The database ${place} grants no starts of requests: ${messageOf(error)}. ` +
      "Bring its tables and rights up to this program, with the owner of the tables: guideferry fleet init",
    { cause: error, exitCode: EXIT.usage },
  );
}

function tooLate(origin: string): ConnectionError {
  return new ConnectionError(
    `A request to ${origin} came too late for its start, which the fleet counted for an earlier time. It was not sent.`,
    { unsent: true },
  );
}
