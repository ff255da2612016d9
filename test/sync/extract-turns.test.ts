import "../helpers/seed.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { createTurns } from "../../src/sync/extract/run.js";

const BEGUN = 2000;
const now = (): number => 3000;
const keys = fc.uniqueArray(
  fc.nat().map((id): Key => `guide/${id}`),
  { minLength: 1, maxLength: 50 },
);

test("whatever the night, everything has its turn once in so many", () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 40 }), fc.nat(100_000), (all, nights, first) => {
      for (const key of all) {
        const turns = Array.from({ length: nights }, (_, night) =>
          createTurns({ nights, night: first + night, begun: BEGUN, now }).isDue(key, 0),
        );
        expect(turns.filter((isDue) => isDue)).toHaveLength(1);
      }
    }),
  );
});

test("what was read since the night began has had its turn", () => {
  const turns = createTurns({ nights: 1, night: 3, begun: BEGUN, now });
  expect([1999, 2000, 2001].map((readAt) => turns.isDue("guide/1", readAt))).toEqual([true, true, false]);
});

test("what seems to have been read in the future is due in whichever night", () => {
  fc.assert(
    fc.property(keys, fc.nat(100), ([key = "guide/1"], night) => {
      const turns = createTurns({ nights: 14, night, begun: BEGUN, now });
      expect([turns.isDue(key, 3001), turns.isDue(key, 3000)]).toEqual([true, false]);
    }),
  );
});

test("the shares of a large site are even", () => {
  const all = Array.from({ length: 14_000 }, (_, id): Key => `guide/${id}`);
  for (let night = 0; night < 14; night += 1) {
    const turns = createTurns({ nights: 14, night, begun: BEGUN, now });
    const share = all.filter((key) => turns.isDue(key, 0)).length;
    expect(Math.abs(share - 1000)).toBeLessThan(150);
  }
});
