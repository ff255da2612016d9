import { describe, expect, it } from "vitest";
import { createLimitsWatch, describeLimits, type Limits, limitsOf } from "../../../src/commands/output/pace.js";
import type { RateFacts } from "../../../src/service/http/request-rate.js";
import type { QueueUse } from "../../../src/service/http/request-statistics.js";
import { json, localServer } from "../../helpers/local-server.js";
import { forever, testStack } from "../../service/helpers/test-stack.js";

const RATE: RateFacts = { given: 10, rate: 10, slowedBy: null, sharers: 1 };
const use = (more: Partial<QueueUse>): QueueUse => ({
  origin: "https://site.example",
  rate: RATE,
  latency: 84.4,
  held: 0,
  paused: 0,
  byHand: 0,
  answering: 0,
  idle: 0,
  starts: 0,
  startsBySecond: new Map(),
  refusals: 0,
  ...more,
});

describe("what limits a run", () => {
  it.each<readonly [string, readonly Partial<QueueUse>[], number, Limits["by"]]>([
    ["the rate holds things up, if only a little", [{ held: 150, answering: 850 }], 0.3, "rate"],
    ["the rate hardly ever holds things up", [{ held: 50, answering: 950 }], 0.3, "answers"],
    ["answers are waited for", [{ answering: 600, idle: 400 }], 0.3, "answers"],
    ["the program itself is busy while answers wait to be read", [{ answering: 990, idle: 10 }], 0.9, "own work"],
    ["nothing is asked for most of the time", [{ answering: 300, idle: 700 }], 0.3, "own work"],
    ["a site asked to wait", [{ paused: 900, idle: 100 }], 0, "pause"],
    ["a site asked to wait, and its rate holds things up more", [{ paused: 300, held: 700 }], 0, "rate"],
    ["a person paused the run", [{ byHand: 900, held: 100 }], 0, "person"],
    [
      "the media's host holds things up",
      [
        { answering: 900, idle: 100 },
        { held: 500, idle: 500 },
      ],
      0.1,
      "rate",
    ],
    ["no time has passed", [{}], 0, "own work"],
    ["there is no queue", [], 0, "own work"],
  ])("when %s", (_, uses, busy, by) => {
    expect(limitsOf(uses.map(use), busy).by).toBe(by);
  });

  it.each<readonly [Partial<Limits>, string]>([
    [{ by: "rate" }, "limited by the rate of site.example (10/s)"],
    [
      { by: "rate", rate: { ...RATE, rate: 5, slowedBy: "refusal" } },
      "limited by the rate of site.example (5/s of 10/s after a 429)",
    ],
    [
      { by: "rate", rate: { ...RATE, rate: 6.4123, slowedBy: "latency", sharers: 3 } },
      "limited by the rate of site.example (6.4/s of 10/s because answers became slow, shared by 3 runs)",
    ],
    [{ by: "pause", rate: null }, "limited by a pause that site.example asked for"],
    [{ by: "person", origin: null, rate: null }, "limited by a pause in the live page"],
    [{ by: "answers" }, "limited by the answer time of site.example (84 ms)"],
    [{ by: "answers", latency: null }, "limited by the answer time of site.example"],
    [{ by: "own work", origin: null, rate: null, latency: null }, "limited by this machine"],
  ])("is told in words: %o", (limits, text) => {
    const known: Limits = { by: "rate", origin: "https://site.example", rate: RATE, latency: 84.4, ...limits };
    expect(describeLimits(known)).toBe(text);
  });
});

describe("a watch", () => {
  /**
   * A stack that asks a server which answers after so long; what its watch says after a second or
   * so.
   */
  async function watched(answerAfter: number, rate: number | undefined, between: () => Promise<void>): Promise<string> {
    const { origin } = await localServer((_, response) => void setTimeout(() => json(response, {}), answerAfter));
    const { client, use } = testStack(origin, { concurrency: 2, rate });
    const { watch, limits } = createLimitsWatch();
    watch(use);
    const until = Date.now() + 1100;
    while (Date.now() < until) {
      await Promise.all([client.get("site", {}, forever), client.get("site", {}, forever)]);
      await between();
    }
    return limits()?.by ?? "nothing";
  }
  it("judges the time since its last look, not the whole run", () => {
    let now = 0;
    let spent = use({});
    const { watch, limits } = createLimitsWatch(
      () => now,
      () => 0.1,
    );
    watch(() => [spent]);
    const nextSecond = (more: Partial<QueueUse>) => {
      now += 1000;
      spent = { ...spent, ...more };
      return limits()?.by;
    };
    expect(nextSecond({ held: 1000 })).toBe("rate");
    expect(nextSecond({ answering: 1000 })).toBe("answers");
    expect(nextSecond({ idle: 1000 })).toBe("own work");
    expect(nextSecond({ held: 2000 })).toBe("rate");
    now += 999;
    spent = { ...spent, answering: 1999 };
    expect(limits()?.by).toBe("rate");
  });

  const atOnce = () => Promise.resolve();
  const later = () => new Promise<void>((resolve) => void setTimeout(resolve, 100));

  it.each<readonly [string, number, number | undefined, () => Promise<void>]>([
    ["answers", 50, undefined, atOnce],
    ["rate", 50, 4, atOnce],
    ["own work", 1, undefined, later],
  ])("sees that a run waits for %s", async (by, answerAfter, rate, between) => {
    expect(await watched(answerAfter, rate, between)).toBe(by);
  });
});
