import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

const KILLS = 20;

test(`a migration whose process is killed ${KILLS} times at random moments ends like one that never was`, async () => {
  const undisturbed = await twoSites({ source: { site: "samples/site" } });
  const startedAt = Date.now();
  const whole = await undisturbed.migrate("--fit", "split");
  expect(whole.code, whole.stderr).toBe(0);
  const duration = Date.now() - startedAt;

  const sites = await twoSites({ source: { site: "samples/site" } });
  const command = ["migrate", sites.source.url, sites.target.url, "--fit", "split"];
  let killed = 0;
  let requests = 0;
  for (let round = 0; killed < KILLS; round += 1) {
    const running = sites.start(...command);
    // Late enough to do something, spread over the whole run; each run gets a little further than the one before.
    await wait(duration * (0.15 + 0.6 * Math.random()) * Math.min(1, 0.3 + round / KILLS));
    running.child.kill("SIGKILL");
    const { signal, code, stderr } = await running.ended;
    requests = sites.target.recorded.length;
    if (signal === "SIGKILL") killed += 1;
    else expect(code, stderr).toBe(0);
  }
  const last = await sites.migrate("--fit", "split");
  expect([last.code, last.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  expect(requests).toBeGreaterThan(0);
  expect(sites.target.namedState()).toEqual(undisturbed.target.namedState());
  const before = sites.writes();
  expect((await sites.migrate("--fit", "split")).code).toBe(0);
  expect(sites.writes()).toBe(before);
}, 600_000);
