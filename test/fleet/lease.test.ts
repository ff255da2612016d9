import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { EXIT } from "../../src/core/errors.js";
import { type FleetDatabase, migrateTables, openDatabase, type Queries } from "../../src/fleet/database.js";
import { Lease, LeaseLostError, takeLease } from "../../src/fleet/lease.js";
import { runBuilt } from "../helpers/built-code.js";
import { json, localServer } from "../helpers/local-server.js";
import { emptyDatabase, startPostgres } from "../helpers/postgres-server.js";

const task = "00000000-0000-4000-8000-000000000001";
/** Milliseconds: no machine is too busy to renew in time. */
const LONG = 120_000;

describe("the lease of a task", { tags: ["postgres"] }, () => {
  it("has one holder at a time, and a greater token each time, when two processes want it", async () => {
    const { address, database } = await fleet();
    await database.query("CREATE TABLE holders (inside integer)");
    await database.query("INSERT INTO holders VALUES (0)");
    const outputs = await Promise.all(["one", "two"].map((name) => runBuilt(rival(address, name)).output));
    const tokens = outputs.flatMap((output) => output.split("\n").map(Number));
    expect(tokens.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("ends for a process that is stopped for longer, and it sends no write after a successor began", async () => {
    const { address, database } = await fleet();
    const { origin, arrivals } = await localServer((_, response) => json(response, {}));
    const child = runBuilt(writer(address, origin));
    onTestFinished(() => void child.process.kill("SIGKILL"));
    expect((await child.lines.next()).value).toBe("writing");
    child.process.kill("SIGSTOP");
    const successor = await takenBy(database, { holder: "two" });
    expect(successor.token).toBe(2);
    const before = arrivals.length;
    expect(before).toBeGreaterThan(0);
    child.process.kill("SIGCONT");
    expect(await child.ended).toEqual({ code: EXIT.leaseLost, signal: null });
    expect(arrivals.slice(before)).toEqual([]);
    expect(await child.output).toMatch(/was not renewed within 3\.5 s|two has taken this task over/);
    successor.assertWritable();
  });

  it("is kept when Postgres restarts within it, and is lost when Postgres is away for longer", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const database = await withTask(server.address);
    const lease = await taken(database, { length: LONG, renewal: 50 });
    await server.restart("immediate");
    const [before] = await database.query<{ readonly until: string }>("SELECT until::text FROM guideferry.lease");
    const renewed = "SELECT FROM guideferry.lease WHERE until > $1::timestamptz";
    await until(async () => (await database.query(renewed, [before?.until])).length > 0);
    lease.assertWritable();
    expect(lease.lost.aborted).toBe(false);
    await lease.release();

    const short = await taken(database, { length: 500 });
    await server.stop("immediate");
    if (!short.lost.aborted) await once(short.lost, "abort");
    expect(() => short.assertWritable()).toThrow(LeaseLostError);
    expect(short.lost.reason).toMatchObject({ exitCode: 75, message: expect.stringContaining(database.place) });
    await server.start();
    expect((await taken(database, { holder: "two" })).token).toBe(3);
    expect(() => short.assertWritable()).toThrow("no further write");
  });

  it("counts the time in which the process does nothing, and is not revived by a later renewal", async () => {
    const { database } = await fleet();
    const lease = await taken(database, { length: 400 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    expect(() => lease.assertWritable()).toThrow(LeaseLostError);
    expect(lease.lost.aborted).toBe(true);
    await sleep(200);
    expect(() => lease.assertWritable()).toThrow(LeaseLostError);
    expect(await isHeld(database)).toBe(false);
  });

  it("follows the clock of the server alone", async () => {
    const { database } = await fleet();
    const now = vi.spyOn(Date, "now");
    onTestFinished(() => now.mockRestore());
    const real = performance.timeOrigin;
    now.mockImplementation(() => real + performance.now() + 86_400_000);
    const lease = await taken(database, { length: LONG, renewal: 50 });
    now.mockImplementation(() => real + performance.now() + 2 * 86_400_000);
    lease.assertWritable();
    const first = await endOf(database);
    await until(async () => (await endOf(database)) > first);
    lease.assertWritable();
    const held = await takeLease(database, { task, holder: "two" });
    expect(held).toMatchObject({ holder: "one" });
    expect("endsIn" in held && held.endsIn).toBeGreaterThan(0);
    expect("endsIn" in held && held.endsIn).toBeLessThanOrEqual(LONG);
    // As a jump of that clock: no renewal extends a lease that has ended.
    await database.query("UPDATE guideferry.lease SET until = clock_timestamp()");
    if (!lease.lost.aborted) await once(lease.lost, "abort");
    expect(await isHeld(database)).toBe(false);
  });

  it("refuses the transactions of a holder whose time is over by the server's clock, and of one that was replaced", async () => {
    const { database } = await fleet();
    await database.query("CREATE TABLE written (text text)");
    const write = (lease: Lease, text: string) =>
      database.transaction(async (queries) => {
        await lease.fence(queries);
        await queries.query("INSERT INTO written VALUES ($1)", [text]);
      });
    const end = "UPDATE guideferry.lease SET until = clock_timestamp()";
    // By its own clock each of them may still write.
    const options = { length: LONG, renewal: LONG };
    const first = await taken(database, { ...options, holder: "first" });
    await write(first, "in time");
    await database.query(end);
    await expect(write(first, "too late")).rejects.toThrow(LeaseLostError);
    expect(() => first.assertWritable()).toThrow(LeaseLostError);

    const second = await taken(database, { ...options, holder: "second" });
    await database.query(end);
    const third = await taken(database, { ...options, holder: "third" });
    const words = expect.stringContaining("third has taken this task over");
    await expect(write(second, "replaced")).rejects.toMatchObject({ exitCode: 75, message: words });
    await write(third, "of the third");
    expect(await database.query("SELECT text FROM written")).toEqual([{ text: "in time" }, { text: "of the third" }]);
  });

  it("ends with the next renewal when another has it, which renews nothing of the other's", async () => {
    const { database } = await fleet();
    const lease = await taken(database, { length: LONG, renewal: 20 });
    const other = "UPDATE guideferry.lease SET token = 2, holder = 'two', until = clock_timestamp() + interval '1 day'";
    const [row] = await database.query<{ readonly until: string }>(`${other} RETURNING until::text`);
    if (!lease.lost.aborted) await once(lease.lost, "abort");
    expect(lease.lost.reason.message).toContain("two has taken this task over");
    expect(await endOf(database)).toBe(row?.until);
    await lease.release();
    expect(await endOf(database)).toBe(row?.until);
  });

  it("is taken only after the transactions that its fence let pass", async () => {
    const { database } = await fleet();
    const old = await taken(database, { length: 300, renewal: LONG });
    const order: string[] = [];
    const { taking } = await database.transaction(async (queries) => {
      await old.fence(queries);
      await until(async () => !(await isHeld(database)));
      const next = taken(database, { holder: "two" }).then((lease) => order.push(`taken ${lease.token}`));
      await Promise.race([next, until(() => waitsForLock(database))]);
      order.push("committed");
      return { taking: next };
    });
    await taking;
    expect(order).toEqual(["committed", "taken 2"]);
  });

  it("is renewed during such a transaction, which the server ends when its process is paused in it", async () => {
    const { database } = await fleet();
    const lease = await taken(database, { length: LONG, renewal: 20 });
    const paused = database.transaction(async (queries) => {
      await lease.fence(queries);
      const first = await endOf(queries);
      await until(async () => (await endOf(queries)) > first);
      const isOpen =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
      await until(async () => (await database.query(isOpen)).length === 0);
    });
    await expect(paused).rejects.toMatchObject({ name: "FleetDatabaseError" });
  });

  it("lets a successor recover at once after a release, and else after the longest request", async () => {
    const { database } = await fleet();
    const first = await taken(database, { length: 300, renewal: LONG, longestRequest: 3_600_000 });
    expect(first.recoverIn).toBeLessThanOrEqual(0);
    await until(async () => !(await isHeld(database)));
    const second = await taken(database, { length: LONG, longestRequest: 1 });
    expect(second.recoverIn).toBeGreaterThan(3_000_000);
    await second.release();
    // The second one left before it could recover.
    const third = await taken(database, { length: LONG });
    expect(third.recoverIn).toBeGreaterThan(3_000_000);
    await database.query("UPDATE guideferry.lease SET recover_from = clock_timestamp()");
    await third.release();
    await database.query("UPDATE guideferry.lease SET recover_from = clock_timestamp()");
    expect((await taken(database, { length: LONG })).recoverIn).toBeLessThanOrEqual(0);
  });

  it("is free at once after a release, and allows no write any more", async () => {
    const { database } = await fleet();
    const lease = await taken(database, { length: LONG, renewal: 20 });
    await lease.release();
    expect(() => lease.assertWritable()).toThrow(LeaseLostError);
    expect((await taken(database, { holder: "two", length: LONG })).token).toBe(2);
  });

  it("tells its holder once of each wish of an operator, and a release fulfils it", async () => {
    const { database } = await fleet();
    const heard: string[] = [];
    const options = { length: LONG, renewal: 20, onWanted: (wanted: string) => void heard.push(wanted) };
    const lease = await taken(database, options);
    await database.query("UPDATE guideferry.lease SET wanted = 'pause'");
    await until(() => heard.length > 0);
    const first = await endOf(database);
    await until(async () => (await endOf(database)) > first);
    await database.query("UPDATE guideferry.lease SET wanted = 'cancel'");
    await until(() => heard.length > 1);
    expect(heard).toEqual(["pause", "cancel"]);
    await lease.release();
    expect(await database.query("SELECT wanted FROM guideferry.lease")).toEqual([{ wanted: null }]);
  });

  it("names the task that the fleet does not have, and ends when its task is removed", async () => {
    const { database } = await fleet();
    const other = task.replace(/1$/, "2");
    await expect(takeLease(database, { task: other, holder: "one" })).rejects.toMatchObject({
      exitCode: EXIT.notFound,
      message: expect.stringContaining(other),
    });
    const lease = await taken(database, { length: LONG, renewal: 20 });
    await database.query("DELETE FROM guideferry.task");
    if (!lease.lost.aborted) await once(lease.lost, "abort");
    expect(lease.lost.reason).toMatchObject({ exitCode: 75, message: expect.stringContaining("removed") });
  });
});

/** A database with one task. */
async function fleet(): Promise<{ readonly address: string; readonly database: FleetDatabase }> {
  const address = await emptyDatabase();
  return { address, database: await withTask(address) };
}

async function withTask(address: string): Promise<FleetDatabase> {
  const database = await openDatabase(address);
  onTestFinished(() => database.close());
  await migrateTables(database);
  await database.query("INSERT INTO guideferry.task (id, verb) VALUES ($1, 'migrate')", [task]);
  return database;
}

type Options = Partial<Parameters<typeof takeLease>[1]>;

async function taken(database: FleetDatabase, options: Options): Promise<Lease> {
  const lease = await takeLease(database, { task, holder: "one", ...options });
  if (!(lease instanceof Lease)) throw new Error(`${lease.holder} holds the lease`);
  onTestFinished(() => lease.release());
  return lease;
}

/** Tries again until the lease is free. */
async function takenBy(database: FleetDatabase, options: Options): Promise<Lease> {
  await until(async () => !(await isHeld(database)));
  return taken(database, options);
}

async function isHeld(queries: Queries): Promise<boolean> {
  return (await queries.query("SELECT FROM guideferry.lease WHERE until > clock_timestamp()")).length > 0;
}

async function endOf(queries: Queries): Promise<string> {
  const [row] = await queries.query<{ readonly until: string }>("SELECT until::text FROM guideferry.lease");
  return row?.until ?? "";
}

async function waitsForLock(queries: Queries): Promise<boolean> {
  const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  return (await queries.query(sql)).length > 0;
}

/** Waits until the condition is true: what fails is the time-out of the test. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

/** Takes the lease four times, and prints the tokens. */
function rival(address: string, name: string): string {
  return `
    import { openDatabase } from "./src/fleet/database.js";
    import { Lease, takeLease } from "./src/fleet/lease.js";
    const database = await openDatabase("${address}");
    const enter = (lease, step) => database.transaction(async (queries) => {
      await lease.fence(queries);
      const [row] = await queries.query("UPDATE holders SET inside = inside + $1 RETURNING inside", [step]);
      return row.inside;
    });
    for (let turns = 0; turns < 4; ) {
      const lease = await takeLease(database, { task: "${task}", holder: "${name}", length: ${LONG} });
      if (!(lease instanceof Lease)) continue;
      turns += 1;
      if ((await enter(lease, 1)) !== 1) throw new Error("two holders at the same time");
      await enter(lease, -1);
      await lease.release();
      console.log(lease.token);
    }
    await database.close();
  `;
}

/** Holds the lease for 4 s at a time, and writes until a write is refused. */
function writer(address: string, origin: string): string {
  return `
    import { openDatabase } from "./src/fleet/database.js";
    import { takeLease } from "./src/fleet/lease.js";
    import { createStack } from "./src/service/http/stack.js";
    const database = await openDatabase("${address}");
    const lease = await takeLease(database, { task: "${task}", holder: "one", length: 4000 });
    const { client, close } = createStack({
      root: "${origin}/api/2.0", credentials: { kind: "none" }, variables: "GUIDEFERRY_TARGET",
      concurrency: 4, environment: {}, gate: () => lease.assertWritable(),
    });
    const { signal } = new AbortController();
    const write = async () => {
      for (;;) {
        await client.send({ method: "PUT", path: "guides/1", json: {} }, signal);
        if (process.exitCode === undefined) console.log("writing");
        process.exitCode = 1;
      }
    };
    const [{ reason }] = await Promise.allSettled([write(), write(), write(), write()]);
    console.log(reason.message);
    await lease.release();
    await close();
    await database.close();
    process.exitCode = reason.exitCode;
  `;
}
