import { EXIT, UsageError } from "../core/errors.js";
import { nextRun, readCron } from "./cron.js";
import { type FleetDatabase, FleetDatabaseError, type Queries } from "./database.js";
import { HEARTBEAT, JOB_TABLE, type JobQueue, QUEUE, type RunOutcome } from "./jobs.js";

/** What a task is, without its state: the part that `fleet apply` compares. */
export interface TaskDefinition {
  /** Unique; null: the id alone names it. */
  readonly name: string | null;
  /** Whose limit counts; empty: the tenant without a name. */
  readonly tenant: string;
  readonly verb: string;
  /** The root of the site that is read, or the repository; null: none. */
  readonly source: string | null;
  readonly target: string | null;
  /** The command line without the program: `["backup", "https://a.example", "--to", "s3://…"]`. */
  readonly words: readonly string[];
  /** Sites and repositories that no other run may use meanwhile. */
  readonly exclusive: readonly string[];
  /** References by variable: `{ GUIDEFERRY_SOURCE_TOKEN: "env:A_TOKEN" }`. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The higher one is first. */
  readonly priority: number;
  /** Five fields; null: once. */
  readonly cron: string | null;
  /** An IANA name; null without `cron`. */
  readonly timeZone: string | null;
  /** It comes from a file of `fleet apply`, which also removes it. */
  readonly managed: boolean;
}

export const TASK_STATES = [
  "waiting",
  "running",
  "retrying",
  "paused",
  "scheduled",
  "done",
  "failed",
  "cancelled",
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** A task as `fleet list` shows it. Times are ISO 8601. */
export interface TaskView extends TaskDefinition {
  readonly id: string;
  readonly state: TaskState;
  /** Of the last run; 0: none yet. */
  readonly attempt: number;
  /** The exit code of the last run that ended; null: none, or a signal ended it. */
  readonly exit: number | null;
  /** The worker of the running or the last run. */
  readonly worker: string | null;
  readonly progress: Readonly<Record<string, unknown>> | null;
  /** The last message of the last run. */
  readonly message: string | null;
  readonly run: string | null;
  readonly started: string | null;
  readonly ended: string | null;
  /** The end of the last run that was done. */
  readonly lastDone: string | null;
  /** The next time of its schedule, or of its next attempt. */
  readonly next: string | null;
}

/** One attempt of a task. */
interface RunView {
  readonly id: string;
  readonly attempt: number;
  readonly worker: string;
  readonly started: string;
  readonly ended: string | null;
  readonly exit: number | null;
  readonly outcome: RunOutcome | null;
  readonly message: string | null;
}

const COLUMNS = `task.id, task.name, task.tenant, task.verb, task.source, task.target, task.words, task.exclusive,
  task.credentials, task.priority, task.cron, task.time_zone AS "timeZone", task.managed`;

/** ISO 8601 in UTC, to the second. */
function isoTime(column: string, name: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "${name}"`;
}

const STATE = `CASE
  WHEN job.state = 'active' THEN 'running'
  WHEN task.cancelled THEN 'cancelled'
  WHEN task.paused THEN 'paused'
  WHEN job.id IS NOT NULL AND job.start_after > clock_timestamp() THEN 'retrying'
  WHEN job.id IS NOT NULL THEN 'waiting'
  WHEN last.outcome = 'failed' THEN 'failed'
  WHEN task.cron IS NOT NULL THEN 'scheduled'
  ELSE 'done' END`;

const VIEW = `
  SELECT ${COLUMNS}, ${STATE} AS state, coalesce(last.attempt, 0) AS attempt, last.exit_code AS exit,
    last.worker, last.progress, last.words AS message, last.id AS run,
    ${isoTime("last.started", "started")}, ${isoTime("last.ended", "ended")},
    ${isoTime("(SELECT max(run.ended) FROM guideferry.run WHERE run.task = task.id AND run.outcome = 'done')", "lastDone")},
    ${isoTime("CASE WHEN job.start_after > clock_timestamp() THEN job.start_after ELSE task.next_run END", "next")}
  FROM guideferry.task
  LEFT JOIN ${JOB_TABLE} ON job.name = '${QUEUE}' AND job.singleton_key = task.id::text AND job.state <= 'active'
  LEFT JOIN LATERAL (
    SELECT * FROM guideferry.run WHERE run.task = task.id ORDER BY run.started DESC LIMIT 1
  ) AS last ON true`;

/** All tasks, the oldest first. */
export function listTasks(queries: Queries): Promise<readonly TaskView[]> {
  return queries.query<TaskView>(`${VIEW} ORDER BY task.created, task.id`);
}

/** The number of tasks in each state that any is in. */
export async function countTasks(queries: Queries): Promise<ReadonlyMap<TaskState, number>> {
  const rows = await queries.query<{ readonly state: TaskState; readonly count: number }>(
    `SELECT state, count(*)::int AS count FROM (${VIEW}) AS view GROUP BY state`,
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/**
 * The task of a name, an id, or the first eight characters of an id.
 *
 * @throws FleetDatabaseError (exit 10) when there is none, UsageError when there are several
 */
export async function findTask(queries: Queries, named: string): Promise<TaskView> {
  const found = await queries.query<TaskView>(
    `${VIEW} WHERE task.name = $1 OR task.id::text = lower($1) OR (length($1) >= 8 AND task.id::text LIKE lower($2)) LIMIT 2`,
    [named, `${named.replaceAll(/[%_\\]/g, "")}%`],
  );
  const [task, other] = found;
  if (task === undefined) {
    throw new FleetDatabaseError(`The fleet has no task ${named}. guideferry fleet list shows names and ids.`, {
      exitCode: EXIT.notFound,
    });
  }
  if (other !== undefined) throw new UsageError(`Several tasks begin with ${named}. Give the whole id or the name.`);
  return task;
}

/** The runs of a task, the newest first. */
export function runsOf(queries: Queries, task: string): Promise<readonly RunView[]> {
  return queries.query<RunView>(
    `SELECT id, attempt, worker, exit_code AS exit, outcome, words AS message,
       ${isoTime("started", "started")}, ${isoTime("ended", "ended")}
     FROM guideferry.run WHERE task = $1 ORDER BY run.started DESC LIMIT 50`,
    [task],
  );
}

/** The lines that a run printed, as far as they were kept. */
export async function logOf(queries: Queries, run: string): Promise<string> {
  const parts = await queries.query<{ readonly lines: string }>(
    "SELECT lines FROM guideferry.run_log WHERE run = $1 ORDER BY position",
    [run],
  );
  return parts.map(({ lines }) => lines).join("");
}

/**
 * Adds a task, and queues its first run unless it has a schedule. Returns its id.
 *
 * @throws UsageError when another task has the name
 */
export async function addTask(database: FleetDatabase, jobs: JobQueue, task: TaskDefinition): Promise<string> {
  const now = await database.now();
  return database.transaction((queries) => insertTask(queries, jobs, task, now));
}

/** As `addTask`, in a transaction; `now`: milliseconds since 1970. */
export async function insertTask(queries: Queries, jobs: JobQueue, task: TaskDefinition, now: number): Promise<string> {
  await queries.query("INSERT INTO guideferry.tenant (name) VALUES ($1) ON CONFLICT DO NOTHING", [task.tenant]);
  const [row] = await queries.query<{ readonly id: string }>(
    `INSERT INTO guideferry.task (name, tenant, verb, source, target, words, exclusive, credentials, priority, cron, time_zone, managed, next_run)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13::float8 / 1000))
     ON CONFLICT (name) DO NOTHING RETURNING id`,
    [...valuesOf(task), firstTime(task, now)],
  );
  if (row === undefined) {
    throw new UsageError(
      `The fleet has a task ${task.name ?? ""} already. Choose another --task-name, or end that one: guideferry fleet cancel ${task.name ?? ""}`,
    );
  }
  if (task.cron === null) await jobs.send(row.id, queries);
  return row.id;
}

/** Replaces the definition of a task; its state, its runs and its queued job stay. */
export async function updateTask(queries: Queries, id: string, task: TaskDefinition, now: number): Promise<void> {
  await queries.query("INSERT INTO guideferry.tenant (name) VALUES ($1) ON CONFLICT DO NOTHING", [task.tenant]);
  await queries.query(
    `UPDATE guideferry.task SET name = $1, tenant = $2, verb = $3, source = $4, target = $5, words = $6, exclusive = $7,
       credentials = $8, priority = $9, cron = $10, time_zone = $11, managed = $12,
       next_run = to_timestamp($13::float8 / 1000) WHERE id = $14`,
    [...valuesOf(task), firstTime(task, now), id],
  );
}

function valuesOf(task: TaskDefinition): readonly unknown[] {
  const { name, tenant, verb, source, target, exclusive, credentials, priority, cron, timeZone, managed } = task;
  // pg writes an array as an array of Postgres: the words are JSON.
  const words = JSON.stringify(task.words);
  return [name, tenant, verb, source, target, words, [...exclusive], credentials, priority, cron, timeZone, managed];
}

function firstTime({ cron, timeZone }: TaskDefinition, now: number): number | null {
  return cron === null ? null : nextRun(readCron(cron), timeZone ?? "UTC", now);
}

/** Ends the task after its running attempt, and its schedule. `retryTask` brings both back. */
export async function cancelTask(database: FleetDatabase, jobs: JobQueue, task: string): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query("UPDATE guideferry.task SET cancelled = true WHERE id = $1", [task]);
    if (!(await askToStop(queries, task, "cancel"))) await jobs.drop(task, queries);
  });
}

/** Stops a running attempt, and starts no other one until `resumeTask`. */
export async function pauseTask(database: FleetDatabase, task: string): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query("UPDATE guideferry.task SET paused = true WHERE id = $1", [task]);
    await askToStop(queries, task, "pause");
  });
}

/** What was paused goes on; a schedule begins with its next time. */
export async function resumeTask(database: FleetDatabase, task: string): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query("UPDATE guideferry.task SET paused = false WHERE id = $1", [task]);
    await queries.query("UPDATE guideferry.lease SET wanted = NULL WHERE task = $1", [task]);
  });
}

/**
 * Queues a run now, also of a task that failed, was cancelled or waits for its next attempt. false:
 * it runs already.
 */
export async function retryTask(database: FleetDatabase, jobs: JobQueue, task: string): Promise<boolean> {
  return database.transaction(async (queries) => {
    const open = await queries.query(
      "SELECT FROM guideferry.run WHERE task = $1 AND ended IS NULL AND wanted IS NULL",
      [task],
    );
    await queries.query("UPDATE guideferry.task SET cancelled = false, paused = false WHERE id = $1", [task]);
    await queries.query("UPDATE guideferry.lease SET wanted = NULL WHERE task = $1", [task]);
    if (open.length > 0) return false;
    await jobs.drop(task, queries);
    return jobs.send(task, queries);
  });
}

/**
 * Removes a task with its runs, logs and stored state; its backups stay. A running attempt ends.
 * Workers remove its objects and workspaces later.
 */
export async function removeTask(queries: Queries, jobs: Pick<JobQueue, "drop">, task: string): Promise<void> {
  await jobs.drop(task, queries);
  await queries.query("DELETE FROM guideferry.task WHERE id = $1", [task]);
  await queries.query("INSERT INTO guideferry.removed_task (id) VALUES ($1) ON CONFLICT DO NOTHING", [task]);
}

/** Removes runs of more than 90 days ago, but of each task the last one of each outcome. */
export async function removeOldRuns(queries: Queries): Promise<void> {
  await queries.query(
    `DELETE FROM guideferry.run WHERE ended < clock_timestamp() - interval '90 days' AND EXISTS (
       SELECT FROM guideferry.run AS later
       WHERE later.task = run.task AND later.outcome = run.outcome AND later.started > run.started)`,
  );
}

/** A worker that is alive, or was until a day ago. */
interface WorkerView {
  readonly name: string;
  readonly version: string;
  readonly slots: number;
  readonly running: number;
  readonly draining: boolean;
  readonly alive: boolean;
  readonly seen: string;
}

export function listWorkers(queries: Queries): Promise<readonly WorkerView[]> {
  return queries.query<WorkerView>(
    `SELECT name, version, slots, draining, seen > clock_timestamp() - ${HEARTBEAT} * interval '1 second' AS alive,
       (SELECT count(*)::int FROM guideferry.run WHERE run.worker = worker.name AND run.ended IS NULL) AS running,
       ${isoTime("seen", "seen")}
     FROM guideferry.worker ORDER BY name`,
  );
}

/** Asks a worker to stop its children and to end; others take over. Throws for unknown names. */
export async function drainWorker(database: FleetDatabase, name: string): Promise<void> {
  await database.transaction(async (queries) => {
    const found = await queries.query("UPDATE guideferry.worker SET draining = true WHERE name = $1 RETURNING name", [
      name,
    ]);
    if (found.length === 0) {
      throw new FleetDatabaseError(
        `The fleet has no worker ${name}. guideferry fleet list --workers shows the names.`,
        {
          exitCode: EXIT.notFound,
        },
      );
    }
    const open = await queries.query<{ readonly task: string }>(
      "SELECT task FROM guideferry.run WHERE worker = $1 AND ended IS NULL",
      [name],
    );
    for (const { task } of open) await askToStop(queries, task, "drain");
  });
}

/** false: it does not run. The child learns it from the renewal of its lease, or by its worker. */
async function askToStop(queries: Queries, task: string, wanted: "pause" | "cancel" | "drain"): Promise<boolean> {
  const open = await queries.query(
    "UPDATE guideferry.run SET wanted = $2 WHERE task = $1 AND ended IS NULL RETURNING id",
    [task, wanted],
  );
  await queries.query("UPDATE guideferry.lease SET wanted = $2 WHERE task = $1 AND until > clock_timestamp()", [
    task,
    wanted,
  ]);
  return open.length > 0;
}
