import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import { nextRun, readCron } from "../../src/fleet/cron.js";
import type { FleetDatabase } from "../../src/fleet/database.js";
import { type ClaimedRun, HEARTBEAT, type JobQueue, openJobs, retryDelay } from "../../src/fleet/jobs.js";
import { insertTask } from "../../src/fleet/tasks.js";
import { CRON, drawEnd, drawSites, drawTenants, LARGE_TENANT, type SimulatedSite, taskOf } from "./site-model.js";
import { EventQueue, openVirtualDatabase, seededRandom } from "./virtual-fleet.js";

/** Who is away for an hour in one of the nights. */
export type Absence = "nobody" | "a tenth of the workers" | "Postgres";

export interface FleetScale {
  readonly sites: number;
  readonly workers: number;
  /** Runs of a worker at the same time. */
  readonly slots: number;
  readonly nights: number;
  /** Nights over which the sites join, with their first copy; 0: all have one. */
  readonly joining: number;
  readonly seed: number;
}

export interface NightFigures {
  /** Nights of sites that had a first copy. */
  readonly nights: number;
  readonly done: number;
  /** Ended by an exit code that is final; the next night tries again. */
  readonly failed: number;
  /** Not queued, as the run before was not over. */
  readonly skipped: number;
  /** Neither done nor failed nor skipped. */
  readonly missing: number;
  /** Done after the window. */
  readonly late: number;
  /** Hours from the schedule's time to the end of the slowest night. */
  readonly slowest: number;
  /** The same for the night of the absence. */
  readonly slowestOfAbsence: number;
  readonly firstCopies: number;
  /** Hours of the slowest first copy. */
  readonly slowestFirst: number;
  readonly runs: number;
  readonly retries: number;
  readonly lost: number;
  /** Minutes from the schedule's time to the first run: over all nights, and of the large tenant. */
  readonly meanWait: number;
  readonly largeWait: number;
  /** The longest mean wait of a tenant over the median one, of the tenants with equal load. */
  readonly fairness: number;
  /** Claims of a tenant at its limit, of a site in use, and nights that ran twice. */
  readonly overLimit: number;
  readonly overlaps: number;
  readonly twice: number;
  /** Real milliseconds of a call, for the cost of the queue. */
  readonly calls: ReadonlyMap<string, CallCost>;
}

interface CallCost {
  count: number;
  total: number;
  longest: number;
}

/** Hours in which a night has to be done. */
export const WINDOW = 6;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Noon before the first night. Clocks change in Berlin in the night of March 29. */
const BEGIN = Date.UTC(2026, 2, 9, 12);
/**
 * A worker asks each second for what is due and for work. Nothing is due at another time than a
 * full hour, and a claim gives nothing until something changes, so the rest is left out.
 */
const SEND_EVERY = HOUR;
const LOOK_EVERY = SECOND;
const TOUCH_EVERY = (HEARTBEAT / 3) * SECOND;
const VANISHED_FOR = 10 * MINUTE;
/** In a night, of all workers. */
const VANISHING = 0.02;
const ABSENT_FOR = HOUR;
/** After 02:00 in Berlin. */
const ABSENT_FROM = 10 * MINUTE;
/** Most calls for what is due at one time: 500 each. */
const MOST_SENDS = 100;

interface Night {
  readonly due: number;
  readonly isFirst: boolean;
  begun?: number;
  doneAt?: number;
  times: number;
  state: "open" | "done" | "failed" | "skipped";
}

interface SiteState {
  readonly site: SimulatedSite;
  readonly nights: Night[];
  /** Seconds of the first copy that are left; 0: there is one. */
  missingCopy: number;
  running: Run | undefined;
}

interface SimulatedWorker {
  name: string;
  isAway: boolean;
  readonly runs: Set<Run>;
}

interface Run {
  readonly claimed: ClaimedRun;
  readonly of: SiteState;
  readonly worker: SimulatedWorker;
  readonly night: Night;
  readonly begun: number;
  readonly ends: number;
  readonly exitCode: number | null;
}

/** Opens the queue; a test of the simulation itself gives a broken one. */
export type OpenQueue = (database: FleetDatabase, delay: typeof retryDelay) => Promise<JobQueue>;
const openQueue: OpenQueue = (database, delay) => openJobs(database, { delay });

/** Runs the nights in an empty database, and returns what came of them. */
export async function simulateNights(
  address: string,
  scale: FleetScale,
  absence: Absence,
  open: OpenQueue = openQueue,
): Promise<NightFigures> {
  const { database, at } = await openVirtualDatabase(address, scale.seed);
  const random = seededRandom(scale.seed + 1);
  const jobs = await open(database, (attempt, exitCode) => retryDelay(attempt, exitCode, random));
  const boss = new PgBoss({
    db: { executeSql: async (text, values = []) => ({ rows: [...((await database.query(text, values)) ?? [])] }) },
    schema: "guideferry_jobs",
    supervise: false,
    schedule: false,
    migrate: false,
    createSchema: false,
  });
  try {
    await at(BEGIN);
    await jobs.prepare();
    await boss.start();
    // Starts the queue outside of a transaction, which holds the only connection.
    await jobs.touch([randomUUID()]);
    const simulation = new Simulation(scale, absence, { database, jobs, at, random, maintain: () => boss.supervise() });
    await simulation.run();
    return simulation.figures();
  } finally {
    await boss.stop({ graceful: false, close: false });
    await jobs.close();
    await database.close();
  }
}

interface Parts {
  readonly database: FleetDatabase;
  readonly jobs: JobQueue;
  readonly at: (time: number) => Promise<void>;
  readonly random: () => number;
  /** What pg-boss does by itself each minute of real time. */
  readonly maintain: () => Promise<void>;
}

class Simulation {
  readonly #scale: FleetScale;
  readonly #absence: Absence;
  readonly #parts: Parts;
  readonly #events = new EventQueue();
  readonly #limits = new Map<string, number>();
  readonly #sites: readonly SiteState[];
  readonly #byTask = new Map<string, SiteState>();
  readonly #workers: readonly SimulatedWorker[];
  readonly #used = new Set<string>();
  readonly #calls = new Map<string, CallCost>();
  readonly #absentFrom: number;
  #now = BEGIN;
  #isPostgresAway = false;
  /** A claim may give a run: something changed since one gave none. */
  #mayClaim = false;
  #nextWorker = 0;
  #named = 0;
  #runs = 0;
  #retries = 0;
  #lost = 0;
  #overLimit = 0;
  #overlaps = 0;

  constructor(scale: FleetScale, absence: Absence, parts: Parts) {
    this.#scale = scale;
    this.#absence = absence;
    this.#parts = parts;
    const tenants = drawTenants(scale.sites, scale.workers * scale.slots);
    for (const { name, limit } of tenants) if (limit !== null) this.#limits.set(name, limit);
    this.#sites = drawSites(scale.sites, tenants, parts.random).map((site) => ({
      site,
      nights: [],
      missingCopy: scale.joining === 0 ? 0 : site.first,
      running: undefined,
    }));
    this.#workers = Array.from({ length: scale.workers }, () => ({
      name: this.#workerName(),
      isAway: false,
      runs: new Set<Run>(),
    }));
    const night = Math.floor((scale.nights * 2) / 3);
    this.#absentFrom = (nextRun(readCron(CRON), "Europe/Berlin", BEGIN + night * DAY) ?? BEGIN) + ABSENT_FROM;
  }

  async run(): Promise<void> {
    const { nights, joining } = this.#scale;
    const end = BEGIN + (nights + 1) * DAY;
    for (const [name, limit] of this.#limits) {
      await this.#parts.database.query("INSERT INTO guideferry.tenant VALUES ($1, $2)", [name, limit]);
    }
    for (let night = 0; night < Math.max(1, joining); night += 1) {
      this.#events.plan(BEGIN + night * DAY, () => this.#join(night));
    }
    for (let time = BEGIN + SEND_EVERY; time < BEGIN + nights * DAY; time += SEND_EVERY) {
      this.#events.plan(time, () => this.#send());
    }
    for (let night = 1; night <= nights; night += 1) {
      this.#events.plan(BEGIN + night * DAY - MINUTE, async () => this.#parts.maintain());
      for (const worker of this.#workers) {
        if (this.#parts.random() >= VANISHING) continue;
        const time = BEGIN + (night - this.#parts.random()) * DAY;
        this.#events.plan(time, () => this.#leave([worker], VANISHED_FOR));
      }
    }
    this.#planAbsence();
    for (let event = this.#events.next(); event !== undefined && event.time < end; event = this.#events.next()) {
      this.#now = event.time;
      await event.act();
      await this.#claim();
    }
  }

  #planAbsence(): void {
    if (this.#absence === "a tenth of the workers") {
      const absent = this.#workers.slice(0, Math.max(1, Math.round(this.#workers.length / 10)));
      this.#events.plan(this.#absentFrom, () => this.#leave(absent, ABSENT_FOR));
    }
    if (this.#absence === "Postgres") {
      this.#events.plan(this.#absentFrom, async () => {
        // Each child ends with exit code 75 when its lease has ended; that cannot be stored either.
        for (const { runs } of this.#workers) for (const run of runs) await this.#lose(run);
        this.#isPostgresAway = true;
      });
      this.#events.plan(this.#absentFrom + ABSENT_FOR, async () => {
        this.#isPostgresAway = false;
        this.#mayClaim = true;
        await this.#send();
      });
    }
  }

  /** Registers the sites of a night, as `fleet schedule` does. */
  async #join(night: number): Promise<void> {
    const { sites, joining } = this.#scale;
    const size = Math.ceil(sites / Math.max(1, joining));
    const { database, jobs } = this.#parts;
    await this.#clock();
    await database.transaction(async (queries) => {
      for (const state of this.#sites.slice(night * size, (night + 1) * size)) {
        const task = await insertTask(queries, jobs, taskOf(state.site), this.#now);
        this.#byTask.set(task, state);
        this.#planDue(state, this.#now);
      }
    });
  }

  /** The nights of a site, known without a look at the database. */
  #planDue(state: SiteState, after: number): void {
    const due = nextRun(readCron(CRON), state.site.zone, after);
    if (due === null || due >= BEGIN + this.#scale.nights * DAY) return;
    // Before the call that sends it.
    this.#events.plan(due - 1, () => {
      const isBusy = state.running !== undefined || state.nights.at(-1)?.state === "open";
      state.nights.push({ due, isFirst: state.missingCopy > 0, times: 0, state: isBusy ? "skipped" : "open" });
      this.#planDue(state, due);
    });
  }

  async #send(): Promise<void> {
    if (this.#isPostgresAway) return;
    await this.#clock();
    for (let sends = 0; sends < MOST_SENDS; sends += 1) {
      const sent = await this.#measure("sendDue", () => this.#parts.jobs.sendDue());
      if (sent === 0) break;
      this.#mayClaim = true;
    }
    // As autovacuum does within a minute, which is a real one.
    if (this.#mayClaim) await this.#parts.database.query("ANALYZE guideferry.task, guideferry_jobs.job_common");
  }

  async #claim(): Promise<void> {
    while (this.#mayClaim && !this.#isPostgresAway) {
      const worker = this.#freeWorker();
      if (worker === undefined) return;
      await this.#clock();
      const begun = performance.now();
      const claimed = await this.#parts.jobs.claim(worker.name);
      this.#note(claimed === null ? "claim of nothing" : "claim", performance.now() - begun);
      if (claimed === null) this.#mayClaim = false;
      else await this.#begin(claimed, worker);
    }
  }

  #freeWorker(): SimulatedWorker | undefined {
    for (let tried = 0; tried < this.#workers.length; tried += 1) {
      this.#nextWorker = (this.#nextWorker + 1) % this.#workers.length;
      const worker = this.#workers[this.#nextWorker];
      if (worker !== undefined && !worker.isAway && worker.runs.size < this.#scale.slots) return worker;
    }
    return undefined;
  }

  async #begin(claimed: ClaimedRun, worker: SimulatedWorker): Promise<void> {
    const of = this.#byTask.get(claimed.task);
    const night = of?.nights.findLast(({ state }) => state !== "skipped");
    if (of === undefined || night === undefined) throw new Error(`the run of ${claimed.task} has no night`);
    night.begun ??= this.#now;
    if (night.state === "done") night.times += 1;
    this.#runs += 1;
    const { exitCode, after } = drawEnd(this.#parts.random);
    const whole = of.missingCopy > 0 ? of.missingCopy : of.site.nightly;
    const ends = this.#now + Math.max(1, Math.round(whole * after)) * SECOND;
    const run = { claimed, of, worker, night, begun: this.#now, ends, exitCode };
    this.#checkPlaces(run);
    of.running = run;
    worker.runs.add(run);
    await this.#touch(run, ends);
    this.#events.plan(ends, () => this.#end(run));
  }

  #checkPlaces({ of: { site, running } }: Run): void {
    const limit = this.#limits.get(site.tenant) ?? Number.POSITIVE_INFINITY;
    const others = this.#workers.flatMap(({ runs }) => [...runs]).filter(({ of }) => of.site.tenant === site.tenant);
    if (others.length >= limit) this.#overLimit += 1;
    if (running !== undefined || site.exclusive.some((place) => this.#used.has(place))) this.#overlaps += 1;
    for (const place of site.exclusive) this.#used.add(place);
  }

  async #end(run: Run): Promise<void> {
    if (!this.#forget(run)) return;
    const { of, night, claimed, exitCode } = run;
    await this.#clock();
    const end = { exitCode, words: "", progress: null, summary: null };
    const outcome = await this.#measure("finish", () => this.#parts.jobs.finish(claimed, end));
    this.#mayClaim = true;
    if (outcome === "done") {
      of.missingCopy = 0;
      night.state = "done";
      night.doneAt = this.#now;
      night.times += 1;
    } else if (outcome === "failed") {
      night.state = "failed";
    } else if (outcome === "retry") {
      this.#retries += 1;
      const [job] = await this.#parts.database.query<{ readonly next: number }>(
        "SELECT (extract(epoch FROM start_after) * 1000)::float8 AS next FROM guideferry_jobs.job WHERE id = $1",
        [claimed.job],
      );
      this.#look((job?.next ?? this.#now) + LOOK_EVERY);
    } else {
      this.#lost += 1;
      this.#look(this.#now + HEARTBEAT * SECOND + LOOK_EVERY);
    }
  }

  /** Its worker or the database is gone: nothing tells the queue of its end. */
  async #lose(run: Run): Promise<void> {
    if (!this.#forget(run)) return;
    this.#lost += 1;
    await this.#touch(run, this.#now);
    this.#look(this.#now + HEARTBEAT * SECOND + LOOK_EVERY);
  }

  /** false: it is over already. */
  #forget(run: Run): boolean {
    if (!run.worker.runs.delete(run)) return false;
    run.of.running = undefined;
    for (const place of run.of.site.exclusive) this.#used.delete(place);
    // A first copy goes on with what is not stored yet; a night begins again.
    if (run.of.missingCopy > 0) {
      run.of.missingCopy = Math.max(run.of.site.nightly, run.of.missingCopy - (this.#now - run.begun) / SECOND);
    }
    return true;
  }

  /**
   * The last sign of life of a run before a time. Those before it change nothing, so the run gives
   * this one when it begins, and a run that is lost gives it again at its earlier time. Not by
   * `touch` at that time: pg-boss looks for dead jobs by itself, which must not see a later clock.
   */
  async #touch({ claimed, begun }: Run, end: number): Promise<void> {
    await this.#parts.database.query(
      "UPDATE guideferry_jobs.job SET heartbeat_on = to_timestamp($2::float8 / 1000) WHERE id = $1 AND state = 'active'",
      [claimed.job, end - ((end - begun) % TOUCH_EVERY)],
    );
  }

  async #leave(workers: readonly SimulatedWorker[], time: number): Promise<void> {
    for (const worker of workers) {
      if (worker.isAway) continue;
      worker.isAway = true;
      // Without Postgres they have no run.
      for (const run of worker.runs) await this.#lose(run);
      this.#events.plan(this.#now + time, () => {
        worker.isAway = false;
        worker.name = this.#workerName();
        this.#mayClaim = true;
      });
    }
  }

  #look(time: number): void {
    this.#events.plan(time, () => {
      this.#mayClaim = true;
    });
  }

  #workerName(): string {
    this.#named += 1;
    return `worker${this.#named}`;
  }

  #clock(): Promise<void> {
    return this.#parts.at(this.#now);
  }

  async #measure<Result>(call: string, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    const result = await work();
    this.#note(call, performance.now() - begun);
    return result;
  }

  #note(call: string, milliseconds: number): void {
    const cost = this.#calls.get(call) ?? { count: 0, total: 0, longest: 0 };
    cost.count += 1;
    cost.total += milliseconds;
    cost.longest = Math.max(cost.longest, milliseconds);
    this.#calls.set(call, cost);
  }

  figures(): NightFigures {
    const all = this.#sites.flatMap(({ site, nights }) => nights.map((night) => ({ site, night })));
    const later = all.filter(({ night }) => !night.isFirst);
    const count = (state: Night["state"]): number => later.filter(({ night }) => night.state === state).length;
    const hours = (nights: typeof all): number =>
      nights.reduce((most, { night }) => Math.max(most, ((night.doneAt ?? night.due) - night.due) / HOUR), 0);
    const waits = (nights: typeof all): number =>
      meanOf(nights.flatMap(({ night }) => (night.begun === undefined ? [] : [(night.begun - night.due) / MINUTE])));
    const tenants = new Set(later.map(({ site }) => site.tenant));
    const waitOf = (name: string): number => waits(later.filter(({ site }) => site.tenant === name));
    const equal = [...tenants].filter((name) => name !== LARGE_TENANT).map(waitOf);
    const sorted = equal.toSorted((one, other) => one - other);
    const absent = later.filter(({ night }) => Math.abs(night.due + ABSENT_FROM - this.#absentFrom) < DAY / 2);
    return {
      nights: later.length,
      done: count("done"),
      failed: count("failed"),
      skipped: count("skipped"),
      missing: count("open"),
      late: later.filter(({ night }) => (night.doneAt ?? night.due) - night.due > WINDOW * HOUR).length,
      slowest: hours(later),
      slowestOfAbsence: hours(absent),
      firstCopies: this.#sites.filter(({ missingCopy }) => missingCopy === 0).length,
      slowestFirst: hours(all.filter(({ night }) => night.isFirst)),
      runs: this.#runs,
      retries: this.#retries,
      lost: this.#lost,
      meanWait: waits(later),
      largeWait: waitOf(LARGE_TENANT),
      fairness: (sorted.at(-1) ?? 0) / (sorted[Math.floor(sorted.length / 2)] || 1),
      overLimit: this.#overLimit,
      overlaps: this.#overlaps,
      twice: all.filter(({ night }) => night.times > 1).length,
      calls: this.#calls,
    };
  }
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
