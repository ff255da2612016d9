import { join } from "node:path";
import { expect, test } from "vitest";
import { lastReport } from "../helpers/last-report.js";
import type { RunningCli } from "../helpers/run-cli.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/** `KILLS=100 npx vitest run test/cli/sigkill.test.ts`: a long run, of the whole sample site. */
const KILLS = Number(process.env["KILLS"] ?? 3);
const IS_WHOLE = process.env["KILLS"] !== undefined;
/** A chain of prerequisites, a translation, a page, and what they show. */
const CHOSEN = IS_WHOLE ? [] : ["--include", "guide/1,guide/12,guide/12@de,wiki/INFO/House Rules"];
const FLAGS = ["--fit", "split", ...CHOSEN];
/** Runs that come to their end before their kill don't count; so many may. */
const MOST_ROUNDS = 3 * KILLS;
/**
 * Fewer than a run sends that finds everything done, so that each is killed amid its work, however
 * fast the machine is.
 */
const MOST_REQUESTS = IS_WHOLE ? 150 : 40;
/**
 * The pages about users and teams of the site, for whom nobody stands at the target: each run
 * ends with 3 because of them, and with nothing else.
 */
const PEOPLE = ["wiki/TEAM/1", "wiki/TEAM/2", "wiki/USER/1", "wiki/USER/11", "wiki/USER/5"];
const NEEDED = ["wiki/TEAM/1", "wiki/USER/1", "wiki/USER/5"];
const END = [3, { failed: 0, leftOut: IS_WHOLE ? PEOPLE : NEEDED }];

test(`a migration whose process is killed ${KILLS} times at random moments ends like one that never was`, async () => {
  const undisturbed = await twoSites({ source: { site: "samples/site" } });
  const whole = await undisturbed.migrate(...FLAGS);
  expect([whole.code, whatRemains(undisturbed)], whole.stderr).toEqual(END);

  const sites = await twoSites({ source: { site: "samples/site" } });
  let killed = 0;
  for (let round = 0; killed < KILLS && round < MOST_ROUNDS; round += 1) {
    const running = sites.startMigration(...FLAGS);
    killAfter(sites, running, 1 + Math.floor(Math.random() * MOST_REQUESTS));
    const { signal, code, stderr } = await running.ended;
    if (signal === "SIGKILL") killed += 1;
    else expect([code, whatRemains(sites)], stderr).toEqual(END);
  }
  expect(killed).toBe(KILLS);
  sites.source.faults.clear();
  sites.target.faults.clear();
  const last = await sites.migrate(...FLAGS);
  expect([last.code, whatRemains(sites)]).toEqual(END);
  expect(last.stderr).not.toMatch(/error/i);
  expect(contentOf(sites)).toEqual(contentOf(undisturbed));
  const before = sites.writes();
  expect([(await sites.migrate(...FLAGS)).code, whatRemains(sites)]).toEqual(END);
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

/** What the last report lists as not at the target. */
function whatRemains({ directory }: TwoSites): unknown {
  const { failures, leftOut } = lastReport(join(directory, "work")).report;
  const keys = leftOut.ways.flatMap(({ causes }) => causes.flatMap((cause) => cause.keys));
  return { failed: failures.count, leftOut: keys.toSorted() };
}

/** Links to the old site name its port. */
function contentOf({ source, target }: TwoSites): unknown {
  return JSON.parse(JSON.stringify(target.namedState()).replaceAll(source.origin, "source:"));
}
