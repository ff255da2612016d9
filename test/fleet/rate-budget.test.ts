import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Spacing } from "../../src/core/util/clock.js";
import { migrateTables, openDatabase } from "../../src/fleet/database.js";
import { createFleetBudget, type FleetBudget, listBudgets, setBudget } from "../../src/fleet/rate-budget.js";
import type { RateLease } from "../../src/service/http/request-rate.js";
import { deadPort, json, localServer } from "../helpers/local-server.js";
import { emptyDatabase, startPostgres } from "../helpers/postgres-server.js";
import { type Sent, startSenders, windowsOver } from "../helpers/shared-rate.js";
import { forever, testStack } from "../service/helpers/test-stack.js";

describe("the rate of an origin for a fleet", { tags: ["postgres"] }, () => {
  it("is never exceeded, when senders are killed and stopped, and Postgres crashes", async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.remove());
    const rate = 40;
    const senders = await startSenders(postgres, rate, 5);
    const [killed, stopped] = senders.children;
    while (senders.arrivals().length < rate) await sleep(20);
    stopped?.process.kill("SIGSTOP");
    killed?.process.kill("SIGKILL");
    await sleep(1000);
    await postgres.restart("immediate");
    await sleep(4500);
    stopped?.process.kill("SIGCONT");
    const before = senders.arrivals().length;
    while (senders.arrivals().length < before + 2 * rate) await sleep(20);
    const { over, sent } = await senders.end();
    expect(over).toBe(0);
    expect(sent).toBeGreaterThan(4 * rate);
  });

  it("is that of their budget for several origins", async () => {
    const { database, budget } = await fleet();
    const sites = await Promise.all([1, 2].map(() => localServer((_, response) => json(response, {}))));
    await setBudget(database, { name: "vendor", origins: sites.map((site) => site.origin), requestsPerSecond: 5 });
    // Not as after a crash.
    await database.query("INSERT INTO guideferry.rate_window (budget, free_from) VALUES ('vendor', 0)");
    const sent: Sent[] = [];
    const send = async (origin: string): Promise<void> => {
      let begun = 0;
      const observe = () => {
        begun = performance.now();
        return () => void sent.push({ begun, arrived: performance.now() });
      };
      const { client } = testStack(origin, { rate: 50, concurrency: 1, budget: budget(), observe });
      for (let count = 0; count < 8; count += 1) await client.get("site", {}, forever);
    };
    await Promise.all(sites.map(({ origin }) => send(origin)));
    expect(sent).toHaveLength(16);
    expect(windowsOver(sent, 5)).toBe(0);
    expect(windowsOver(sent, 4)).toBeGreaterThan(0);
  });

  it("moves to a budget and back while runs go on, and no start of before is forgotten", async () => {
    const { database } = await fleet();
    const origins = ["https://a.example", "https://b.example"];
    const ask = `SELECT cardinality(granted) AS granted, now::float8 AS now, free_from::float8 AS "freeFrom"
      FROM guideferry.take_starts($1, 8, 8, '{}', '{}', 0, false, NULL, NULL, NULL, 0)`;
    const turns = async () => {
      const taken: { readonly granted: number; readonly now: number; readonly freeFrom: number }[] = [];
      for (const name of origins) taken.push(...(await database.query<(typeof taken)[number]>(ask, [name])));
      return taken;
    };
    const granted = async () => (await turns()).map((turn) => turn.granted);
    // As when all that was granted before is over.
    const later = () => database.query("UPDATE guideferry.rate_window SET free_from = 0, starts = '{}', began = '{}'");
    const expectPause = async () => {
      const taken = await turns();
      expect(taken.map((turn) => turn.granted)).toEqual([0, 0]);
      // 4.02 s of the server's clock, since the first turn: the processor may be busy in between.
      for (const { freeFrom } of taken) expect(freeFrom - (taken[0]?.now ?? 0)).toBeGreaterThan(3_000_000);
    };
    expect(await granted()).toEqual([8, 8]);
    await setBudget(database, { name: "vendor", origins, requestsPerSecond: 5 });
    await expectPause();
    await later();
    expect(await granted()).toEqual([5, 0]);
    await setBudget(database, { name: "vendor", origins, requestsPerSecond: 6 });
    expect(await granted()).toEqual([1, 0]);
    expect(await listBudgets(database)).toEqual([{ name: "vendor", origins, requestsPerSecond: 6 }]);
    await setBudget(database, { name: "vendor", origins: [], requestsPerSecond: 6 });
    await expectPause();
    await later();
    expect(await granted()).toEqual([8, 8]);
    expect(await listBudgets(database)).toEqual([]);
  });

  it("is lowered for all by a refusal of one, and nobody starts in the pause that follows", async () => {
    const { database, budget } = await fleet();
    const times: number[] = [];
    const { origin } = await localServer((_, response, count) => {
      times.push(performance.now());
      if (count === 1) json(response, {}, 429, { "retry-after": "2" });
      else json(response, {});
    });
    const [one, other] = [1, 2].map(() => testStack(origin, { rate: 40, budget: budget() }));
    const refused = one?.client.get("site", {}, forever);
    const isPaused = "SELECT FROM guideferry.rate_window WHERE free_from > extract(epoch FROM clock_timestamp()) * 1e6";
    while ((await database.query(isPaused)).length === 0) await sleep(10);
    const [first = 0] = times;
    await Promise.all([1, 2, 3].map(() => other?.client.get("site", {}, forever)));
    await refused;
    expect(times).toHaveLength(5);
    expect((times[1] ?? 0) - first).toBeGreaterThanOrEqual(1990);
    expect(other?.use()[0]?.rate).toMatchObject({ given: 40, rate: 20, slowedBy: "refusal" });
    expect(await database.query("SELECT rate, version::int FROM guideferry.rate_window")).toEqual([
      { rate: 20, version: 1 },
    ]);
  });

  it("is adapted once by those who learn of the same refusals, and rises again for all", async () => {
    const { database, join } = await fleet();
    const lease = join();
    await started(lease);
    const refusal = { rate: 20, slowedBy: "refusal", refusedAt: 40 } as const;
    const state = () => database.query("SELECT rate, version::int FROM guideferry.rate_window");
    const change = "SELECT is_adapted FROM guideferry.take_starts($1, 40, 0, '{}', '{}', $2, true, $3, $4, 40, $5)";
    const adapt = async (...values: unknown[]) => (await database.query(change, [origin, ...values]))[0];
    expect(await adapt(0, 20, "refusal", 0)).toEqual({ is_adapted: true });
    // From a state that is not the last one any more.
    lease.adapt?.(refusal);
    await until(async () => lease.adapted?.()?.rate === 20);
    expect(await state()).toEqual([{ rate: 20, version: 1 }]);
    expect(await adapt(60_000_000, 10, "refusal", 1)).toEqual({ is_adapted: true });
    // Of a request that was active when the pause began.
    expect(await adapt(0, 5, "refusal", 2)).toEqual({ is_adapted: false });
    expect(await adapt(0, null, null, 2)).toEqual({ is_adapted: true });
    expect(await state()).toEqual([{ rate: null, version: 3 }]);
  });

  it("gives back what is not used: after a while, and at the end", async () => {
    const { database, join, close } = await fleet();
    const open = "SELECT FROM guideferry.rate_window WHERE 0 = ANY (began)";
    const lease = join();
    await until(() => lease.claim(SPACING) === 0);
    await until(async () => (await database.query(open)).length > 0);
    lease.started()();
    await until(async () => (await database.query(open)).length === 0);
    await until(() => lease.claim(SPACING) === 0);
    await close();
    expect(await database.query(open)).toEqual([]);
  });

  it("sends nothing that comes too late for its start, and may send it again", async () => {
    const { join } = await fleet();
    const lease = join();
    const sent = await started(lease);
    await sleep(2100);
    expect(sent).toThrow(expect.objectContaining({ name: "ConnectionError", unsent: true, retriable: true }));
    (await started(lease))();
  });

  it("starts nothing while the database is away, and says what it refuses", async () => {
    const failures: Error[] = [];
    const away = await openDatabase(`postgres://127.0.0.1:${await deadPort()}/fleet`);
    const empty = await openDatabase(await emptyDatabase());
    const budgets = [away, empty].map((database) => createFleetBudget(database, (error) => failures.push(error)));
    onTestFinished(async () => {
      await Promise.all(budgets.map((budget) => budget.close()));
      await Promise.all([away.close(), empty.close()]);
    });
    const leases = budgets.map((budget) => budget.join(origin, 10));
    await until(() => {
      for (const lease of leases) expect(lease.claim(SPACING)).toBeGreaterThan(0);
      return failures.length > 0;
    });
    expect(failures).toEqual([
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining("guideferry fleet init") }),
    ]);
  });

  it("waits after a crash of the database until no start of before can count, and not at a new origin", async () => {
    const { database } = await fleet();
    const ask =
      "SELECT (free_from - now)::float8 AS wait, granted FROM guideferry.take_starts($1, 10, 1, '{}', '{}', 0, false, NULL, NULL, NULL, 0)";
    const turn = async () =>
      (await database.query<{ readonly wait: number; readonly granted: string[] }>(ask, [origin]))[0];
    expect(await turn()).toMatchObject({ granted: [expect.any(String)] });
    // As Postgres does with an unlogged table.
    await database.query("TRUNCATE guideferry.rate_window");
    const after = await turn();
    expect(after?.granted).toEqual([]);
    // Granted a window ahead, sent half of 4 s later, and counted for a window.
    expect(after?.wait).toBeGreaterThan(4_000_000);
  });

  it("waits a window at most when the clock of the database is set back", async () => {
    const { database } = await fleet();
    const later = Date.now() * 1000 + 3_600_000_000;
    const ask = `SELECT now::float8, granted
      FROM guideferry.take_starts($1, 3, 1, '{}', '{}', 0, false, NULL, NULL, NULL, 0)`;
    // Reported starts, and starts without a report.
    for (const began of [later, 0]) {
      const name = `https://${began}.example`;
      await database.query("INSERT INTO guideferry.origin VALUES ($1, $1)", [name]);
      await database.query(
        "INSERT INTO guideferry.rate_window (budget, free_from, starts, began) VALUES ($1, 0, $2, $3)",
        [name, [later, later + 1, later + 2], [began, began, began]],
      );
      const [row] = await database.query<{ readonly now: number; readonly granted: string[] }>(ask, [name]);
      expect(Number(row?.granted[0]) - (row?.now ?? 0)).toBe(1_010_000);
    }
  });
});

const origin = "https://site.example";
/** The database spaces the starts itself. */
const SPACING: Spacing = { interval: 25, slack: 0, most: 40, second: 1000 };

async function fleet() {
  const database = await openDatabase(await emptyDatabase());
  await migrateTables(database);
  const budgets: FleetBudget[] = [];
  const budget = (): FleetBudget => {
    const created = createFleetBudget(database, (error) => {
      throw error;
    });
    budgets.push(created);
    return created;
  };
  const close = () => Promise.all(budgets.map((one) => one.close()));
  onTestFinished(async () => {
    await close();
    await database.close();
  });
  return { database, budget, close, join: () => budget().join(origin, 40) };
}

/** Claims a start; the result says that it is sent. */
async function started(lease: RateLease): Promise<() => void> {
  await until(() => lease.claim(SPACING) === 0);
  return lease.started();
}

/** Waits until the condition is true: what fails is the time-out of the test. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
