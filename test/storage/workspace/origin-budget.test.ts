import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Spacing } from "../../../src/core/util/clock.js";
import { spacingOf } from "../../../src/service/http/request-rate.js";
import { Database } from "../../../src/storage/sqlite.js";
import { createOriginBudget, type OriginLease } from "../../../src/storage/workspace/origin-budget.js";
import { mostIn } from "../../service/helpers/test-queue.js";
import { temporaryFolder } from "./helpers/samples.js";

const SITE = "https://site.example";
/** Ten starts a second. */
const TEN = { interval: 102, slack: 100, most: 10, second: 1020 };

/** Budgets as several processes have them, on one clock. */
function machine(base = temporaryFolder()) {
  const warnings: string[] = [];
  const time = { now: 5_000_000 };
  const process = () => createOriginBudget({ base, warn: (text) => warnings.push(text), now: () => time.now });
  return { base, warnings, time, process, seat: (origin = SITE) => process().join(origin) };
}

/** The same copy of SQLite as the process has: another would release its locks. */
const LIBRARY = new URL("../../../dist/src/storage/sqlite.js", import.meta.url).href;

/** Holds the write lock for a while, and notes when it lets go. */
const HOLD_LOCK = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.library).then(({ DatabaseSync }) => {
    const database = new DatabaseSync(workerData.file);
    database.exec("CREATE TABLE held (freed REAL)");
    database.exec("BEGIN IMMEDIATE");
    parentPort.postMessage("locked");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.milliseconds);
    database.prepare("INSERT INTO held VALUES (?)").run(Number(process.hrtime.bigint() / 1000n) / 1000);
    database.exec("COMMIT");
    database.close();
  });
`;

const file = (base: string): string => {
  const [name = ""] = readdirSync(join(base, "budgets")).filter((each) => each.endsWith(".sqlite"));
  return join(base, "budgets", name);
};

/** How many share the site, as one sees who claims a start there. */
function sharersOf(seat: OriginLease): number {
  seat.claim(TEN);
  return seat.sharers;
}

/** Claims whenever something is due, each process at its own moments; gives who started when. */
function run(time: { now: number }, seats: readonly OriginLease[], spacing: Spacing, milliseconds: number) {
  const starts: { readonly who: number; readonly at: number }[] = [];
  for (const end = time.now + milliseconds; time.now < end; time.now += 1) {
    for (const [who, seat] of seats.entries()) if (seat.claim(spacing) === 0) starts.push({ who, at: time.now });
  }
  return starts;
}

describe("what several processes may ask of one site", () => {
  it("is divided among those who ask it: the site sees the starts of all at the distances of one", () => {
    const { seat, time } = machine();
    const seats = [seat(), seat(), seat()];
    const stranger = seat("https://other.example");
    const starts = run(time, seats, TEN, 3000);
    expect(
      mostIn(
        starts.map(({ at }) => at),
        100,
      ),
    ).toBeLessThanOrEqual(2);
    expect(
      mostIn(
        starts.map(({ at }) => at),
        1000,
      ),
    ).toBeLessThanOrEqual(10);
    for (const who of seats.keys()) {
      const own = starts.filter((start) => start.who === who).length;
      expect([9, 10, 11]).toContain(own);
    }
    expect(seats.map(({ sharers }) => sharers)).toEqual([3, 3, 3]);
    expect(stranger.claim(TEN)).toBe(0);
    expect(stranger.sharers).toBe(1);
  });

  it("is the others' at once when a process ends, and some three seconds after one was killed", () => {
    const { seat, time } = machine();
    const [staying, leaving, killed] = [seat(), seat(), seat()];
    run(time, [staying, leaving, killed], TEN, 1000);
    leaving.leave();
    const starts = run(time, [staying], TEN, 1000);
    expect(starts.length).toBeGreaterThanOrEqual(6);
    expect(staying.sharers).toBe(2);
    run(time, [staying], TEN, 3000);
    expect(staying.sharers).toBe(1);
    expect(run(time, [staying], TEN, 2000).length).toBeGreaterThanOrEqual(19);
  });

  it("counts what left late for all of them", () => {
    const { seat, time } = machine();
    const [one, other] = [seat(), seat()];
    const late = Array.from({ length: 10 }, () => {
      for (let wait = one.claim(TEN); wait > 0; wait = one.claim(TEN)) time.now += wait;
      return one.started();
    });
    time.now += 5000;
    for (const left of late) left();
    expect(other.claim(TEN)).toBe(TEN.second);
  });

  it("counts a start when it leaves, also where another process held its claim up", async () => {
    const base = temporaryFolder();
    const seat = createOriginBudget({ base, warn: (text) => expect.unreachable(text) }).join(SITE);
    expect(seat.claim(TEN)).toBe(0);
    const lock = new Worker(HOLD_LOCK, {
      eval: true,
      workerData: { library: LIBRARY, file: file(base), milliseconds: 30 },
    });
    const ended = once(lock, "exit");
    await once(lock, "message");
    // Another spacing: a start is due while the lock is held.
    while (seat.claim({ ...TEN, interval: 1, slack: 0, most: 1000 }) > 0) await setImmediate();
    seat.started();
    await ended;
    const book = new Database(file(base));
    const { freed } = book.get<{ freed: number }>("SELECT freed FROM held") ?? { freed: Number.NaN };
    const { at } = book.get<{ at: number }>("SELECT at FROM schedule") ?? { at: Number.NaN };
    book.close();
    expect(at).toBeGreaterThanOrEqual(freed);
  });

  it("does not hang on what was left from before the machine started anew", () => {
    const { seat, time } = machine();
    seat().claim({ ...TEN, interval: 30_000 });
    time.now = 1000;
    const after = seat();
    expect(after.claim(TEN)).toBe(0);
    expect(after.sharers).toBe(1);
  });

  it("is never above the rate in any second, whoever comes, stops for a while, leaves or is killed", () => {
    const events = fc.array(
      fc.record({
        passed: fc.oneof(fc.nat(60), fc.nat(900), fc.nat(6000)),
        who: fc.nat(3),
        act: fc.constantFrom("start", "start", "start", "start", "start", "start", "leave", "kill"),
      }),
      { maxLength: 250 },
    );
    const spacing = spacingOf(6, 8);
    if (spacing === undefined) throw new Error("a rate of 6 is a limit");
    fc.assert(
      fc.property(events, (acts) => {
        const { seat, time } = machine();
        const seats = new Map<number, OriginLease>();
        const all: number[] = [];
        for (const { passed, who, act } of acts) {
          time.now += passed;
          const one = seats.get(who) ?? seat();
          seats.set(who, one);
          if (act === "leave") one.leave();
          if (act !== "start") seats.delete(who);
          else if (one.claim(spacing) === 0) all.push(time.now);
        }
        expect(mostIn(all, 1000)).toBeLessThanOrEqual(6);
      }),
      { numRuns: 40 },
    );
  });
});

describe("the notes about it", () => {
  it("are for their owner only, name sites and nothing else, and shrink again", () => {
    const { base, seat, time } = machine();
    for (let n = 0; n < 50; n += 1) seat().claim(TEN);
    expect(statSync(join(base, "budgets")).mode & 0o777).toBe(0o700);
    expect(statSync(file(base)).mode & 0o777).toBe(0o600);
    time.now += 4000;
    expect(sharersOf(seat())).toBe(1);
  });

  it("are made anew when they are damaged", () => {
    const { base, seat, warnings } = machine();
    seat().claim(TEN);
    const other = machine();
    mkdirSync(join(other.base, "budgets"));
    writeFileSync(
      file(base).replace(base, other.base),
      "no database at all, but long enough to look like one ".repeat(99),
    );
    expect(sharersOf(other.seat())).toBe(1);
    expect(sharersOf(other.seat())).toBe(2);
    expect([...warnings, ...other.warnings]).toEqual([]);
  });

  it("share nothing with a version of the program that keeps other columns, and neither stops the other", () => {
    const { base, seat, warnings } = machine();
    mkdirSync(join(base, "budgets"));
    const theirs = new Database(join(base, "budgets", `${hostname().replaceAll(/[^\w.-]/g, "_")}.sqlite`));
    theirs.execute("CREATE TABLE schedule (origin TEXT PRIMARY KEY, due REAL NOT NULL, sent REAL NOT NULL) STRICT");
    theirs.run("INSERT INTO schedule (origin, due, sent) VALUES (:site, 1, 1)", { site: SITE });
    expect([sharersOf(seat()), sharersOf(seat())]).toEqual([1, 2]);
    expect(theirs.all("SELECT * FROM schedule")).toEqual([{ origin: SITE, due: 1, sent: 1 }]);
    theirs.close();
    expect(warnings).toEqual([]);
  });

  it("that cannot be kept are told of once, and each goes on alone", () => {
    const { base, process, warnings } = machine();
    writeFileSync(join(base, "budgets"), "a file where a folder is needed");
    const budget = process();
    const [one, other] = [budget.join(SITE), budget.join("https://cdn.example")];
    for (const seat of [one, other, one]) expect(sharersOf(seat)).toBe(1);
    one.leave();
    expect(warnings).toEqual([
      expect.stringMatching(/^guideferry cannot share the request rate with other runs on this machine, .*budgets/),
    ]);
  });

  it("that may only be read are told of once too", { tags: ["not-root"] }, () => {
    const { base, process, warnings } = machine();
    chmodSync(base, 0o500);
    const budget = process();
    expect(sharersOf(budget.join(SITE))).toBe(1);
    expect(warnings).toHaveLength(1);
    chmodSync(base, 0o700);
  });

  it("are not made by who has no rate to keep", () => {
    const { base, process } = machine();
    process().join(SITE).leave();
    expect(existsSync(join(base, "budgets"))).toBe(false);
  });
});
