import { expect, test } from "vitest";
import { crashSite, killOnce, PART } from "../helpers/crash-site.js";

const site = crashSite();
const part = crashSite(PART);
/**
 * Places that are tried in every run of the tests, before and after the site did what was asked by
 * turns, as `crash-each-write` does at writes of each kind of a part; `npm run crash` tries both at
 * every single request.
 */
const PLACES = 4;
const IS_FULL = process.env["GUIDEFERRY_CRASH_TEST"] === "full";

/**
 * Of the probe of limits, which one long line of the whole site needs; `step-limits.test.ts` kills
 * that.
 */
const PROBE = ["DELETE /guides/N", "DELETE /wikis/CATEGORY/T", "GET /guides/N", "GET /wikis/CATEGORY/T"];

test("a run with many requests under way that is killed anywhere ends like one that never was", async () => {
  const { requests } = site.undisturbed();
  const stride = IS_FULL ? 1 : Math.ceil(requests / PLACES);
  let runs = 0;
  for (let number = 1; number <= requests; number += stride) {
    for (const applied of IS_FULL ? [false, true] : [runs % 2 === 1]) {
      await killOnce(site, { nth: number, applied, writesOnly: false, concurrency: 4 });
      runs += 1;
    }
  }
  expect(runs).toBeGreaterThanOrEqual(PLACES);
}, 7_200_000);

test("the part of the site that is killed at each request sends every kind of request that the whole one sends", () => {
  const left = [...site.undisturbed().kinds].filter((kind) => !part.undisturbed().kinds.has(kind));
  expect(left.toSorted()).toEqual(PROBE);
  expect(part.undisturbed().writes).toBeLessThan(site.undisturbed().writes / 2);
});
