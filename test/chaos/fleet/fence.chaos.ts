import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { withResolvers } from "../../helpers/with-resolvers.js";
import { type ChaosFleet, chaosFleet, childrenOf, isAlive, stateOf, titlesOf } from "./chaos-fleet.js";
import { withoutFence } from "./without-fence.js";

const GUIDES = 12;

describe("a run that wakes up when another one has done its work", { tags: ["postgres", "linux"] }, () => {
  it("writes nothing at the site and no row", async () => {
    const { writes, rows, twice } = await woken();
    expect({ writes, rows, twice }).toEqual({ writes: [], rows: 0, twice: [] });
  });

  it("does, without the fence", async () => {
    const { writes, rows, twice } = await woken(await withoutFence());
    console.log(`Without the fence: ${writes.length} writes, ${rows} rows, ${twice.length} guides twice`);
    expect(writes.length).toBeGreaterThan(0);
    expect(twice.length).toBeGreaterThan(0);
  });
});

interface Woken {
  /** Requests that wrote after it woke up. */
  readonly writes: readonly string[];
  /** Rows of the shared state since then. */
  readonly rows: number;
  /** Titles that the target has more than once. */
  readonly twice: readonly string[];
}

/** A machine is stopped amid its creates, another one does the whole work, and the first goes on. */
async function woken(program?: string): Promise<Woken> {
  const fleet = await chaosFleet({
    pairs: 1,
    guides: GUIDES,
    // So slow that creates wait for their turn when the machine is stopped.
    words: ["--rate", "10/s"],
    environment: { GUIDEFERRY_FLEET_LONGEST_REQUEST: "2" },
    ...(program === undefined ? {} : { program }),
  });
  const [pair] = fleet.pairs;
  if (pair === undefined) throw new Error("the fleet has no pair");
  const first = fleet.startMachine();
  const stopped = withResolvers();
  let [creates, pid] = [0, 0];
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "POST" || path !== "/guides") return undefined;
    creates += 1;
    if (creates !== 2) return undefined;
    const [child] = childrenOf(first);
    if (child === undefined) throw new Error("no child runs");
    pid = child.pid;
    for (const each of [first.pid, pid]) process.kill(each, "SIGSTOP");
    stopped.resolve();
    return undefined;
  });
  await stopped.promise;
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
  await sleep(50);
  expect(stateOf(pid)).toBe("T");
  fleet.startMachine();
  await fleet.settled();
  expect(titlesOf(pair.target)).toEqual(titlesOf(pair.source));
  const [writes, rows] = [pair.writes().length, await rowsOf(fleet)];
  // Its worker would end it; the fence is asked alone.
  process.kill(pid, "SIGCONT");
  while (isAlive(pid)) await sleep(100);
  expect(first.worker.child.kill("SIGKILL")).toBe(true);
  await once(first.worker.child, "exit");
  const titles = titlesOf(pair.target);
  return {
    writes: pair
      .writes()
      .slice(writes)
      .map(({ method, path }) => `${method} ${path}`),
    rows: (await rowsOf(fleet)) - rows,
    twice: titles.filter((title, index) => titles.indexOf(title) !== index),
  };
}

/** The number of all rows ever added. */
async function rowsOf({ database }: ChaosFleet): Promise<number> {
  const [row] = await database.query<{ readonly rows: number }>(
    `SELECT (SELECT count(*) FROM guideferry.state_change)::int + coalesce(max(position), 0)::int AS rows FROM guideferry.state_base`,
  );
  return row?.rows ?? Number.NaN;
}
