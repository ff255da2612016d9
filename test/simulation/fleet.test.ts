import { describe, expect, it } from "vitest";
import { openJobs } from "../../src/fleet/jobs.js";
import { emptyDatabase } from "../helpers/postgres-server.js";
import { type Absence, type FleetScale, type NightFigures, type OpenQueue, simulateNights, WINDOW } from "./nights.js";
import { simulateRate } from "./rate-windows.js";

const { SITES = "60", WORKERS = "6", SLOTS = "1", NIGHTS = "3", JOINING, SEED = "20261120" } = process.env;

/** `npm run simulate` gives the whole fleet; CI runs a small one. */
const SCALE: FleetScale = {
  sites: Number(SITES),
  workers: Number(WORKERS),
  slots: Number(SLOTS),
  nights: Number(NIGHTS),
  joining: Number(JOINING ?? Math.max(1, Math.floor(Number(NIGHTS) / 2))),
  seed: Number(SEED),
};
/** `npm run simulate` prints its tables. */
const print = (text: string): void => {
  if (process.env["SITES"] !== undefined) process.stdout.write(text);
};
/** The least that has a night with a first copy and a night with an absence. */
const SMALLEST: FleetScale = { sites: 24, workers: 4, slots: 1, nights: 2, joining: 1, seed: 3 };
const RATE =
  SCALE.sites > 100
    ? { rate: 50, sharers: 50, seconds: 60, seed: SCALE.seed }
    : { rate: 10, sharers: 3, seconds: 20, seed: SCALE.seed };

/** Of the longest mean wait to the median one, of tenants with equal load. */
const FAIR = 1.5;
/** Of the rate, with runs that die, send late and give starts back, and the pause after a crash. */
const LEAST_USED = 0.5;

const ABSENCES = ["nobody", "a tenth of the workers", "Postgres"] as const satisfies readonly Absence[];

describe("a simulated fleet", { tags: ["postgres"] }, () => {
  const undisturbed = { hours: Number.NaN };

  it.each(ABSENCES)("has all nights done in time, fair to tenants, while %s is away for an hour", async (absence) => {
    const figures = await simulateNights(await emptyDatabase(), SCALE, absence);
    if (absence === "nobody") undisturbed.hours = figures.slowestOfAbsence;
    print(tableOf(absence, figures, figures.slowestOfAbsence - undisturbed.hours));
    expect(brokenPromises(figures)).toEqual([]);
  });

  it("fills no window of a vendor's budget above its rate, also after a crash of Postgres", async () => {
    const figures = await simulateRate(await emptyDatabase(), RATE);
    const { sent, over, most, used, calls } = figures;
    print(
      `\nA budget of ${RATE.rate}/s shared by ${RATE.sharers} runs for ${RATE.seconds} s: ${sent} requests in ${calls} turns, ` +
        `${(100 * used).toFixed(1)} % of the rate, at most ${most} in a second, windows over ${over}\n`,
    );
    expect(over).toBe(0);
    expect(used).toBeGreaterThan(LEAST_USED);
  });
});

describe("the promises of the simulation", { tags: ["postgres"] }, () => {
  it.each([
    ["a claim that ignores the limits of tenants", "of a tenant at its limit", withoutLimits],
    ["a night that is sent twice", "ran twice", sentTwice],
  ] as const)("fail by %s", async (_name, words, open) => {
    const figures = await simulateNights(await emptyDatabase(), SMALLEST, "nobody", open);
    expect(brokenPromises(figures).join()).toContain(words);
  });
});

/** The limit of the large tenant is kept in the model, and lost in the database. */
async function withoutLimits(...[database, delay]: Parameters<OpenQueue>): ReturnType<OpenQueue> {
  const jobs = await openJobs(database, { delay });
  const claim = async (worker: string) => {
    await database.query("UPDATE guideferry.tenant SET most_running = NULL");
    return jobs.claim(worker);
  };
  return { ...jobs, claim };
}

/** As if the next time were not set together with the job. */
async function sentTwice(...[database, delay]: Parameters<OpenQueue>): ReturnType<OpenQueue> {
  const jobs = await openJobs(database, { delay });
  const again = new Set<string>();
  const finish: typeof jobs.finish = async (claimed, end) => {
    const outcome = await jobs.finish(claimed, end);
    if (outcome === "done" && !again.has(claimed.task)) await jobs.send(claimed.task);
    again.add(claimed.task);
    return outcome;
  };
  return { ...jobs, finish };
}

function brokenPromises(figures: NightFigures): readonly string[] {
  const promises: readonly (readonly [boolean, string])[] = [
    [figures.nights > 0 && figures.missing === 0, `${figures.missing} of ${figures.nights} nights are missing`],
    [figures.late === 0, `${figures.late} nights took more than ${WINDOW} h`],
    [figures.overLimit === 0, `${figures.overLimit} runs of a tenant at its limit`],
    [figures.overlaps === 0, `${figures.overlaps} runs of a site in use`],
    [figures.twice === 0, `${figures.twice} nights ran twice`],
    [figures.fairness <= FAIR, `a tenant waited ${figures.fairness.toFixed(2)} times as long as the median one`],
  ];
  return promises.filter(([isKept]) => !isKept).map(([, words]) => words);
}

function tableOf(absence: Absence, figures: NightFigures, costs: number): string {
  const { sites, workers, slots, nights, seed } = SCALE;
  const rows: readonly (readonly [string, string | number])[] = [
    [`nights done, of ${figures.nights}`, figures.done],
    [`done after more than ${WINDOW} h`, figures.late],
    ["failed for good, left to the next night", figures.failed],
    ["left out, the run before was not over", figures.skipped],
    ["missing", figures.missing],
    ["slowest night, hours from its time", figures.slowest.toFixed(2)],
    ["slowest in the night of the absence", figures.slowestOfAbsence.toFixed(2)],
    ["longer than undisturbed, hours", costs.toFixed(2)],
    [`sites with a first copy, of ${sites}`, figures.firstCopies],
    ["slowest first copy, hours", figures.slowestFirst.toFixed(2)],
    ["runs", figures.runs],
    ["retries after a temporary failure", figures.retries],
    ["runs lost with a worker, a lease or Postgres", figures.lost],
    ["mean wait, minutes", figures.meanWait.toFixed(1)],
    ["mean wait of the large tenant, minutes", figures.largeWait.toFixed(1)],
    ["longest to median wait of equal tenants", figures.fairness.toFixed(2)],
    ["runs of a tenant at its limit", figures.overLimit],
    ["runs of a site in use", figures.overlaps],
    ["nights that ran twice", figures.twice],
    ...[...figures.calls].map(
      ([call, { count, total, longest }]) =>
        [
          `${call}: calls, mean and longest ms`,
          `${count}, ${(total / count).toFixed(1)}, ${longest.toFixed(0)}`,
        ] as const,
    ),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(46)}${String(value).padStart(20)}`);
  const title = `${sites} sites, ${workers} workers x ${slots}, ${nights} nights, seed ${seed}; away for an hour: ${absence}`;
  return `\n${title}\n${lines.join("\n")}\n`;
}
