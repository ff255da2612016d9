import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshotIdOf, timeOf } from "../../../src/storage/repository/names.js";
import { type Aged, keptBy, PERIODS, type Period, type Retention } from "../../../src/storage/repository/plan-prune.js";
import "../../helpers/seed.js";

const NOTHING: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
const DAY = 86_400_000;

/** A period counted in another way: by the number of days, Mondays and months since 1970. */
const NUMBER_OF: Readonly<Record<Exclude<Period, "last">, (time: Date) => number>> = {
  daily: (time) => Math.floor(time.getTime() / DAY),
  weekly: (time) => Math.floor((time.getTime() / DAY + 3) / 7),
  monthly: (time) => time.getUTCFullYear() * 12 + time.getUTCMonth(),
  yearly: (time) => time.getUTCFullYear(),
};

/** Snapshots of these names, whose runs began when their names say. */
function punctual(names: readonly string[]): readonly Aged[] {
  return names.map((snapshot) => ({ snapshot, started: timeOf(snapshot).toISOString() }));
}

/**
 * By the words of the rule: a snapshot is kept for a period when none is later in it, and fewer
 * such periods are later than asked for.
 */
function isKept(one: Aged, all: readonly Aged[], period: Period, asked: number): boolean {
  const numberOf = ({ snapshot, started }: Aged): number =>
    period === "last" ? all.filter((other) => other.snapshot <= snapshot).length : NUMBER_OF[period](new Date(started));
  const later = all.filter((other) => other.snapshot > one.snapshot);
  const laterPeriods = new Set(later.map(numberOf));
  const isLastOfPeriod = !laterPeriods.has(numberOf(one));
  if (isLastOfPeriod) return laterPeriods.size < asked;
  const isOldest = all.every((other) => other.snapshot >= one.snapshot);
  return isOldest && laterPeriods.size < asked;
}

const times = fc.array(fc.integer({ min: Date.UTC(2019, 11, 20) / 1000, max: Date.UTC(2027, 1, 1) / 1000 }), {
  maxLength: 60,
});
const near = fc
  .tuple(
    fc.integer({ min: Date.UTC(2020, 11, 20) / 1000, max: Date.UTC(2026, 0, 4) / 1000 }),
    fc.array(fc.nat(40 * 24)),
  )
  .map(([from, hours]) => hours.map((hour) => from + hour * 3600));
/** Nights by the true time; those that are named wrote the time of a clock that was wrong. */
const wrongClocks = fc.dictionary(
  fc.integer({ min: 0, max: 59 }).map(String),
  fc.integer({ min: Date.UTC(1970, 0, 1) / 1000, max: Date.UTC(2037, 0, 1) / 1000 }),
  { maxKeys: 4 },
);
const retention = fc.record(
  Object.fromEntries(PERIODS.map((period) => [period, fc.nat(8)])) as Record<Period, fc.Arbitrary<number>>,
);

/** Named as the writer names them: each later than the one before. */
function nightsOf(seconds: readonly number[], wrong: Readonly<Record<string, number>>): readonly Aged[] {
  const all: Aged[] = [];
  for (const [at, second] of [...new Set(seconds)].sort((one, other) => one - other).entries()) {
    const time = new Date((wrong[at] ?? second) * 1000);
    all.push({ snapshot: snapshotIdOf(time, all.at(-1)?.snapshot ?? null), started: time.toISOString() });
  }
  return all;
}

describe("what is kept", () => {
  it("is what the rule says, word by word", () => {
    fc.assert(
      fc.property(fc.oneof(times, near), wrongClocks, retention, (seconds, wrong, asked) => {
        const all = nightsOf(seconds, wrong);
        const kept = keptBy(all, asked);
        for (const one of all) {
          const expected = PERIODS.filter((period) => isKept(one, all, period, asked[period]));
          expect(kept.get(one.snapshot) ?? []).toEqual(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("never loses the youngest, whatever is asked for, and nothing when nothing is", () => {
    const all = ["20261118T030000Z", "20261119T030000Z", "20261120T030000Z"];
    for (const period of PERIODS)
      expect([...keptBy(punctual(all), { ...NOTHING, [period]: 1 }).keys()]).toEqual(["20261120T030000Z"]);
    expect(keptBy(punctual(all), NOTHING).size).toBe(0);
    expect(keptBy([], { ...NOTHING, last: 3 }).size).toBe(0);
  });

  it("keeps each day after a night with the clock years ahead, which takes one place", () => {
    const days = ["2026-11-17", "2026-11-18", "2029-08-15", "2026-11-19", "2026-11-20", "2026-11-20"];
    const all = nightsOf([1, 2, 3, 4, 5, 6], Object.fromEntries(days.map((day, at) => [at, Date.parse(day) / 1000])));
    const kept = [...keptBy(all, { ...NOTHING, daily: 4 }).keys()];
    expect(kept).toEqual([5, 3, 2, 1].map((at) => all[at]?.snapshot));
  });

  it("knows the weeks at the turn of the year, and keeps the oldest while there is room", () => {
    const all = ["20251228T120000Z", "20251229T120000Z", "20260101T120000Z", "20260104T120000Z", "20260105T120000Z"];
    const kept = (asked: Partial<Retention>) => keptBy(punctual(all), { ...NOTHING, ...asked });
    expect([...kept({ weekly: 9 }).keys()].sort()).toEqual([all[0], all[3], all[4]]);
    expect(kept({ yearly: 5 }).get(all[0] ?? "")).toEqual(["yearly"]);
    expect(kept({ monthly: 3 }).get(all[0] ?? "")).toEqual(["monthly"]);
  });
});
