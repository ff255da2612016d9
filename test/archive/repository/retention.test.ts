import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshotIdOf, timeOf } from "../../../src/archive/repository/names.js";
import { keptBy, PERIODS, type Period, type Retention } from "../../../src/archive/repository/retention.js";
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

/** By the words of the rule: a snapshot is kept for a period when none is later in it, and fewer such periods are later than asked for. */
function isKept(id: string, all: readonly string[], period: Period, asked: number): boolean {
  const numberOf = (one: string): number =>
    period === "last" ? all.filter((other) => other <= one).length : NUMBER_OF[period](timeOf(one));
  const later = all.filter((other) => other > id);
  const laterPeriods = new Set(later.map(numberOf));
  const isLastOfPeriod = !laterPeriods.has(numberOf(id));
  if (isLastOfPeriod) return laterPeriods.size < asked;
  const isOldest = all.every((other) => other >= id);
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
const retention = fc.record(
  Object.fromEntries(PERIODS.map((period) => [period, fc.nat(8)])) as Record<Period, fc.Arbitrary<number>>,
);

describe("what is kept", () => {
  it("is what the rule says, word by word", () => {
    fc.assert(
      fc.property(fc.oneof(times, near), retention, (seconds, asked) => {
        const all = [...new Set(seconds.map((second) => snapshotIdOf(new Date(second * 1000), null)))];
        const kept = keptBy(all, asked);
        for (const id of all) {
          const expected = PERIODS.filter((period) => isKept(id, all, period, asked[period]));
          expect(kept.get(id) ?? []).toEqual(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("never loses the youngest, whatever is asked for, and nothing when nothing is", () => {
    const all = ["20261118T030000Z", "20261119T030000Z", "20261120T030000Z"];
    for (const period of PERIODS)
      expect([...keptBy(all, { ...NOTHING, [period]: 1 }).keys()]).toEqual(["20261120T030000Z"]);
    expect(keptBy(all, NOTHING).size).toBe(0);
    expect(keptBy([], { ...NOTHING, last: 3 }).size).toBe(0);
  });

  it("knows the weeks at the turn of the year, and keeps the oldest while there is room", () => {
    const all = ["20251228T120000Z", "20251229T120000Z", "20260101T120000Z", "20260104T120000Z", "20260105T120000Z"];
    expect([...keptBy(all, { ...NOTHING, weekly: 9 }).keys()].sort()).toEqual([all[0], all[3], all[4]]);
    expect(keptBy(all, { ...NOTHING, yearly: 5 }).get(all[0] ?? "")).toEqual(["yearly"]);
    expect(keptBy(all, { ...NOTHING, monthly: 3 }).get(all[0] ?? "")).toEqual(["monthly"]);
  });
});
