import "../helpers/seed.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { refreshSchedule } from "../../src/sync/extract/run.js";

const STARTED = 2000;
const now = (): number => 3000;
const keys = fc.uniqueArray(
  fc.nat().map((id): Key => `guide/${id}`),
  { minLength: 1, maxLength: 50 },
);

test("everything is due once in a cycle, wherever it begins", () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 40 }), fc.nat(100_000), (all, cycle, first) => {
      for (const key of all) {
        const schedule = Array.from({ length: cycle }, (_, place) =>
          refreshSchedule({ cycle, completedExtracts: first + place, startedAt: STARTED, now }).isDue(key, 0),
        );
        expect(schedule.filter((isDue) => isDue)).toHaveLength(1);
      }
    }),
  );
});

test("what was read since the extract first started is not due", () => {
  const schedule = refreshSchedule({ cycle: 1, completedExtracts: 3, startedAt: STARTED, now });
  expect([1999, 2000, 2001].map((readAt) => schedule.isDue("guide/1", readAt))).toEqual([true, true, false]);
});

test("what seems to have been read in the future is due at any place of the cycle", () => {
  fc.assert(
    fc.property(keys, fc.nat(100), ([key = "guide/1"], place) => {
      const schedule = refreshSchedule({ cycle: 14, completedExtracts: place, startedAt: STARTED, now });
      expect([schedule.isDue(key, 3001), schedule.isDue(key, 3000)]).toEqual([true, false]);
    }),
  );
});

test("the shares of a large site are even", () => {
  const all = Array.from({ length: 14_000 }, (_, id): Key => `guide/${id}`);
  for (let place = 0; place < 14; place += 1) {
    const schedule = refreshSchedule({ cycle: 14, completedExtracts: place, startedAt: STARTED, now });
    const share = all.filter((key) => schedule.isDue(key, 0)).length;
    expect(Math.abs(share - 1000)).toBeLessThan(150);
  }
});
