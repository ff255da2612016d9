import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { chaosFleet, childrenOf, contentOf, type Pair, titlesOf } from "./chaos-fleet.js";
import { cuttableProxy, type Lost } from "./cuttable-proxy.js";

const GUIDES = 20;
const CUTS: readonly (readonly [seconds: number, lost: Lost])[] = [
  [5, "late"],
  [5, "never"],
  [20, "late"],
  [20, "never"],
  [60, "late"],
  [60, "never"],
];

describe("a cut between a machine and Postgres", { tags: ["postgres", "linux"] }, () => {
  let undisturbed: Pick<Pair, "source" | "target"> & { readonly creates: number; readonly content: unknown };

  it("is compared with an undisturbed migration", async () => {
    const fleet = await chaosFleet({ pairs: 1, guides: GUIDES });
    fleet.startMachine();
    await fleet.settled();
    const [pair] = fleet.pairs;
    if (pair === undefined) throw new Error("the fleet has no pair");
    undisturbed = { ...pair, creates: createsOf(pair), content: contentOf(pair) };
  });

  it.each(CUTS)("of %d s, whose bytes come %s: every create is done once", async (seconds, lost) => {
    const fleet = await chaosFleet({
      pairs: 1,
      guides: GUIDES,
      words: ["--rate", "6/s"],
      environment: { GUIDEFERRY_FLEET_LONGEST_REQUEST: "3" },
    });
    const [pair] = fleet.pairs;
    if (pair === undefined) throw new Error("the fleet has no pair");
    const address = new URL(fleet.postgres.address);
    const proxy = await cuttableProxy(Number(address.port));
    address.port = String(proxy.port);
    const cutOff = fleet.startMachine({ database: address.href });
    while (pair.writes().length < 20) await sleep(50);
    fleet.startMachine();
    await sleep(3000);
    expect(childrenOf(cutOff)).toHaveLength(1);
    proxy.cut(lost);
    expect(proxy.heldUp()).toBeGreaterThan(0);
    const [at, before] = [performance.now(), pair.writes().length];
    await sleep(seconds * 1000);
    const during = pair.writes().length - before;
    proxy.mend();
    const [task] = await fleet.settled();
    const runs = await fleet.database.query<{ readonly worker: string; readonly exit: number | null }>(
      "SELECT worker, exit_code AS exit FROM guideferry.run ORDER BY started",
    );
    const ends = runs.map(({ worker, exit }) => `${worker.includes(`-${cutOff.pid}-`) ? "cut off" : "other"} ${exit}`);
    const total = ((performance.now() - at) / 1000).toFixed(1);
    console.log(
      `${seconds} s, ${lost}: ${during} writes during the cut, runs ended ${ends.join(", ")}; ${total} s in all`,
    );
    expect([task?.state, task?.exit]).toEqual(["done", 0]);
    expect(titlesOf(pair.target)).toEqual(titlesOf(pair.source));
    expect(contentOf(pair)).toEqual(undisturbed.content);
    expect(createsOf(pair)).toBe(undisturbed.creates);
    expect(await fleet.verify()).toEqual([0]);
  });
});

/** What the site created at the request of a run, also one whose answer nobody read. */
function createsOf({ target }: Pick<Pair, "target">): number {
  return target.recorded.filter(({ method, status = 0 }) => method === "POST" && status >= 200 && status < 300).length;
}
