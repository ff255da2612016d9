import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStarts, paceOf } from "../../src/api/pace.js";
import { createOriginBudget, type OriginSeat } from "../../src/workspace/origin-budget.js";
import { temporaryFolder } from "./helpers/samples.js";

const SITE = "https://site.example";
const WINDOW = 1020;

/** Budgets as several processes have them, on one clock. */
function machine(base = temporaryFolder()) {
  const warnings: string[] = [];
  const time = { now: 5_000_000 };
  const process = () => createOriginBudget({ base, warn: (text) => warnings.push(text), now: () => time.now });
  return { base, warnings, time, process, seat: (origin = SITE) => process().join(origin) };
}

const file = (base: string): string => {
  const [name = ""] = readdirSync(join(base, "budgets")).filter((each) => each.endsWith(".sqlite"));
  return join(base, "budgets", name);
};

describe("what several processes may ask of one site", () => {
  it("is divided among those who ask it; who comes last waits until the others made room", () => {
    const { seat, time } = machine();
    const [first, second, stranger] = [seat(), seat(), seat("https://other.example")];
    expect(first.share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    expect(stranger.share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    expect(second.share(WINDOW)).toEqual({ sharers: 2, wait: WINDOW });
    expect(first.share(WINDOW)).toEqual({ sharers: 2, wait: 0 });
    time.now += 1000;
    expect(second.share(WINDOW)).toEqual({ sharers: 2, wait: 20 });
    time.now += 20;
    expect(second.share(WINDOW)).toEqual({ sharers: 2, wait: 0 });
    expect(stranger.share(WINDOW).sharers).toBe(1);
  });

  it("is the others' again some three seconds after a process was killed or went to sleep, and that one queues up anew", () => {
    const { seat, time } = machine();
    const [living, killed] = [seat(), seat()];
    living.share(WINDOW);
    killed.share(WINDOW);
    time.now += 3039;
    expect(living.share(WINDOW).sharers).toBe(2);
    time.now += 1;
    expect(living.share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    expect(killed.share(WINDOW)).toEqual({ sharers: 2, wait: WINDOW });
    expect(living.share(WINDOW).sharers).toBe(2);
  });

  it("is kept by who asks at least every three seconds, and at slow rates as long as two windows", () => {
    const { seat, time } = machine();
    const [steady, other] = [seat(), seat()];
    steady.share(WINDOW);
    for (let look = 0; look < 20; look += 1) {
      time.now += 1900;
      // Who lost it would have to wait again.
      expect(steady.share(WINDOW).wait).toBe(0);
      expect(other.share(WINDOW).sharers).toBe(2);
    }
    const slow = seat("https://slow.example");
    slow.share(30_000);
    time.now += 60_000;
    expect(seat("https://slow.example").share(30_000)).toEqual({ sharers: 2, wait: 30_000 });
  });

  it("is the others' one window after the last start of a process that ended, at once when it started nothing", () => {
    const { seat, time } = machine();
    const [staying, leaving, idle] = [seat(), seat(), seat()];
    for (const each of [staying, leaving, idle]) each.share(WINDOW);
    leaving.started();
    leaving.leave();
    idle.leave();
    expect(staying.share(WINDOW).sharers).toBe(2);
    time.now += WINDOW;
    expect(staying.share(WINDOW).sharers).toBe(1);
    seat().leave();
  });

  it("does not hang on what was left from before the machine started anew", () => {
    const { seat, time } = machine();
    seat().share(WINDOW);
    time.now = 1000;
    const after = seat();
    expect(after.share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    time.now = 4_999_000;
    expect(seat().share(WINDOW).sharers).toBe(1);
  });

  it("is never above the rate in any window, whoever comes, stops for a while, leaves or is killed", () => {
    const RATE = 6;
    const events = fc.array(
      fc.record({
        passed: fc.oneof(fc.nat(60), fc.nat(900), fc.nat(6000)),
        who: fc.nat(3),
        act: fc.constantFrom("start", "start", "start", "start", "start", "start", "leave", "kill"),
      }),
      { maxLength: 250 },
    );
    fc.assert(
      fc.property(events, (acts) => {
        const { seat, time } = machine();
        const processes = new Map<number, { seat: OriginSeat; starts: ReturnType<typeof createStarts> }>();
        const all: number[] = [];
        for (const { passed, who, act } of acts) {
          time.now += passed;
          const one = processes.get(who) ?? { seat: seat(), starts: createStarts(RATE) };
          processes.set(who, one);
          if (act === "leave") one.seat.leave();
          if (act !== "start") {
            processes.delete(who);
            continue;
          }
          const { sharers, wait } = one.seat.share(WINDOW);
          const pace = paceOf(RATE / sharers);
          if (pace === undefined || Math.max(wait, one.starts.wait(pace, time.now)) > 0) continue;
          one.starts.add(time.now);
          one.seat.started();
          all.push(time.now);
          expect(all.filter((start) => start > time.now - 1000).length).toBeLessThanOrEqual(RATE);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("the notes about it", () => {
  it("are for their owner only, name sites and nothing else, and shrink again", () => {
    const { base, seat, time } = machine();
    for (let n = 0; n < 50; n += 1) seat().share(WINDOW);
    expect(statSync(join(base, "budgets")).mode & 0o777).toBe(0o700);
    expect(statSync(file(base)).mode & 0o777).toBe(0o600);
    time.now += 4000;
    expect(seat().share(WINDOW).sharers).toBe(1);
  });

  it("are made anew when they are damaged", () => {
    const { base, seat, warnings } = machine();
    seat().share(WINDOW);
    const other = machine();
    mkdirSync(join(other.base, "budgets"));
    writeFileSync(
      file(base).replace(base, other.base),
      "no database at all, but long enough to look like one ".repeat(99),
    );
    expect(other.seat().share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    expect(other.seat().share(WINDOW).sharers).toBe(2);
    expect([...warnings, ...other.warnings]).toEqual([]);
  });

  it("that can't be kept are told of once, and each goes on alone", () => {
    const { base, process, warnings } = machine();
    writeFileSync(join(base, "budgets"), "a file where a folder is needed");
    const budget = process();
    const [one, other] = [budget.join(SITE), budget.join("https://cdn.example")];
    for (const seat of [one, other, one]) expect(seat.share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    one.leave();
    expect(warnings).toEqual([
      expect.stringMatching(/^Other runs of guideferry on this machine are not counted: .*budgets/),
    ]);
  });

  it("that may only be read are told of once too", { tags: ["not-root"] }, () => {
    const { base, process, warnings } = machine();
    chmodSync(base, 0o500);
    const budget = process();
    expect(budget.join(SITE).share(WINDOW)).toEqual({ sharers: 1, wait: 0 });
    expect(warnings).toHaveLength(1);
    chmodSync(base, 0o700);
  });

  it("are not made by who has no rate to keep", () => {
    const { base, process } = machine();
    process().join(SITE).leave();
    expect(existsSync(join(base, "budgets"))).toBe(false);
  });
});
