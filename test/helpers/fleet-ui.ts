import { onTestFinished } from "vitest";
import { type FleetDatabase, migrateTables, openDatabase } from "../../src/fleet/database.js";
import { type JobQueue, openJobs } from "../../src/fleet/jobs.js";
import { addTask, type TaskDefinition } from "../../src/fleet/tasks.js";
import { type FleetUiOptions, startFleetUi } from "../../src/fleet/ui.js";
import { emptyDatabase } from "./postgres-server.js";

export interface ShownFleet {
  readonly database: FleetDatabase;
  readonly jobs: JobQueue;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The printed addresses. */
  readonly addresses: readonly string[];
  /** The problems for the terminal. */
  readonly problems: readonly string[];
  /** Adds a task, and returns its id. */
  add(name: string, more?: Partial<TaskDefinition>): Promise<string>;
  /** Stores an ended run; `ago`: hours since its end. */
  ended(task: string, end: { readonly exit?: number; readonly ago?: number; readonly words?: string }): Promise<void>;
}

/** The pages of an empty fleet. Give the test the tag `postgres`. */
export async function shownFleet(options: Partial<FleetUiOptions> = {}, address?: string): Promise<ShownFleet> {
  const database = await openDatabase(address ?? (await emptyDatabase()), { connectTimeout: 2000 });
  await migrateTables(database);
  const jobs = await openJobs(database);
  await jobs.prepare();
  const [addresses, problems]: [string[], string[]] = [[], []];
  const ui = await startFleetUi({
    database,
    jobs,
    explain: (exit) => ({ meaning: `Meaning of ${exit}`, remedy: `Remedy of ${exit}` }),
    port: 0,
    host: "127.0.0.1",
    publicAddress: null,
    token: null,
    announce: (url) => addresses.push(url),
    report: (problem) => problems.push(problem),
    ...options,
  });
  onTestFinished(async () => {
    await ui.close();
    await jobs.close();
    await database.close();
  });
  return {
    database,
    jobs,
    origin: `http://127.0.0.1:${ui.port}`,
    addresses,
    problems,
    add: (name, more) => addTask(database, jobs, definition(name, more)),
    ended: async (task, { exit = 0, ago = 1, words = "" }) => {
      await database.query(
        `INSERT INTO guideferry.run (id, task, job, attempt, worker, started, ended, outcome, exit_code, words)
         VALUES (gen_random_uuid(), $1, gen_random_uuid(), 1, 'worker-1', now() - ($2::float8 + 0.1) * interval '1 hour',
           now() - $2::float8 * interval '1 hour', $3, $4, $5)`,
        [task, ago, exit === 0 ? "done" : "failed", exit, words],
      );
      // Its job has ended too.
      await database.transaction((queries) => jobs.drop(task, queries));
    },
  };
}

function definition(name: string, more: Partial<TaskDefinition> = {}): TaskDefinition {
  return {
    name,
    tenant: "",
    verb: "backup",
    source: `https://${name}.example`,
    target: null,
    words: ["backup", `https://${name}.example`],
    exclusive: [`https://${name}.example`],
    credentials: {},
    priority: 0,
    cron: null,
    timeZone: null,
    managed: false,
    ...more,
  };
}
