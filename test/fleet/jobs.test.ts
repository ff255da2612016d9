import { describe, expect, it, onTestFinished } from "vitest";
import { type FleetDatabase, migrateTables, openDatabase } from "../../src/fleet/database.js";
import {
  type ClaimedRun,
  type JobQueue,
  openJobs,
  outcomeOfExit,
  type RunEnd,
  retryDelay,
} from "../../src/fleet/jobs.js";
import {
  addTask,
  cancelTask,
  findTask,
  listTasks,
  pauseTask,
  removeOldRuns,
  resumeTask,
  retryTask,
  runsOf,
  type TaskDefinition,
} from "../../src/fleet/tasks.js";
import { emptyDatabase } from "../helpers/postgres-server.js";
import { withResolvers } from "../helpers/with-resolvers.js";

const DONE: RunEnd = { exitCode: 0, words: "", progress: null, summary: null };

describe("the end of a run", () => {
  it.each([
    [0, "done", "done"],
    [1, "retry", "failed"],
    [2, "failed", "failed"],
    [3, "done", "done"],
    [4, "retry", "failed"],
    [5, "failed", "failed"],
    [6, "failed", "failed"],
    [7, "done", "done"],
    [8, "retry", "failed"],
    [9, "retry", "failed"],
    [10, "failed", "failed"],
    [11, "retry", "failed"],
    [12, "done", "done"],
    [75, "lost", "lost"],
    [129, "retry", "failed"],
    [130, "retry", "failed"],
    [143, "retry", "failed"],
    [null, "retry", "failed"],
  ] as const)("exit code %s: %s at the first attempt, %s at the twelfth", (exitCode, first, last) => {
    expect(outcomeOfExit(exitCode, 1)).toBe(first);
    expect(outcomeOfExit(exitCode, 12)).toBe(last);
  });

  it("waits twice as long each time, at most one hour, and not exactly as long as others", () => {
    const shortest = Array.from({ length: 9 }, (_none, index) => retryDelay(index + 1, 9, () => 0));
    expect(shortest).toEqual([15, 30, 60, 120, 240, 480, 960, 1800, 1800]);
    expect(retryDelay(1, 9, () => 1)).toBe(30);
    expect(retryDelay(20, 9, () => 1)).toBe(3600);
    // A signal is no failure of a site.
    expect([1, 2, 3].map((attempt) => retryDelay(attempt, null, () => 1))).toEqual([4, 8, 16]);
  });
});

describe("the queue", { tags: ["postgres"] }, () => {
  it("runs 1,000 jobs of 40 tenants: none over its limit, no site twice at once, higher priorities first", async () => {
    const { database, jobs } = await fleet();
    const sites = 150;
    await database.query(
      "INSERT INTO guideferry.tenant SELECT 'tenant' || number, 1 + number % 4 FROM generate_series(0, 39) AS number",
    );
    // A migration in eight uses two sites; each site is in several pairs and in backups.
    await database.query(
      `INSERT INTO guideferry.task (name, tenant, verb, words, exclusive, priority)
       SELECT 'task' || number, 'tenant' || number % 40, 'backup', '[]',
         CASE number % 8 WHEN 0 THEN ARRAY['site' || number % $1, 'site' || (number * 7 + 1) % $1] ELSE ARRAY['site' || number % $1] END,
         CASE WHEN number % 97 = 0 THEN 10 ELSE 0 END
       FROM generate_series(0, 999) AS number`,
      [sites],
    );
    await database.query("UPDATE guideferry.task SET cron = '0 0 1 1 *', time_zone = 'UTC', next_run = now()");
    expect([await jobs.sendDue(), await jobs.sendDue(), await jobs.sendDue()]).toEqual([500, 500, 0]);
    const tasks = new Map((await listTasks(database)).map((task) => [task.id, task]));
    const running = new Map<string, ClaimedRun>();
    const [used, perTenant] = [new Set<string>(), new Map<string, number>()];
    const order: number[] = [];
    let most = 0;
    const worker = async (name: string): Promise<void> => {
      const own: ClaimedRun[] = [];
      for (;;) {
        const claimed = own.length < 6 ? await jobs.claim(name) : null;
        if (claimed !== null) {
          const task = tasks.get(claimed.task);
          if (task === undefined) throw new Error("an unknown task");
          for (const site of new Set(task.exclusive)) {
            expect(used.has(site)).toBe(false);
            used.add(site);
          }
          const count = (perTenant.get(task.tenant) ?? 0) + 1;
          expect(count).toBeLessThanOrEqual(1 + (Number(task.tenant.slice(6)) % 4));
          perTenant.set(task.tenant, count);
          running.set(claimed.task, claimed);
          own.push(claimed);
          order.push(task.priority);
          most = Math.max(most, running.size);
          continue;
        }
        const [done] = own.splice(0, 1);
        if (done === undefined) return;
        const task = tasks.get(done.task);
        // Freed before the queue knows: a claim at the same time must not see it earlier.
        for (const site of task?.exclusive ?? []) used.delete(site);
        perTenant.set(task?.tenant ?? "", (perTenant.get(task?.tenant ?? "") ?? 0) - 1);
        running.delete(done.task);
        expect(await jobs.finish(done, DONE)).toBe("done");
      }
    };
    while (order.length < 1000) await Promise.all(["one", "two", "three", "four"].map(worker));
    expect(order).toHaveLength(1000);
    expect(most).toBeGreaterThan(15);
    expect(order.lastIndexOf(10)).toBeLessThan(60);
    expect((await listTasks(database)).filter(({ state }) => state !== "scheduled")).toEqual([]);
  });

  it("goes by the priorities of tasks also with a job that came back, and after a change", async () => {
    const { database, jobs } = await fleet();
    const low = await addTask(database, jobs, task("low", ["a"]));
    const running = await claimed(jobs);
    const high = await addTask(database, jobs, { ...task("high", ["b"]), priority: 5 });
    const raised = await addTask(database, jobs, task("raised", ["c"]));
    expect(await jobs.finish(running, { ...DONE, exitCode: 143, asked: true })).toBe("stopped");
    await database.query("UPDATE guideferry.task SET priority = 7 WHERE id = $1", [raised]);
    await jobs.rank([raised], database);
    const order = [await claimed(jobs), await claimed(jobs), await claimed(jobs)];
    expect(order.map((run) => run.task)).toEqual([raised, high, low]);
  });

  it("keeps the runs of 90 days, and the last of each outcome for longer", async () => {
    const { database, jobs } = await fleet();
    const id = await addTask(database, jobs, task("nightly", ["a"]));
    const ages = [
      [300, "done"],
      [200, "done"],
      [190, "failed"],
      [80, "retry"],
      [70, "retry"],
    ] as const;
    for (const [days, outcome] of ages) {
      await database.query(
        `WITH run AS (INSERT INTO guideferry.run (id, task, job, attempt, worker, started, ended, outcome)
           SELECT gen_random_uuid(), $1, $1, 1, $2, now() - $3 * interval '1 day', now() - $3 * interval '1 day', $4 RETURNING id)
         INSERT INTO guideferry.run_log SELECT id, 0, 'words' FROM run`,
        [id, `${days}`, days, outcome],
      );
    }
    await removeOldRuns(database);
    expect((await runsOf(database, id)).map(({ worker }) => worker)).toEqual(["70", "80", "190", "200"]);
    expect(await database.query("SELECT FROM guideferry.run_log")).toHaveLength(4);
  });

  it("keeps a pair's sites from those behind it, and a backup from a migration of the same site", async () => {
    const { database, jobs } = await fleet();
    const first = await addTask(database, jobs, task("backup-a", ["a"]));
    await addTask(database, jobs, task("pair", ["a", "b"]));
    const behind = await addTask(database, jobs, task("backup-b", ["b"]));
    const other = await addTask(database, jobs, task("backup-c", ["c"]));
    const running = await claimed(jobs);
    expect(running.task).toBe(first);
    // `b` is free, but the pair waits for it.
    expect((await claimed(jobs)).task).toBe(other);
    expect(await jobs.claim("worker")).toBeNull();
    await jobs.finish(running, DONE);
    const pair = await claimed(jobs);
    expect(pair.task).not.toBe(behind);
    expect(await jobs.claim("worker")).toBeNull();
    await jobs.finish(pair, DONE);
    expect((await claimed(jobs)).task).toBe(behind);
  });

  it("holds a site back while a lease of its task is valid, although its worker is gone", async () => {
    const { database, jobs } = await fleet();
    const one = await addTask(database, jobs, task("one", ["a"]));
    await addTask(database, jobs, task("two", ["a"]));
    const run = await claimed(jobs);
    await database.query(
      "INSERT INTO guideferry.lease (task, token, holder, until, recover_from) VALUES ($1, 1, 'x', clock_timestamp() + interval '1 hour', clock_timestamp())",
      [one],
    );
    await jobs.finish(run, DONE);
    expect(await jobs.claim("worker")).toBeNull();
    await database.query("UPDATE guideferry.lease SET until = clock_timestamp()");
    expect((await claimed(jobs)).task).not.toBe(one);
  });

  it("queues a task once, tries it again after a temporary failure, and ends with what is final", async () => {
    const { database, jobs } = await fleet();
    const id = await addTask(database, jobs, task("one", ["a"]));
    expect(await jobs.send(id)).toBe(false);
    const first = await claimed(jobs);
    expect(await jobs.send(id)).toBe(false);
    expect(await jobs.finish(first, { ...DONE, exitCode: 9, words: "cannot be reached" })).toBe("retry");
    expect(await findTask(database, "one")).toMatchObject({
      state: "retrying",
      exit: 9,
      attempt: 1,
      message: "cannot be reached",
    });
    expect(await jobs.claim("worker")).toBeNull();
    await skipDelay(database);
    const second = await claimed(jobs);
    expect(second.attempt).toBe(2);
    expect(await jobs.finish(second, { ...DONE, exitCode: 5, words: "refused" })).toBe("failed");
    expect(await findTask(database, id.slice(0, 8))).toMatchObject({ state: "failed", exit: 5 });
    expect(await retryTask(database, jobs, id)).toBe(true);
    const third = await claimed(jobs);
    expect(third.attempt).toBe(1);
    expect(await jobs.finish(third, DONE)).toBe("done");
    expect((await findTask(database, "one")).state).toBe("done");
  });

  it("gives a job without a sign of life to another worker, and stores nothing of the first one", async () => {
    const { database, jobs } = await fleet();
    await addTask(database, jobs, task("one", ["a"]));
    const lost = await claimed(jobs);
    expect(await jobs.claim("other")).toBeNull();
    await database.query("UPDATE guideferry_jobs.job SET heartbeat_on = now() - interval '11 seconds'");
    const second = await claimed(jobs);
    expect(second).toMatchObject({ task: lost.task, attempt: 2 });
    expect(await jobs.finish(lost, DONE)).toBe("lost");
    expect((await findTask(database, "one")).state).toBe("running");
    // A lost lease acknowledges nothing: the job comes back when its heartbeat has ended.
    expect(await jobs.finish(second, { ...DONE, exitCode: 75 })).toBe("lost");
    expect((await findTask(database, "one")).state).toBe("running");
    await database.query("UPDATE guideferry_jobs.job SET heartbeat_on = now() - interval '11 seconds'");
    expect(await jobs.finish(await claimed(jobs), DONE)).toBe("done");
  });

  it("gives it away sooner when its lease has ended", async () => {
    const { database, jobs } = await fleet();
    const id = await addTask(database, jobs, task("one", ["a"]));
    const lost = await claimed(jobs);
    await database.query("UPDATE guideferry_jobs.job SET heartbeat_on = now() - interval '6 seconds'");
    expect(await jobs.claim("other")).toBeNull();
    await database.query(
      "INSERT INTO guideferry.lease (task, token, holder, until, recover_from) VALUES ($1, 1, 'x', clock_timestamp() + interval '1 hour', clock_timestamp())",
      [id],
    );
    expect(await jobs.claim("other")).toBeNull();
    await database.query("UPDATE guideferry.lease SET until = clock_timestamp()");
    expect(await claimed(jobs)).toMatchObject({ task: lost.task, attempt: 2 });
  });

  it("does not wait longer for a site because workers died before", async () => {
    const database = await openDatabase(await emptyDatabase());
    const attempts: number[] = [];
    const jobs = await openJobs(database, { delay: (attempt) => attempts.push(attempt) });
    onTestFinished(async () => {
      await jobs.close();
      await database.close();
    });
    await migrateTables(database);
    await jobs.prepare();
    await addTask(database, jobs, task("one", ["a"]));
    for (const exitCode of [75, 75, 9, 75, 9]) {
      expect(await jobs.finish(await claimed(jobs), { ...DONE, exitCode })).toBe(exitCode === 9 ? "retry" : "lost");
      await database.query("UPDATE guideferry_jobs.job SET heartbeat_on = now() - interval '11 seconds'");
      await skipDelay(database);
    }
    expect(attempts).toEqual([1, 2]);
  });

  it("gives a job to others although a worker is paused amid its own claim", async () => {
    const address = await emptyDatabase();
    const { database, jobs } = await fleet(address);
    await addTask(database, jobs, task("one", ["a"]));
    const own = await openDatabase(address, { idleTransaction: 200 });
    const [claims, goesOn] = [withResolvers(), withResolvers()];
    const transaction: FleetDatabase["transaction"] = (work) =>
      own.transaction(({ query }) =>
        work({
          query: async (...words) => {
            const rows = await query<never>(...words);
            if (words[0].includes("advisory")) {
              claims.resolve();
              await goesOn.promise;
            }
            return rows;
          },
        }),
      );
    const paused = await openJobs({ ...own, transaction });
    const outcome = paused.claim("paused").catch((error: unknown) => error);
    await claims.promise;
    expect((await claimed(jobs)).attempt).toBe(1);
    goesOn.resolve();
    expect(await outcome).toMatchObject({ name: "FleetDatabaseError" });
    await paused.close();
    await own.close();
  });

  it("does not run a task again that ended well after the queue took its worker for dead", async () => {
    const { database, jobs } = await fleet();
    await addTask(database, jobs, task("one", ["a"]));
    const run = await claimed(jobs);
    // As the queue's own supervision does to a job whose heartbeat has ended.
    await database.query("UPDATE guideferry_jobs.job SET state = 'retry', heartbeat_on = NULL, start_after = now()");
    expect(await jobs.finish(run, DONE)).toBe("done");
    expect(await jobs.claim("other")).toBeNull();
    expect((await findTask(database, "one")).state).toBe("done");
  });

  it("pauses, resumes and cancels, while a run waits and while it runs", async () => {
    const { database, jobs } = await fleet();
    const id = await addTask(database, jobs, task("one", ["a"]));
    await pauseTask(database, id);
    expect(await jobs.claim("worker")).toBeNull();
    await resumeTask(database, id);
    const run = await claimed(jobs);
    await pauseTask(database, id);
    expect(await wishOf(database, run)).toBe("pause");
    expect(await jobs.finish(run, { ...DONE, exitCode: 143 })).toBe("stopped");
    expect(await findTask(database, id)).toMatchObject({ state: "paused", attempt: 1 });
    await resumeTask(database, id);
    const again = await claimed(jobs);
    // A pause is no failure.
    expect(again.attempt).toBe(1);
    await cancelTask(database, jobs, id);
    expect(await wishOf(database, again)).toBe("cancel");
    expect(await jobs.finish(again, { ...DONE, exitCode: 4 })).toBe("stopped");
    expect((await findTask(database, id)).state).toBe("cancelled");
    expect(await jobs.claim("worker")).toBeNull();
    expect(await retryTask(database, jobs, id)).toBe(true);
    await cancelTask(database, jobs, id);
    expect(await jobs.claim("worker")).toBeNull();
    await retryTask(database, jobs, id);
    await jobs.finish(await claimed(jobs), DONE);
    expect((await findTask(database, id)).state).toBe("done");
  });

  it("runs schedules of two zones across a change of daylight saving, once each and in the right minute", async () => {
    const address = await emptyDatabase();
    const clock = { now: Date.parse("2026-10-24T00:00:00Z") };
    const { database, jobs } = await fleet(address, () => clock.now);
    const zones = ["Europe/Berlin", "America/New_York"];
    for (const zone of zones) {
      await addTask(database, jobs, { ...task(zone, [zone]), cron: "30 1 * * *", timeZone: zone });
      await addTask(database, jobs, { ...task(`${zone} 02:30`, [`${zone} 2`]), cron: "30 2 * * *", timeZone: zone });
    }
    // As if they had been added by the injected clock.
    await database.query("UPDATE guideferry.task SET next_run = to_timestamp($1::float8 / 1000)", [clock.now - 1]);
    await jobs.sendDue();
    for (let run = await jobs.claim("w"); run !== null; run = await jobs.claim("w")) await jobs.finish(run, DONE);
    const seen: string[] = [];
    const names = new Map((await listTasks(database)).map(({ id, name }) => [id, name]));
    // Two workers look, in minutes without any order between them.
    const second = await openJobs(database, { now: async () => clock.now });
    onTestFinished(() => second.close());
    const end = Date.parse("2026-10-26T12:00:00Z");
    for (; clock.now < end; clock.now += 60_000) {
      // Nothing is due by day.
      if (new Date(clock.now).getUTCHours() % 22 > 7) continue;
      const due = (await Promise.all([jobs.sendDue(), second.sendDue()])).reduce((sum, one) => sum + one, 0);
      for (let sent = 0; sent < due; sent += 1) {
        const run = await claimed(jobs);
        seen.push(`${new Date(clock.now).toISOString().slice(5, 16)} ${names.get(run.task)}`);
        await jobs.finish(run, DONE);
      }
    }
    expect(seen.sort()).toEqual([
      "10-24T00:30 Europe/Berlin 02:30",
      "10-24T05:30 America/New_York",
      "10-24T06:30 America/New_York 02:30",
      "10-24T23:30 Europe/Berlin",
      "10-25T00:30 Europe/Berlin 02:30",
      "10-25T05:30 America/New_York",
      "10-25T06:30 America/New_York 02:30",
      "10-26T00:30 Europe/Berlin",
      "10-26T01:30 Europe/Berlin 02:30",
      "10-26T05:30 America/New_York",
      "10-26T06:30 America/New_York 02:30",
    ]);
    // Three nights without a worker are one run.
    clock.now = Date.parse("2026-10-29T12:00:00Z");
    expect(await jobs.sendDue()).toBe(4);
    expect(await jobs.sendDue()).toBe(0);
  });
});

async function fleet(
  address?: string,
  now?: () => number,
): Promise<{ readonly database: FleetDatabase; readonly jobs: JobQueue }> {
  const database = await openDatabase(address ?? (await emptyDatabase()));
  await migrateTables(database);
  const jobs = await openJobs(database, now === undefined ? {} : { now: async () => now() });
  onTestFinished(async () => {
    await jobs.close();
    await database.close();
  });
  await jobs.prepare();
  return { database, jobs };
}

async function claimed(jobs: JobQueue): Promise<ClaimedRun> {
  const run = await jobs.claim("worker");
  if (run === null) throw new Error("no run may start");
  return run;
}

async function skipDelay(database: FleetDatabase): Promise<void> {
  await database.query("UPDATE guideferry_jobs.job SET start_after = now()");
}

async function wishOf(database: FleetDatabase, { run }: ClaimedRun): Promise<unknown> {
  const [row] = await database.query<{ readonly wanted: string | null }>(
    "SELECT wanted FROM guideferry.run WHERE id = $1",
    [run],
  );
  return row?.wanted;
}

function task(name: string, exclusive: readonly string[]): TaskDefinition {
  return {
    name,
    tenant: "",
    verb: "backup",
    source: null,
    target: null,
    words: ["backup"],
    exclusive,
    credentials: {},
    priority: 0,
    cron: null,
    timeZone: null,
    managed: false,
  };
}
