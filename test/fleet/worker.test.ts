import { expect, it, onTestFinished } from "vitest";
import type { Child } from "../../src/fleet/child.js";
import { migrateTables, openDatabase } from "../../src/fleet/database.js";
import { openJobs, type RunEnd } from "../../src/fleet/jobs.js";
import { addTask, runsOf } from "../../src/fleet/tasks.js";
import { Worker } from "../../src/fleet/worker.js";
import { emptyDatabase } from "../helpers/postgres-server.js";

const STUCK: RunEnd = { exitCode: null, words: "", progress: null, summary: null };

it("ends a child that does not end after its lease", { tags: ["postgres"] }, async () => {
  const database = await openDatabase(await emptyDatabase());
  onTestFinished(() => database.close());
  await migrateTables(database);
  const jobs = await openJobs(database);
  onTestFinished(() => jobs.close());
  await jobs.prepare();
  const definition = { name: "one", tenant: "", verb: "backup", source: null, target: null, words: ["backup"] };
  const rest = { exclusive: [], credentials: {}, priority: 0, cron: null, timeZone: null, managed: false };
  const task = await addTask(database, jobs, { ...definition, ...rest });
  const stop = new AbortController();
  const worker = new Worker({
    ...{ database, jobs, version: "1", slots: 1, drainTimeout: 0 },
    ...{ tidy: async () => undefined, say: () => undefined, warn: () => undefined },
    ...{ stop: stop.signal, abort: new AbortController().signal },
    start: ({ run }): Child => {
      // Paused since it took its lease: it hears nothing but SIGKILL.
      const holder = `machine/${run.slice(0, 8)}`;
      const sql = `INSERT INTO guideferry.lease (task, token, holder, until, recover_from)
        VALUES ($1, 1, $2, clock_timestamp() - interval '61 seconds', clock_timestamp())`;
      const taken = database.query(sql, [task, holder]);
      let kill: () => void = () => undefined;
      const ended = new Promise<RunEnd>((resolve) => {
        kill = () => resolve(STUCK);
      });
      stop.abort();
      return { ended: taken.then(() => ended), stop: () => undefined, kill, progress: () => null, takeLog: () => "" };
    },
  });
  await worker.run();
  expect(await runsOf(database, task)).toMatchObject([{ exit: null, outcome: "retry" }]);
});
