import { randomUUID } from "node:crypto";
import type * as Boss from "pg-boss";
import { EXIT, UsageError } from "../core/errors.js";
import { nextRun, readCron } from "./cron.js";
import { type FleetDatabase, isMissingPackage, type Queries } from "./database.js";

/** How a run ended. `lost`: the worker died, or another one took the task over. */
export type RunOutcome = "done" | "retry" | "failed" | "stopped" | "lost";

/** A run that this worker may start now. */
export interface ClaimedRun {
  readonly run: string;
  readonly job: string;
  readonly task: string;
  readonly attempt: number;
  readonly verb: string;
  readonly words: readonly string[];
  readonly credentials: Readonly<Record<string, string>>;
}

/** The end of a child. */
export interface RunEnd {
  /** null: a signal ended it. */
  readonly exitCode: number | null;
  /** It was asked to stop, which is no failure. Default false. */
  readonly asked?: boolean;
  /** The last message, for the list of failures. */
  readonly words: string;
  readonly progress: object | null;
  readonly summary: object | null;
}

/** The jobs of a fleet. Every method throws FleetDatabaseError. */
export interface JobQueue {
  /** Creates the tables of the queue; needs the right to create in the database. */
  prepare(): Promise<void>;
  /** Queues a task; false: it is already queued or runs. */
  send(task: string, queries?: Queries): Promise<boolean>;
  /** Queues the tasks whose time has come, each once, and returns how many. */
  sendDue(): Promise<number>;
  /** The next run for a worker; null: none may start. */
  claim(worker: string): Promise<ClaimedRun | null>;
  /** Tells the queue that these jobs are alive. */
  touch(jobs: readonly string[]): Promise<void>;
  /** Stores the end of a run, and decides what follows. `lost`: the run was another's already. */
  finish(claimed: ClaimedRun, end: RunEnd): Promise<RunOutcome>;
  /** Gives the queued jobs of tasks the priorities that the tasks have now. */
  rank(tasks: readonly string[], queries: Queries): Promise<void>;
  /** Removes the queued or running job of a task. */
  drop(task: string, queries: Queries): Promise<void>;
  close(): Promise<void>;
}

export const QUEUE = "run";
export const JOB_TABLE = "guideferry_jobs.job";

/** Seconds without a sign of life after which a job is another's. The lease is shorter. */
export const HEARTBEAT = 10;
/** The same for a job whose lease has ended: its command writes nothing any more. */
const HEARTBEAT_WITHOUT_LEASE = 5;
const DAY = 24 * 60 * 60;
/** The priority of a job while a claim takes it; those of tasks are at most 1000. */
const CHOSEN = 1_000_000;
/** Jobs that are looked at in one query: mostly the first one may start. */
const PAGE = 50;

/** What an exit code means for the task: docs/guide/run-on-many-machines.md says it too. */
const TEMPORARY: ReadonlySet<number> = new Set([
  EXIT.stopped,
  EXIT.safetyLimit,
  EXIT.unreachable,
  EXIT.locked,
  EXIT.hangUp,
  EXIT.interrupted,
  EXIT.terminated,
]);
const DONE: ReadonlySet<number> = new Set([EXIT.ok, EXIT.someFailed, EXIT.planHasChanges, EXIT.losses]);
/** Attempts after which a temporary failure, and a defect, is final. */
const MOST_ATTEMPTS = 12;
const MOST_DEFECTS = 3;
const FIRST_DELAY = 30;
/** A signal is no state of a site, so nothing has to get better first. */
const FIRST_DELAY_AFTER_SIGNAL = 4;
const LONGEST_DELAY = 60 * 60;

/** What follows a run that ended by itself at its `attempt`, counted from 1. */
export function outcomeOfExit(exitCode: number | null, attempt: number): RunOutcome {
  if (exitCode === EXIT.leaseLost) return "lost";
  if (exitCode !== null && DONE.has(exitCode)) return "done";
  if (exitCode === null || TEMPORARY.has(exitCode)) return attempt < MOST_ATTEMPTS ? "retry" : "failed";
  if (exitCode === EXIT.unexpected) return attempt < MOST_DEFECTS ? "retry" : "failed";
  return "failed";
}

/**
 * Seconds before the next attempt: doubled each time, and spread so that not all come at once.
 *
 * @param exitCode of the last run; null: a signal ended it
 */
export function retryDelay(attempt: number, exitCode: number | null, random: () => number = Math.random): number {
  const first = exitCode === null ? FIRST_DELAY_AFTER_SIGNAL : FIRST_DELAY;
  const full = Math.min(LONGEST_DELAY, first * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * random());
}

interface QueueOptions {
  /** Milliseconds since 1970; default: the server's clock. */
  readonly now?: () => Promise<number>;
  readonly delay?: typeof retryDelay;
}

/** Opens the queue without a look at its tables. Throws UsageError without the package pg-boss. */
export async function openJobs(database: FleetDatabase, options: QueueOptions = {}): Promise<JobQueue> {
  const { now = database.now, delay = retryDelay } = options;
  const { PgBoss } = await loadPackage();
  const settings = { db: sqlOf(database), schema: "guideferry_jobs", schedule: false, reindex: false } as const;
  let started: Promise<Boss.PgBoss> | undefined;
  const boss = (): Promise<Boss.PgBoss> => {
    started ??= start(new PgBoss({ ...settings, migrate: false, createSchema: false }));
    // A server that was away must not end the queue for good.
    started.catch(() => {
      started = undefined;
    });
    return started;
  };
  const send = async (tasks: readonly string[], queries: Queries): Promise<number> => {
    if (tasks.length === 0) return 0;
    const known = await queries.query<{ readonly task: string; readonly priority: number }>(
      "SELECT id AS task, priority FROM guideferry.task WHERE id = ANY($1::uuid[])",
      [tasks],
    );
    const jobs = known.map(({ task, priority }) => ({ data: { task }, singletonKey: task, priority }));
    const ids = await (await boss()).insert(QUEUE, jobs, { db: sqlOf(queries), returnId: true });
    return ids?.length ?? 0;
  };
  return {
    prepare: async () => {
      const creator = await start(new PgBoss({ ...settings, supervise: false }));
      try {
        // `exclusive`: a task has at most one job that waits or runs. Whether two tasks may run at
        // the same time depends on more than one key (a pair has two sites), so the claim decides.
        if ((await creator.getQueue(QUEUE)) === null) await creator.createQueue(QUEUE, { policy: "exclusive" });
        await creator.updateQueue(QUEUE, {
          // `outcomeOfExit` decides about the end; a job of a dead worker always comes back.
          retryLimit: 1_000_000,
          retryDelay: 0,
          heartbeatSeconds: HEARTBEAT,
          expireInSeconds: DAY - 1,
          // A paused job may wait for long.
          retentionSeconds: 365 * DAY,
          deleteAfterSeconds: 7 * DAY,
        });
      } finally {
        await creator.stop({ graceful: false, close: false });
      }
    },
    send: async (task, queries = database) => (await send([task], queries)) === 1,
    sendDue: async () => {
      const at = await now();
      return database.transaction(async (queries) => send(await takeDue(queries, at), queries));
    },
    claim: async (worker) => {
      const queue = await boss();
      return database.transaction((queries) => claim(queries, queue, worker));
    },
    touch: async (jobs) => {
      if (jobs.length > 0) await (await boss()).touch(QUEUE, [...jobs]);
    },
    finish: async (claimed, end) => {
      const queue = await boss();
      return database.transaction((queries) => finish(queries, queue, claimed, end, delay));
    },
    rank: async (tasks, queries) => rank(queries, await boss(), "job.singleton_key = ANY($2::text[])", tasks),
    drop: async (task, queries) => {
      const ids = await queries.query<{ readonly id: string }>(
        `SELECT id FROM ${JOB_TABLE} WHERE name = $1 AND singleton_key = $2 AND state <= 'active'`,
        [QUEUE, task],
      );
      const jobs = ids.map(({ id }) => id);
      if (jobs.length > 0) await (await boss()).cancel(QUEUE, jobs, { db: sqlOf(queries) });
    },
    close: async () => {
      await (await started?.catch(() => undefined))?.stop({ graceful: false, close: false });
    },
  };
}

/** pg-boss on our connections: one pool, one TLS setting, and one transaction with our tables. */
function sqlOf(queries: Queries): Boss.Db {
  return {
    // Several statements at once have no rows.
    executeSql: async (text, values = []) => ({ rows: [...((await queries.query<object>(text, values)) ?? [])] }),
  };
}

async function start(boss: Boss.PgBoss): Promise<Boss.PgBoss> {
  // Its own maintenance repeats what failed; a job that fails throws where it is used.
  boss.on("error", () => undefined);
  await boss.start();
  return boss;
}

async function loadPackage(): Promise<Pick<typeof Boss, "PgBoss">> {
  try {
    return await import("pg-boss");
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw new UsageError(
      "A fleet needs the packages pg and pg-boss, and pg-boss is not installed. Install them next to guideferry: npm install pg pg-boss@~12.30.0 " +
        "(for a global installation: npm install --global pg pg-boss@~12.30.0). Then run the same command again.",
      { cause },
    );
  }
}

interface DueTask {
  readonly id: string;
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
}

/**
 * The tasks whose time has come, each with its next time set. Times that passed while no worker ran
 * count as one.
 */
async function takeDue(queries: Queries, at: number): Promise<readonly string[]> {
  const due = await queries.query<DueTask>(
    `SELECT id, cron, time_zone AS zone, paused FROM guideferry.task
     WHERE next_run <= to_timestamp($1::float8 / 1000) AND NOT cancelled
     ORDER BY next_run LIMIT 500 FOR UPDATE SKIP LOCKED`,
    [at],
  );
  const next = due.map(({ cron, zone }) => nextRun(readCron(cron), zone, at));
  await queries.query(
    `UPDATE guideferry.task SET next_run = to_timestamp(given.next / 1000)
     FROM unnest($1::uuid[], $2::float8[]) AS given (id, next) WHERE task.id = given.id`,
    [due.map(({ id }) => id), next],
  );
  return due.filter(({ paused }) => !paused).map(({ id }) => id);
}

interface ActiveJob {
  readonly id: string;
  readonly task: string;
  readonly tenant: string;
  readonly exclusive: readonly string[];
  readonly stale: boolean;
}

interface WaitingJob {
  readonly id: string;
  readonly task: string;
  readonly exclusive: readonly string[];
}

/**
 * One claim at a time in the whole fleet, so that limits and exclusive sites hold exactly. pg-boss
 * has one key for a job, and a pair of sites needs two; so the choice is made here, and the chosen
 * job, which gets a priority above all others, is then fetched.
 */
async function claim(queries: Queries, boss: Boss.PgBoss, worker: string): Promise<ClaimedRun | null> {
  await queries.query("SELECT pg_advisory_xact_lock(hashtext('guideferry.claim'))");
  const db = sqlOf(queries);
  const active = await queries.query<ActiveJob>(
    `SELECT job.id, task.id AS task, task.tenant, task.exclusive,
            job.heartbeat_on + interval '1 second' * CASE
              WHEN (SELECT until < clock_timestamp() FROM guideferry.lease WHERE lease.task = task.id) THEN $3::float8
              ELSE $2::float8 END < clock_timestamp() AS stale
     FROM ${JOB_TABLE}, ${taskOf("job.singleton_key::uuid")}
     WHERE job.name = $1 AND job.policy = 'exclusive' AND job.state = 'active'`,
    [QUEUE, HEARTBEAT, HEARTBEAT_WITHOUT_LEASE],
  );
  const stale = active.filter((job) => job.stale);
  if (stale.length > 0) {
    await boss.fail(
      QUEUE,
      stale.map(({ id }) => id),
      null,
      { db },
    );
    await endLostRuns(
      queries,
      stale.map(({ task }) => task),
    );
  }
  // Those that came back after a claim.
  await rank(queries, boss, "job.priority >= $2", CHOSEN);
  const running = active.filter((job) => !job.stale);
  const leased = await queries.query<{ readonly exclusive: readonly string[] }>(
    `SELECT task.exclusive FROM guideferry.lease, ${taskOf("lease.task")} WHERE lease.until > clock_timestamp()`,
  );
  const chosen = await choose(queries, running, new Set([...running, ...leased].flatMap(({ exclusive }) => exclusive)));
  if (chosen === null) return null;
  await boss.update(QUEUE, undefined, { id: chosen.id, priority: CHOSEN, db });
  const [job] = await boss.fetch(QUEUE, { minPriority: CHOSEN, db });
  if (job?.id !== chosen.id) return null;
  // A run of the same job whose worker was declared dead by the queue itself.
  await endLostRuns(queries, [chosen.task]);
  const [claimed] = await queries.query<ClaimedRun>(
    `WITH begun AS (
       INSERT INTO guideferry.run (id, task, job, attempt, worker)
       SELECT $1::uuid, $2::uuid, $3::uuid, count(*) + 1, $4 FROM guideferry.run WHERE job = $3 AND outcome IN ('retry', 'lost')
       RETURNING *)
     SELECT begun.id AS run, begun.job, begun.task, begun.attempt, task.verb, task.words, task.credentials
     FROM begun JOIN guideferry.task ON task.id = begun.task`,
    [randomUUID(), chosen.task, chosen.id, worker],
  );
  return claimed ?? null;
}

/**
 * The first waiting job, by priority and age, whose tenant is below its limit and whose sites are
 * free. One that waits for a site keeps it from those behind it, so that no pair waits for ever.
 * Ids of jobs are random, which is fair to tenants whose tasks are due at the same time.
 */
async function choose(queries: Queries, running: readonly ActiveJob[], taken: Set<string>): Promise<WaitingJob | null> {
  const limits = await queries.query<{ readonly name: string; readonly most: number }>(
    "SELECT name, most_running AS most FROM guideferry.tenant WHERE most_running IS NOT NULL",
  );
  const full = limits.filter(({ name, most }) => running.filter(({ tenant }) => tenant === name).length >= most);
  for (let skipped = 0; ; skipped += PAGE) {
    const waiting = await queries.query<WaitingJob>(
      `SELECT job.id, task.id AS task, task.exclusive
       FROM ${JOB_TABLE} JOIN guideferry.task ON task.id = job.singleton_key::uuid
       WHERE job.name = $1 AND job.state < 'active' AND NOT job.blocked AND job.start_after <= now()
         AND NOT task.paused AND NOT task.cancelled AND task.tenant <> ALL($2::text[])
       ORDER BY job.priority DESC, job.created_on, job.id LIMIT $3 OFFSET $4`,
      [QUEUE, full.map(({ name }) => name), PAGE, skipped],
    );
    for (const job of waiting) {
      if (job.exclusive.every((place) => !taken.has(place))) return job;
      for (const place of job.exclusive) taken.add(place);
    }
    if (waiting.length < PAGE) return null;
  }
}

/**
 * The task of a few rows, by its index: the planner would rather read all tasks, which takes ten
 * times as long when they are in memory.
 */
function taskOf(id: string): string {
  return `LATERAL (SELECT * FROM guideferry.task WHERE task.id = ${id} OFFSET 0) AS task`;
}

/** Gives waiting jobs the priorities of their tasks, by which an index orders them. */
async function rank(queries: Queries, boss: Boss.PgBoss, which: string, value: unknown): Promise<void> {
  const jobs = await queries.query<{ readonly id: string; readonly priority: number }>(
    `SELECT job.id, task.priority FROM ${JOB_TABLE}, ${taskOf("job.singleton_key::uuid")}
     WHERE job.name = $1 AND job.state < 'active' AND NOT job.blocked AND ${which}`,
    [QUEUE, value],
  );
  const db = sqlOf(queries);
  for (const { id, priority } of jobs) await boss.update(QUEUE, undefined, { id, priority, db });
}

async function endLostRuns(queries: Queries, tasks: readonly string[]): Promise<void> {
  await queries.query(
    `UPDATE guideferry.run SET ended = clock_timestamp(), outcome = 'lost',
       words = coalesce(words, 'The worker gave no sign of life; another one goes on.')
     WHERE task = ANY($1::uuid[]) AND ended IS NULL`,
    [tasks],
  );
}

async function finish(
  queries: Queries,
  boss: Boss.PgBoss,
  { run, job }: ClaimedRun,
  end: RunEnd,
  delay: typeof retryDelay,
): Promise<RunOutcome> {
  const [open] = await queries.query<{ readonly wanted: string | null; readonly ended: boolean }>(
    "SELECT wanted, ended IS NOT NULL AS ended FROM guideferry.run WHERE id = $1 FOR UPDATE",
    [run],
  );
  if (open === undefined || open.ended) return "lost";
  const [{ failures = 0, own = 0 } = {}] = await queries.query<{ readonly failures: number; readonly own: number }>(
    `SELECT count(*)::int AS failures, (count(*) FILTER (WHERE outcome = 'retry'))::int AS own
     FROM guideferry.run WHERE job = $1 AND outcome IN ('retry', 'lost')`,
    [job],
  );
  const byItself = outcomeOfExit(end.exitCode, failures + 1);
  // A child that was asked to stop has done what it was asked for.
  const isAsked = open.wanted !== null || end.asked === true;
  const outcome = isAsked && byItself === "retry" ? "stopped" : byItself;
  await queries.query(
    `UPDATE guideferry.run SET ended = clock_timestamp(), outcome = $2, exit_code = $3, words = $4,
       progress = coalesce($5, progress), summary = $6 WHERE id = $1`,
    [run, outcome, end.exitCode, end.words, end.progress, end.summary],
  );
  const db = sqlOf(queries);
  // Whoever has the job now decides about it; it comes back when its heartbeat has ended.
  if (outcome === "lost") return outcome;
  if (outcome === "done" || outcome === "failed") {
    // Also one that the queue itself took for dead, while its run went on.
    await boss.complete(QUEUE, job, { run, outcome }, { db, includeQueued: true });
  } else if (open.wanted === "cancel") {
    await boss.cancel(QUEUE, job, { db });
  } else {
    await boss.fail(QUEUE, job, { run, outcome }, { db });
    if (outcome === "retry") {
      // That a worker died says nothing about the site.
      await boss.update(QUEUE, undefined, { id: job, startAfter: delay(own + 1, end.exitCode), db });
    }
  }
  return outcome;
}
