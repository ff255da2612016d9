import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { crashSite, runUntilKilled } from "../helpers/crash-site.js";
import { loadInto } from "../helpers/migration.js";

const site = crashSite();
/** Places that are tried in every run of the tests; `npm run crash` tries every single request. */
const PLACES = 6;

test("a run with many requests under way that is killed anywhere ends like one that never was", async () => {
  const { requests } = site.undisturbed();
  const stride = process.env["GUIDEFERRY_CRASH_TEST"] === "full" ? 1 : Math.ceil(requests / PLACES);
  let runs = 0;
  for (let number = 1; number <= requests; number += stride) {
    for (const applied of [false, true]) {
      await killOnceAndCompare(number, applied);
      runs += 1;
    }
  }
  expect(runs).toBeGreaterThanOrEqual(2 * PLACES);
}, 7_200_000);

async function killOnceAndCompare(nth: number, applied: boolean): Promise<void> {
  const workspace = await site.copy();
  const target = await startSandbox();
  try {
    await runUntilKilled(target, workspace, { nth, applied, writesOnly: false, concurrency: 4 });
    await loadInto(target, workspace);
    const expected = site.undisturbed().state;
    expect(target.namedState(), `killed at request ${nth}, applied: ${applied}`).toEqual(expected);
  } finally {
    await target.close();
    await rm(workspace, { recursive: true, force: true });
  }
}
