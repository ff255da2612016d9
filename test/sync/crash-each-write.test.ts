import { expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { crashSite, PART, runUntilKilled } from "../helpers/crash-site.js";
import { loadInto } from "../helpers/migration.js";

const site = crashSite(PART);

test("a run that is killed at every single write, before and after it was applied, ends like one that never was", async () => {
  const workspace = await site.copy();
  const target = await startSandbox();
  const ends: string[] = [];
  try {
    // Killed before its first write, then after it; from then on each run gets one write further
    // than the one before. A write that takes two requests (409, then again) would never be got
    // over that way: the third try gets one more.
    for (let isOver = false; !isOver; ) {
      const applied = ends.length % 2 === 1;
      const isStuck = ends.length > 6 && new Set(ends.slice(-6)).size === 1;
      const nth = applied || ends.length === 0 ? 1 : isStuck ? 3 : 2;
      isOver = await runUntilKilled(target, workspace, { nth, applied, writesOnly: true, concurrency: 1 });
      ends.push(lastWrite(target));
    }
    expect(ends.length).toBeGreaterThan(site.undisturbed().writes);
    expect(target.namedState()).toEqual(site.undisturbed().state);
    expect((await loadInto(target, workspace)).writes).toBe(0);
  } finally {
    await target.close();
  }
}, 900_000);

function lastWrite(target: Sandbox): string {
  const { method, path } = target.recorded.findLast((request) => request.method !== "GET") ?? {};
  return `${method} ${path}`;
}
