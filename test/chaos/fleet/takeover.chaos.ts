import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fleetTask, startRun } from "../../fleet/helpers/fleet-task.js";
import { guideItem } from "../../helpers/items.js";
import { objectStorage, useStorage } from "../../helpers/object-storage.js";
import { withResolvers } from "../../helpers/with-resolvers.js";
import { chaosFleet, childrenOf } from "./chaos-fleet.js";

/** Seconds. A machine that does other work at the same time needs more. */
const WITHIN = Number(process.env["TAKEOVER_WITHIN"] ?? "15");
const RESTORED_WITHIN = Number(process.env["RESTORED_WITHIN"] ?? "5");
/** Seconds that a successor waits for what a killed holder sent: 8 of the lease, 30 of the longest request. */
const PENDING = 38;

describe("a task whose process is killed", { tags: ["postgres", "linux"] }, () => {
  it.each([
    ["worker", "PATCH"],
    ["machine", "PATCH"],
    ["child", "PATCH"],
    ["machine", "POST"],
  ] as const)("is continued in time: the %s, at a %s", async (whom, method) => {
    // One item at a time: while a guide is changed, no other one is created.
    const words = ["--rate", "50/s", "--concurrency", "1"];
    const fleet = await chaosFleet({ pairs: 1, guides: 15, words });
    const [pair] = fleet.pairs;
    if (pair === undefined) throw new Error("the fleet has no pair");
    const first = fleet.startMachine();
    const [begun, killed] = [withResolvers(), withResolvers()];
    let [writes, kills, before, at] = [0, 0, 0, 0];
    pair.target.faults.decide((request) => {
      if (request.method === "GET") return undefined;
      writes += 1;
      begun.resolve();
      if (writes < 10 || kills > 0 || request.method !== method) return undefined;
      kills += 1;
      const children = childrenOf(first).map(({ pid }) => pid);
      for (const pid of { worker: [first.pid], machine: [first.pid, ...children], child: children }[whom])
        process.kill(pid, "SIGKILL");
      [before, at] = [pair.writes().length, performance.now()];
      killed.resolve();
      return undefined;
    });
    await begun.promise;
    fleet.startMachine();
    await killed.promise;
    while (pair.writes().length === before) await sleep(10);
    const seconds = (performance.now() - at) / 1000;
    const place = pair.writes()[before];
    console.log(
      `SIGKILL of the ${whom} at a ${method}: next write after ${seconds.toFixed(1)} s, ${place?.method} ${place?.path}`,
    );
    expect(kills).toBe(1);
    expect(seconds).toBeLessThanOrEqual(WITHIN + (method === "POST" ? PENDING : 0));
    await fleet.settled();
    expect(await fleet.verify()).toEqual([0]);
  });
});

describe("the state of 1,000 items", { tags: ["postgres", "radosgw"] }, () => {
  const storage = objectStorage();

  it("is restored in time from S3", async () => {
    useStorage(storage.endpoint);
    const [fleet, store] = [await fleetTask(), `s3://${await storage.bucket()}/fleet`];
    const first = await startRun(fleet, { store });
    const workspace = await first.open();
    await Promise.all(Array.from({ length: 1000 }, (_, id) => workspace.items.putWithOthers(guideItem(id + 1))));
    const started = performance.now();
    const second = await startRun(fleet, { store });
    const seconds = (performance.now() - started) / 1000;
    console.log(`1,000 items restored in ${seconds.toFixed(2)} s`);
    expect(second.how).toBe("restored");
    const restored = await second.open();
    expect(restored.items.counts().guide.present).toBe(1000);
    await restored.close();
    expect(seconds).toBeLessThanOrEqual(RESTORED_WITHIN);
  });
});
