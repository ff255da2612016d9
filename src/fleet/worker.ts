import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { hostname } from "node:os";
import { messageOf, UsageError } from "../core/errors.js";
import type { Child, StartChild } from "./child.js";
import type { FleetDatabase } from "./database.js";
import { type ClaimedRun, HEARTBEAT, type JobQueue, type RunEnd, type RunOutcome } from "./jobs.js";
import { countTasks, TASK_STATES } from "./tasks.js";

interface WorkerOptions {
  readonly database: FleetDatabase;
  readonly jobs: JobQueue;
  readonly start: StartChild;
  /** Removes old runs and what removed tasks left, at the start and each hour, until the signal. */
  readonly tidy: (stop: AbortSignal) => Promise<void>;
  readonly version: string;
  /** Runs at the same time. */
  readonly slots: number;
  /** Milliseconds that running children get after `stop` before they are asked to stop. */
  readonly drainTimeout: number;
  /** Takes no new job from now on, and ends when its children have ended. */
  readonly stop: AbortSignal;
  /** Ends the children at once. */
  readonly abort: AbortSignal;
  readonly say: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** What the health page and the metrics show. */
interface WorkerState {
  readonly name: string;
  readonly slots: number;
  readonly running: number;
  readonly draining: boolean;
  /** Milliseconds since the database last answered. */
  readonly silent: number;
  /** Ended runs by `verb outcome`. */
  readonly ended: ReadonlyMap<string, number>;
}

/** Milliseconds between two looks for work and wishes. */
const LOOK_EVERY = 1000;
/** Milliseconds between two signs of life of a job and of the worker; a fifth of the heartbeat. */
const TOUCH_EVERY = (HEARTBEAT / 5) * 1000;
/** Milliseconds between two writes of progress and log of a run. */
const STORE_EVERY = 2000;
/**
 * Seconds after the end of its lease within which a child ends by itself, also one that still
 * sends notices. One that does not is paused: it writes nothing any more, and keeps its task from
 * others.
 */
const ENDS_WITHIN = 60;
/** Milliseconds that a child has to end after it was asked to; it gives its own work 30 s. */
const STOP_WITHIN = 45_000;
const TIDY_EVERY = 60 * 60 * 1000;
/**
 * Milliseconds after which a run is stopped and continued as a new one: the queue takes a job that
 * runs for a day for dead.
 */
const LONGEST_RUN = 23 * 60 * 60 * 1000;

/** What the database knows of a run. */
interface StoredRun {
  readonly id: string;
  readonly wanted: boolean;
  readonly ended: boolean;
  /** Its lease has ended, and it has not. */
  readonly silent: boolean;
}

/** A process that fetches jobs, starts their commands and stores how they ended. */
export class Worker {
  readonly name = `${hostname()}-${process.pid}-${randomBytes(2).toString("hex")}`;
  readonly #options: WorkerOptions;
  readonly #runs = new Map<string, RunningTask>();
  readonly #ended = new Map<string, number>();
  #draining = false;
  #isAway = false;
  #answered = performance.now();
  #touched = Number.NEGATIVE_INFINITY;
  #tidied = Number.NEGATIVE_INFINITY;
  #tidying: Promise<void> = Promise.resolve();
  readonly #over = new AbortController();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get state(): WorkerState {
    return {
      name: this.name,
      slots: this.#options.slots,
      running: this.#runs.size,
      draining: this.#draining,
      silent: performance.now() - this.#answered,
      ended: this.#ended,
    };
  }

  /** Works until it is drained: by `stop`, or by `fleet drain`. Throws when it cannot register. */
  async run(): Promise<void> {
    const { database, version, slots, stop, abort, say, warn } = this.#options;
    await database.query("DELETE FROM guideferry.worker WHERE seen < clock_timestamp() - interval '1 day'");
    await database.query("INSERT INTO guideferry.worker (name, version, slots) VALUES ($1, $2, $3)", [
      this.name,
      version,
      slots,
    ]);
    say(`The worker ${this.name} is ready, for ${slots} runs at the same time.`);
    const onStop = (): void => this.#drain(this.#options.drainTimeout, "A signal asks this worker to end.");
    const onAbort = (): void => this.#drain(0, "A second signal ends the runs at once.");
    if (stop.aborted) onStop();
    stop.addEventListener("abort", onStop, { once: true });
    abort.addEventListener("abort", onAbort, { once: true });
    try {
      while (!this.#draining || this.#runs.size > 0) {
        await this.#look().then(
          () => this.#note(true),
          (error: unknown) => {
            if (!this.#isAway) warn(`${messageOf(error)} The worker tries again until the database answers.`);
            this.#note(false);
          },
        );
        await this.#pause();
      }
    } finally {
      stop.removeEventListener("abort", onStop);
      abort.removeEventListener("abort", onAbort);
      this.#over.abort();
      await this.#tidying;
      // Without the database, the row is removed after a day.
      await database.query("DELETE FROM guideferry.worker WHERE name = $1", [this.name]).catch(() => undefined);
    }
    say("The worker has ended: no run is left.");
  }

  #note(answers: boolean): void {
    this.#isAway = !answers;
    if (answers) this.#answered = performance.now();
  }

  /** Until the next look, or until a run or the worker has to end. */
  async #pause(): Promise<void> {
    const { stop } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, LOOK_EVERY);
    });
    if (!stop.aborted) stop.addEventListener("abort", wake, { once: true });
    await Promise.race([woken, ...[...this.#runs.values()].map(({ finished }) => finished)]);
    stop.removeEventListener("abort", wake);
    clearTimeout(timer);
  }

  async #look(): Promise<void> {
    const { jobs } = this.#options;
    await this.#touch();
    await this.#obey();
    if (this.#draining) return;
    this.#tidy();
    await jobs.sendDue();
    while (this.#runs.size < this.#options.slots && !this.#draining) {
      const claimed = await jobs.claim(this.name);
      if (claimed === null) return;
      this.#begin(claimed);
    }
  }

  /** Beside the runs: a task may have left many objects. */
  #tidy(): void {
    if (performance.now() - this.#tidied < TIDY_EVERY) return;
    this.#tidied = performance.now();
    const { tidy, warn } = this.#options;
    this.#tidying = tidy(this.#over.signal).catch((error: unknown) =>
      warn(`Old runs, or what removed tasks left, are not removed yet. ${messageOf(error)}`),
    );
  }

  async #touch(): Promise<void> {
    if (performance.now() - this.#touched < TOUCH_EVERY) return;
    const { database, jobs } = this.#options;
    const alive = [...this.#runs.values()].filter(({ isOurs }) => isOurs).map(({ claimed }) => claimed.job);
    await jobs.touch(alive);
    const [row] = await database.query<{ readonly draining: boolean }>(
      "UPDATE guideferry.worker SET seen = clock_timestamp() WHERE name = $1 RETURNING draining",
      [this.name],
    );
    this.#touched = performance.now();
    if (row?.draining === true) this.#drain(0, "`fleet drain` asks this worker to end.");
  }

  /**
   * Stops the runs that an operator wants to stop, and those that are no longer of this worker.
   * Ends those that do not answer.
   */
  async #obey(): Promise<void> {
    if (this.#runs.size === 0) return;
    const stored = await this.#options.database.query<StoredRun>(
      `SELECT run.id, run.wanted IS NOT NULL AS wanted, run.ended IS NOT NULL AS ended,
         coalesce(lease.until + $2 * interval '1 second' < clock_timestamp(), false) AS silent
       FROM guideferry.run LEFT JOIN guideferry.lease
         ON lease.task = run.task AND lease.holder LIKE '%/' || left(run.id::text, 8)
       WHERE run.id = ANY($1::uuid[])`,
      [[...this.#runs.keys()], ENDS_WITHIN],
    );
    const known = new Map(stored.map((run) => [run.id, run]));
    for (const [id, running] of this.#runs) {
      // Without a row, its task was removed.
      const { wanted, ended, silent } = known.get(id) ?? { wanted: true, ended: true, silent: false };
      if (ended) running.isOurs = false;
      if (wanted || ended) running.stop();
      if (silent) running.kill();
    }
  }

  #drain(timeout: number, why: string): void {
    const { say } = this.#options;
    const running = [...this.#runs.values()];
    if (!this.#draining) {
      say(
        running.length === 0
          ? why
          : `${why} It takes no new job; ${running.length} running get ${Math.round(timeout / 1000)} s to end, then they are stopped and others go on.`,
      );
    }
    this.#draining = true;
    for (const run of running) run.stopAfter(timeout);
  }

  #begin(claimed: ClaimedRun): void {
    const { database, jobs, start, say, warn } = this.#options;
    const { run, verb, task, attempt } = claimed;
    say(`Starts ${verb} of task ${task}, attempt ${attempt}.`);
    const child = start(claimed);
    const running = new RunningTask(claimed, child, database);
    this.#runs.set(run, running);
    const store = async (end: RunEnd): Promise<RunOutcome> => {
      for (;;) {
        try {
          await running.storeLog(true);
          return await jobs.finish(claimed, { ...end, asked: running.isStopped });
        } catch (error) {
          if (!running.isOurs) return "lost";
          // After so long another worker has the job, and decides.
          if (this.state.silent > HEARTBEAT * 2000 || !isRetriable(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
        }
      }
    };
    running.finished = child.ended
      .then(async (end) => {
        running.close();
        const outcome = running.isOurs ? await store(end) : "lost";
        const key = `${verb} ${outcome}`;
        this.#ended.set(key, (this.#ended.get(key) ?? 0) + 1);
        say(`Ended ${verb} of task ${task} with ${end.exitCode ?? "a signal"}: ${outcome}.`);
      })
      .catch((error: unknown) => warn(`The end of ${verb} of task ${task} was not stored. ${messageOf(error)}`))
      .finally(() => this.#runs.delete(run));
  }
}

function isRetriable(error: unknown): boolean {
  return error instanceof Error && "retriable" in error && error.retriable === true;
}

class RunningTask {
  readonly claimed: ClaimedRun;
  /** false: another worker has the task by now, and this one stores nothing. */
  isOurs = true;
  /** It was asked to stop. */
  isStopped = false;
  finished: Promise<void> = Promise.resolve();
  readonly #child: Child;
  readonly #database: FleetDatabase;
  readonly #store: NodeJS.Timeout;
  readonly #longest: NodeJS.Timeout;
  #stopTimer: NodeJS.Timeout | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #position = 0;
  /** Taken from the child, and not yet stored. */
  #lines = "";
  #shown: object | null = null;
  #storing: Promise<void> = Promise.resolve();

  constructor(claimed: ClaimedRun, child: Child, database: FleetDatabase) {
    this.claimed = claimed;
    this.#child = child;
    this.#database = database;
    this.#longest = setTimeout(() => this.stop(), LONGEST_RUN);
    this.#store = setInterval(() => {
      // What a server that is away does not take comes with the next write.
      this.#storing = this.#storing.then(() => this.storeLog(false)).catch(() => undefined);
    }, STORE_EVERY);
  }

  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.#child.stop();
    this.#killTimer = setTimeout(() => this.kill(), STOP_WITHIN);
  }

  kill(): void {
    this.#child.kill();
  }

  /** A second call with a shorter time wins; the second one with 0 ends the child at once. */
  stopAfter(milliseconds: number): void {
    clearTimeout(this.#stopTimer);
    if (milliseconds > 0) this.#stopTimer = setTimeout(() => this.stop(), milliseconds);
    else if (this.isStopped) this.#child.stop();
    else this.stop();
  }

  async storeLog(isEnd: boolean): Promise<void> {
    if (isEnd) await this.#storing;
    const progress = this.#child.progress();
    if (progress !== this.#shown) {
      await this.#database.query("UPDATE guideferry.run SET progress = $2 WHERE id = $1 AND ended IS NULL", [
        this.claimed.run,
        progress,
      ]);
      this.#shown = progress;
    }
    this.#lines += this.#child.takeLog(isEnd);
    if (this.#lines === "") return;
    const lines = this.#lines;
    await this.#database.query(
      "INSERT INTO guideferry.run_log (run, position, lines) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [this.claimed.run, this.#position, lines],
    );
    this.#lines = "";
    this.#position += 1;
  }

  close(): void {
    clearInterval(this.#store);
    clearTimeout(this.#longest);
    clearTimeout(this.#stopTimer);
    clearTimeout(this.#killTimer);
  }
}

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
  const tasks = await countTasks(database);
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
      TASK_STATES.map((state) => [`{state="${state}"}`, tasks.get(state) ?? 0]),
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
