import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ChaosFleet,
  type Child,
  chaosFleet,
  childrenOf,
  contentOf,
  isAlive,
  type Machine,
  type Pair,
  stateOf,
  titlesOf,
} from "./chaos-fleet.js";
import { withoutFence } from "./without-fence.js";

/** Guides of each source, and requests a second at each site: an undisturbed run takes some 45 s. */
const GUIDES = numberOf("GUIDES", 24);
const RATE = numberOf("RATE", 12);
/** Seconds for everything. A machine that does other work at the same time needs more. */
const WITHIN = numberOf("WITHIN", 150);
const SEED = numberOf("CHAOS_SEED", Math.floor(Math.random() * 2 ** 31));
const MACHINES = 3;
/** Milliseconds: longer than a lease, and than the heartbeat of a job. */
const STOPPED_FOR = 14_000;

/** What happens, in random order: the numbers of issue 21. */
const DISTURBANCES = [
  ...["kill worker", "kill worker", "kill worker", "kill child", "kill child", "kill machine"],
  ...["stop machine", "stop machine", "stop child"],
  ...["crash database", "crash database", "kill gateway"],
] as const;
type Disturbance = (typeof DISTURBANCES)[number];

describe("four migrations on three machines", { tags: ["postgres", "radosgw", "linux"] }, () => {
  it("end as undisturbed ones, whatever is killed, stopped and restarted meanwhile", async () => {
    const { fleet, log, seconds, undisturbed } = await disturbed();
    const tasks = await fleet.tasks();
    console.log(`all done after ${seconds.toFixed(1)} s; runs:\n${await runsOf(fleet)}`);
    expect(log.filter((line) => line.includes("by itself"))).toEqual([]);
    expect(log).toHaveLength(DISTURBANCES.length);
    expect(tasks.map(({ state, exit }) => [state, exit])).toEqual(tasks.map(() => ["done", 0]));
    for (const pair of fleet.pairs) {
      expect(titlesOf(pair.target)).toEqual(titlesOf(pair.source));
      expect(new Set(titlesOf(pair.target)).size).toBe(GUIDES);
      expect(contentOf(pair)).toEqual(undisturbed);
    }
    expect(await fleet.verify()).toEqual(fleet.pairs.map(() => 0));
    expect(seconds, `${seconds} s: with WITHIN=300, on a busy machine`).toBeLessThanOrEqual(WITHIN);
  });

  it.runIf(process.env["WITHOUT_FENCE"] === "true")("do not, without the fence", async () => {
    const outcome = await disturbed(await withoutFence()).then(
      ({ fleet, undisturbed }) => fleet.pairs.every((pair) => isDeepStrictEqual(contentOf(pair), undisturbed)),
      (error: unknown) => error,
    );
    console.log("Without the fence:", outcome);
    expect(outcome).not.toBe(true);
  });
});

interface Outcome {
  readonly fleet: ChaosFleet;
  /** What happened to whom, a line each. */
  readonly log: readonly string[];
  readonly seconds: number;
  /** The content of a target without disturbances. */
  readonly undisturbed: unknown;
}

async function disturbed(program?: string): Promise<Outcome> {
  const fleet = await chaosFleet({
    pairs: 4,
    guides: GUIDES,
    words: ["--rate", `${RATE}/s`],
    // A request arrives at once here, also from a process that is killed then.
    environment: { GUIDEFERRY_FLEET_LONGEST_REQUEST: "3" },
    storage: "s3",
    ...(program === undefined ? {} : { program }),
  });
  const undisturbed = await contentWithout(program);
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  console.log(`CHAOS_SEED=${SEED}`);
  const chaos = new Chaos(fleet, SEED, seconds);
  for (let place = 0; place < MACHINES; place += 1) chaos.startMachine();
  const settled = fleet.settled();
  await Promise.all([chaos.run(), settled]);
  const total = seconds();
  chaos.end();
  return { fleet, log: chaos.log, seconds: total, undisturbed };
}

/** One pair, without disturbances and a limit of its rate. */
async function contentWithout(program?: string): Promise<unknown> {
  const fleet = await chaosFleet({ pairs: 1, guides: GUIDES, ...(program === undefined ? {} : { program }) });
  fleet.startMachine();
  await fleet.settled();
  const [pair] = fleet.pairs;
  return pair === undefined ? undefined : contentOf(pair);
}

interface Victim {
  readonly machine: Machine;
  readonly child: Child;
  readonly name: string;
}

/** Disturbs a fleet at random moments, and puts a new machine in the place of each dead one. */
class Chaos {
  readonly log: string[] = [];
  readonly #fleet: ChaosFleet;
  readonly #random: () => number;
  readonly #seconds: () => number;
  readonly #running = new Set<Machine>();
  readonly #stopped = new Set<number>();
  #isOver = false;

  constructor(fleet: ChaosFleet, seed: number, seconds: () => number) {
    this.#fleet = fleet;
    this.#random = randomFrom(seed);
    this.#seconds = seconds;
    onTestFinished(() => this.end());
  }

  startMachine(): void {
    const machine = this.#fleet.startMachine();
    this.#running.add(machine);
    void machine.worker.ended.then(({ code, stderr }) => {
      this.#running.delete(machine);
      if (this.#isOver) return;
      if (code !== null) this.#note(`a worker ended by itself with ${code}: ${stderr}`);
      this.startMachine();
    });
  }

  /** Resolves when everything has happened, each disturbance to an active process. */
  async run(): Promise<void> {
    const order = shuffled(DISTURBANCES, this.#random);
    const stops: Promise<void>[] = [];
    await sleep(5000);
    for (const what of order) {
      await sleep(1000 + 4000 * this.#random());
      const victim = await this.#victim();
      const done = this.#disturb(what, victim);
      // Others happen while a process is stopped.
      if (what.startsWith("stop")) stops.push(done);
      else await done;
    }
    await Promise.all(stops);
  }

  end(): void {
    this.#isOver = true;
    for (const pid of this.#stopped) if (isAlive(pid)) process.kill(pid, "SIGCONT");
    this.#stopped.clear();
  }

  #note(text: string): void {
    const line = `${this.#seconds().toFixed(1)} s: ${text}`;
    console.log(line);
    this.log.push(line);
  }

  /** A child that wrote within the last second. */
  async #victim(): Promise<Victim> {
    for (;;) {
      const tasks = await this.#fleet.database
        .query<{ readonly id: string; readonly name: string }>(
          "SELECT task.id, task.name FROM guideferry.task JOIN guideferry.lease ON lease.task = task.id WHERE until > clock_timestamp()",
        )
        .catch(() => []);
      const active = [...this.#running].flatMap((machine) =>
        childrenOf(machine).flatMap((child) => {
          const task = tasks.find(({ id }) => id === child.task);
          const pair = this.#fleet.pairs.find(({ name }) => name === task?.name);
          const isHit = [machine.pid, child.pid].some((pid) => !isAlive(pid) || this.#stopped.has(pid));
          return pair === undefined || isHit || !isActive(pair) ? [] : [{ machine, child, name: pair.name }];
        }),
      );
      const victim = active[Math.floor(this.#random() * active.length)];
      if (victim !== undefined) return victim;
      await sleep(200);
    }
  }

  async #disturb(what: Disturbance, { machine, child, name }: Victim): Promise<void> {
    const { postgres, storage } = this.#fleet;
    const { pid } = machine;
    const children = childrenOf(machine).map((each) => each.pid);
    const whom = { worker: [pid], child: [child.pid], machine: [pid, ...children], database: [], gateway: [] };
    const [verb = "", noun = ""] = what.split(" ");
    const pids = whom[noun as keyof typeof whom];
    this.#note(`${what} ${pids.join(" ")} (${name}, ${active(this.#fleet)} active)`);
    if (verb === "crash") return postgres.restart("immediate");
    if (noun === "gateway") {
      await storage?.killGateway();
      return storage?.startGateway();
    }
    for (const each of pids) expect(isAlive(each), `${what} ${each}`).toBe(true);
    if (verb === "kill") {
      for (const each of pids) process.kill(each, "SIGKILL");
      if (noun !== "child") expect((await machine.worker.ended).signal).toBe("SIGKILL");
      return undefined;
    }
    for (const each of pids) {
      this.#stopped.add(each);
      process.kill(each, "SIGSTOP");
    }
    await sleep(STOPPED_FOR);
    for (const each of pids) {
      if (!this.#stopped.has(each)) continue;
      expect(stateOf(each), `${what} ${each}`).toBe("T");
      this.#stopped.delete(each);
      process.kill(each, "SIGCONT");
    }
    return undefined;
  }
}

async function runsOf({ database }: ChaosFleet): Promise<string> {
  const runs = await database.query<{ readonly line: string }>(
    `SELECT concat_ws(' ', task.name, to_char(run.started, 'MI:SS'), to_char(run.ended, 'MI:SS'), run.worker, exit_code, outcome,
       left(run.words, 200)) AS line
     FROM guideferry.run JOIN guideferry.task ON task.id = run.task ORDER BY task.name, run.started`,
  );
  return runs.map(({ line }) => line).join("\n");
}

/** Its run writes. */
function isActive({ target }: Pair): boolean {
  const since = Date.now() - 1000;
  return target.recorded.slice(-2 * RATE).some(({ method, at }) => method !== "GET" && at > since);
}

function active({ pairs }: ChaosFleet): number {
  return pairs.filter(isActive).length;
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  return values
    .map((value) => [random(), value] as const)
    .sort(([one], [other]) => one - other)
    .map(([, value]) => value);
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function numberOf(name: string, usual: number): number {
  return Number(process.env[name] ?? usual);
}
