import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedSync } from "../../src/storage/sqlite.js";
import { withResolvers } from "../helpers/with-resolvers.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await turn();
}

test("whoever is told had written before the wait that he was told of began, whoever else asks meanwhile", async () => {
  // Turns of the event loop before each one writes, and that each wait for the disk takes.
  const schedule = fc.record({
    asks: fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 12 }),
    waits: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(schedule, async ({ asks, waits }) => {
      const written: number[] = [];
      let onDisk: readonly number[] = [];
      let syncs = 0;
      const shared = new SharedSync("", async () => {
        const seen = [...written];
        await turns(waits[syncs++ % waits.length] ?? 0);
        onDisk = seen;
      });
      const ask = async (pause: number, who: number): Promise<void> => {
        await turns(pause);
        written.push(who);
        await shared.sync();
        expect(onDisk).toContain(who);
      };
      await Promise.all(asks.map(ask));
      expect(syncs).toBeLessThanOrEqual(asks.length);
    }),
    { numRuns: 60 },
  );
});

test("those who ask while one waits for the disk share the next wait", async () => {
  const first = withResolvers();
  let syncs = 0;
  const shared = new SharedSync("", async () => {
    syncs += 1;
    if (syncs === 1) await first.promise;
  });
  const early = shared.sync();
  await turns(2);
  const late = Array.from({ length: 20 }, () => shared.sync());
  await turn();
  expect(syncs).toBe(1);
  first.resolve();
  await Promise.all([early, ...late]);
  expect(syncs).toBe(2);
});

test("once the disk refused nobody is told that anything is on it", async () => {
  let syncs = 0;
  const shared = new SharedSync("", async () => {
    syncs += 1;
    if (syncs === 2) throw new Error("EIO");
  });
  await shared.sync();
  await expect(shared.sync()).rejects.toThrow("EIO");
  await expect(shared.sync()).rejects.toThrow("EIO");
  expect(syncs).toBe(2);
});

// A device that takes everything has nothing to sync, and Linux says so.
test("the system is really asked", { tags: ["shared"] }, async () => {
  await expect(new SharedSync("/dev/null").sync()).rejects.toThrow(/EINVAL.*fdatasync/);
});
