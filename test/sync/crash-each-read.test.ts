import { expect, test } from "vitest";
import { crashSite, killOnce, PART } from "../helpers/crash-site.js";

const site = crashSite(PART);
/** Every third one in each run of the tests; `npm run crash` tries them all. */
const STRIDE = process.env["GUIDEFERRY_CRASH_TEST"] === "full" ? 1 : 3;

test("a run that is killed at any of its reads ends like one that never was", async () => {
  const { reads } = site.undisturbed();
  const tried = reads.filter((_nth, at) => at % STRIDE === 0);
  // Whether the site still answered makes no difference to it: a read changes nothing there.
  for (const nth of tried) await killOnce(site, { nth, applied: false, writesOnly: false, concurrency: 1 });
  expect(tried.length).toBeGreaterThan(3);
}, 900_000);
