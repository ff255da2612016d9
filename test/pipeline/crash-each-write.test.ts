import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { crashSite, runUntilKilled } from "../helpers/crash-site.js";
import { loadInto } from "../helpers/migration.js";

const site = crashSite();

test("a run that is killed at every single write, before and after it was applied, ends like one that never was", async () => {
  const workspace = await site.copy();
  const target = await startSandbox();
  let kills = 0;
  try {
    // Killed before its first write, then after it; from then on each run gets one write further than the one before.
    for (let isOver = false; !isOver; kills += 1) {
      const applied = kills % 2 === 1;
      const nth = applied || kills === 0 ? 1 : 2;
      isOver = await runUntilKilled(target, workspace, { nth, applied, writesOnly: true, concurrency: 1 });
    }
    expect(kills).toBeGreaterThan(site.undisturbed().writes);
    expect(target.namedState()).toEqual(site.undisturbed().state);
    expect((await loadInto(target, workspace)).writes).toBe(0);
  } finally {
    await target.close();
  }
}, 900_000);
