import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { crashSite, killOnce, kindOf, PART } from "../helpers/crash-site.js";
import { loadInto } from "../helpers/migration.js";

/** `npm run crash` kills loads of the whole sample site at each of their requests. */
const IS_FULL = process.env["GUIDEFERRY_CRASH_TEST"] === "full";
/** Places in each run of the tests, for a load with many requests under way. */
const PLACES = 2;
/** Kills at each kind of write before it is applied, and as many after it. */
const KILLS = Number(process.env["KILLS"] ?? 1);

const part = crashSite(PART);
const site = IS_FULL ? crashSite() : part;

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

// By default the next test kills at one read of each kind.
if (IS_FULL) {
  test("a run that is killed at any of its reads ends like one that never was", async () => {
    const { reads } = part.undisturbed();
    // Whether the site still answered makes no difference to it: a read changes nothing there.
    for (const nth of reads) await killOnce(part, { nth, applied: false, writesOnly: false, concurrency: 1 });
    expect(reads.length).toBeGreaterThan(0);
  }, 900_000);
}

test("a load that is killed again and again, at reads of every kind and at writes of every kind, before and after they are applied, ends like one that never was", async () => {
  const workspace = await part.copy();
  const target = await startSandbox();
  const killed = new Map<string, number>();
  try {
    for (let isOver = false; !isOver; ) {
      const kill = new AbortController();
      target.faults.decide((request) => {
        if (!request.isApi || kill.signal.aborted) return undefined;
        const kind = kindOf(request);
        const kills = killed.get(kind) ?? 0;
        if (kills === (request.method === "GET" ? 1 : 2 * KILLS)) return undefined;
        killed.set(kind, kills + 1);
        return { kind: "stall", applied: kills % 2 === 1, reached: () => kill.abort(new Error("killed by the test")) };
      });
      isOver = await loadInto(target, workspace, { concurrency: 1, kill: kill.signal }).then(
        () => true,
        (error: unknown) => {
          if (!kill.signal.aborted) throw error;
          return false;
        },
      );
    }
    const { kinds, state } = part.undisturbed();
    expect([...killed.keys()]).toEqual(
      expect.arrayContaining([...kinds].filter((kind) => !kind.startsWith("GET /media"))),
    );
    expect(target.namedState()).toEqual(state);
    target.faults.clear();
    expect((await loadInto(target, workspace)).writes).toBe(0);
  } finally {
    await target.close();
  }
}, 900_000);
