import { expect, test } from "vitest";
import { crashSite, killOnce, PART } from "../helpers/crash-site.js";

const site = crashSite(PART);

test("a run that is killed at any of its reads ends like one that never was", async () => {
  const { reads } = site.undisturbed();
  // Whether the site still answered makes no difference to it: a read changes nothing there.
  for (const nth of reads) await killOnce(site, { nth, applied: false, writesOnly: false, concurrency: 1 });
  expect(reads.length).toBeGreaterThan(5);
}, 900_000);
