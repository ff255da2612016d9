import { expect, test } from "vitest";
import type { RunningCli } from "../helpers/run-cli.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/** `KILLS=100 npx vitest run test/cli/sigkill.test.ts`: a long run. */
const KILLS = Number(process.env["KILLS"] ?? 6);
/** Runs that come to their end before their kill don't count; so many may. */
const MOST_ROUNDS = 3 * KILLS;
/** Fewer than a run sends that finds everything done, so that each is killed amid its work, however fast the machine is. */
const MOST_REQUESTS = 150;

test(`a migration whose process is killed ${KILLS} times at random moments ends like one that never was`, async () => {
  const undisturbed = await twoSites({ source: { site: "samples/site" } });
  const whole = await undisturbed.migrate("--fit", "split");
  expect(whole.code, whole.stderr).toBe(0);

  const sites = await twoSites({ source: { site: "samples/site" } });
  let killed = 0;
  for (let round = 0; killed < KILLS && round < MOST_ROUNDS; round += 1) {
    const running = sites.startMigration("--fit", "split");
    killAfter(sites, running, 1 + Math.floor(Math.random() * MOST_REQUESTS));
    const { signal, code, stderr } = await running.ended;
    if (signal === "SIGKILL") killed += 1;
    else expect(code, stderr).toBe(0);
  }
  expect(killed).toBe(KILLS);
  sites.source.faults.clear();
  sites.target.faults.clear();
  const last = await sites.migrate("--fit", "split");
  expect([last.code, last.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  expect(contentOf(sites)).toEqual(contentOf(undisturbed));
  const before = sites.writes();
  expect((await sites.migrate("--fit", "split")).code).toBe(0);
  expect(sites.writes()).toBe(before);
}, 600_000);

/** Kills it a moment after so many requests, counted over both sites. */
function killAfter({ source, target }: TwoSites, { child }: RunningCli, requests: number): void {
  let seen = 0;
  const count = (): undefined => {
    seen += 1;
    if (seen === requests) setTimeout(() => child.kill("SIGKILL"), Math.random() * 10);
  };
  source.faults.decide(count);
  target.faults.decide(count);
}

/** Links to the old site name its port. */
function contentOf({ source, target }: TwoSites): unknown {
  return JSON.parse(JSON.stringify(target.namedState()).replaceAll(source.origin, "source:"));
}
