import { createServer, type ServerResponse } from "node:http";
import { messageOf, UsageError } from "../core/errors.js";
import type { FleetDatabase } from "./database.js";
import { listTasks, TASK_STATES } from "./tasks.js";
import type { WorkerState } from "./worker.js";

/** Milliseconds without an answer of the database after which a worker is not well. */
const LONGEST_SILENCE = 60_000;

/**
 * Serves `/healthz` (200 while the database answers, else 503) and `/metrics` (Prometheus text
 * format). They hold counts only, no name of a site. Throws UsageError when the port is taken.
 *
 * @param port 0: a free one
 */
export async function serveHealth(
  port: number,
  state: () => WorkerState,
  database: FleetDatabase,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0];
    if (path === "/healthz") return answerHealth(response, state());
    if (path === "/metrics") {
      metrics(state(), database).then(
        (text) => response.setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8").end(text),
        (error: unknown) => answer(response, 503, `${messageOf(error)}\n`),
      );
      return undefined;
    }
    return answer(response, 404, "This port has /healthz and /metrics.\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new UsageError(`The port ${port} for --health-port cannot be used: ${messageOf(cause)}.`, { cause })),
    );
    server.listen(port, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerHealth(response: ServerResponse, { draining, silent, running }: WorkerState): void {
  const isWell = silent < LONGEST_SILENCE;
  const what = draining ? "draining" : isWell ? "ready" : "the database does not answer";
  answer(response, isWell ? 200 : 503, `${what}, ${running} running\n`);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(text);
}

type Samples = readonly (readonly [labels: string, value: number])[];

async function metrics({ slots, running, draining, ended }: WorkerState, database: FleetDatabase): Promise<string> {
  const tasks = await listTasks(database);
  const [age] = await database.query<{ readonly seconds: number }>(
    `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - job.start_after)), 0)::float8 AS seconds
     FROM guideferry_jobs.job JOIN guideferry.task ON task.id::text = job.singleton_key
     WHERE job.state < 'active' AND job.start_after < clock_timestamp() AND NOT task.paused AND NOT task.cancelled`,
  );
  return [
    family("guideferry_worker_slots", "gauge", "Runs that this worker can have at the same time.", [["", slots]]),
    family("guideferry_worker_running", "gauge", "Runs of this worker.", [["", running]]),
    family("guideferry_worker_draining", "gauge", "1 while this worker takes no new task.", [["", draining ? 1 : 0]]),
    family(
      "guideferry_worker_runs_total",
      "counter",
      "Runs of this worker that ended, by command and outcome.",
      [...ended].map(([key, count]) => {
        const [verb, outcome] = key.split(" ");
        return [`{verb="${verb}",outcome="${outcome}"}`, count];
      }),
    ),
    family(
      "guideferry_fleet_tasks",
      "gauge",
      "Tasks of the fleet by state.",
      TASK_STATES.map((state) => [`{state="${state}"}`, tasks.filter((task) => task.state === state).length]),
    ),
    family("guideferry_fleet_oldest_waiting_seconds", "gauge", "Since when the oldest waiting task could start.", [
      ["", age?.seconds ?? 0],
    ]),
  ].join("");
}

function family(name: string, type: "gauge" | "counter", about: string, samples: Samples): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}`);
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}
