import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import type { SeenRequest } from "../../src/sandbox/index.js";
import type { CliResult, RunningCli } from "../helpers/run-cli.js";
import { objectsOf, type TrainingSite, trainingSite } from "../helpers/training-site.js";
import { withResolvers } from "../helpers/with-resolvers.js";

/**
 * Where a process is killed: at the how-manieth request of this kind, when the site did what it
 * asks for or before.
 */
interface Kill {
  readonly method: string;
  readonly path: RegExp;
  readonly nth: number;
  readonly applied: boolean;
}

const READ: Kill = { method: "GET", path: /\/current$/, nth: 1, applied: true };
const DRAFT: Kill = { method: "POST", path: /\/drafts$/, nth: 1, applied: true };
const RECORD: Kill = { method: "POST", path: /\/imports$/, nth: 2, applied: true };
const START: Kill = { method: "POST", path: /\/byUpload$/, nth: 3, applied: true };
const LOOK: Kill = { method: "GET", path: /\/progress$/, nth: 4, applied: true };
const PUBLISH: Kill = { method: "PUT", path: /\/current$/, nth: 2, applied: true };

/**
 * Batches that are killed one kill after the other; of what never arrived a run has to wait until
 * it is sure, so that they run side by side. Each other request, done or not, is that of
 * test/training/import/crash.test.ts; `npm run crash` tries all that are here.
 */
const BATCHES: readonly (readonly Kill[])[] =
  process.env["GUIDEFERRY_CRASH_TEST"] === "full"
    ? [[READ, DRAFT], [{ ...RECORD, applied: false }], [START], [LOOK, { ...PUBLISH, applied: false }]]
    : [[DRAFT, { ...PUBLISH, applied: false }], [START]];

const COURSES = Array.from({ length: 12 }, (_, at) => `Course ${String.fromCharCode(65 + at)}`);
const PACKAGES = Object.fromEntries(COURSES.map((title) => [title.toLowerCase().replace(" ", "-"), title]));

/** Kills a run at a request that gets no answer. */
async function killAt(site: TrainingSite, { method, path, nth, applied }: Kill): Promise<CliResult> {
  const reached = withResolvers();
  let seen = 0;
  const counts = (request: SeenRequest): boolean => request.method === method && path.test(request.path);
  site.sandbox.faults.decide((request) => {
    seen += counts(request) ? 1 : 0;
    return counts(request) && seen === nth ? { kind: "stall", applied, reached: reached.resolve } : undefined;
  });
  const running = site.startImport("--publish");
  await Promise.race([reached.promise, running.ended]);
  running.child.kill("SIGKILL");
  const result = await running.ended;
  site.sandbox.faults.clear();
  return result;
}

async function killedBatch(kills: readonly Kill[]): Promise<void> {
  const site = await trainingSite({ packages: PACKAGES });
  for (const kill of kills) expect(await killAt(site, kill)).toMatchObject({ signal: "SIGKILL" });
  const last = await site.importHere("--publish");
  expect([last.code, last.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  expect(site.modules()).toEqual(COURSES.map((title) => `${title}: 1 complete*`));
  expect(site.sandbox.rows("moduleImports")).toHaveLength(12);
}

it("imports each of twelve packages once, whatever request its process is killed at", async () => {
  await Promise.all(BATCHES.map(killedBatch));
}, 300_000);

/** Resolves when the site works on so many imports that do not end. */
async function busyWith(site: TrainingSite, count: number, running: RunningCli): Promise<void> {
  const busy = withResolvers();
  const looked = new Set<string>();
  site.sandbox.faults.decide(({ path }) => {
    if (path.endsWith("/progress")) looked.add(path);
    if (looked.size === count) busy.resolve();
    return undefined;
  });
  await Promise.race([busy.promise, running.ended]);
}

it("cancels at the site what is under way when Ctrl-C comes, and the same command goes on", async () => {
  const site = await trainingSite({ packages: { a: "Course A", b: "Course B", c: "Course C" } });
  site.sandbox.training.next({ end: "never" }, { times: Number.POSITIVE_INFINITY });
  const running = site.startImport();
  await busyWith(site, 2, running);
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/To continue:\n {2}guideferry import-training \S+packages /),
  ]);
  expect(site.modules()).toEqual(["Course A: 1 cancelled", "Course B: 1 cancelled"]);
  expect(await site.status()).toMatch(
    /^2 training packages for .*: 2 cancelled\n {2}\S+packages\/a\.zip "Course A" \(cancelled\): /m,
  );
  site.sandbox.training.clear();
  expect((await site.importHere()).code).toBe(0);
  expect(site.modules()).toEqual([
    "Course A: 1 cancelled, 1 complete",
    "Course B: 1 cancelled, 1 complete",
    "Course C: 1 complete",
  ]);
});

it("ends at once when Ctrl-C comes a second time, and nothing is doubled afterwards", async () => {
  const site = await trainingSite({ packages: { a: "Course A", b: "Course B" } });
  const hanging = withResolvers();
  site.sandbox.faults.inject({ kind: "stall", applied: true, reached: hanging.resolve }, { path: /drafts$/ });
  const running = site.startImport();
  await Promise.race([hanging.promise, running.ended]);
  running.child.kill("SIGINT");
  await running.seen(/finishing running work/);
  // One that comes sooner is taken for the same one.
  await delay(600);
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([130, expect.stringMatching(/Ending now\.[\s\S]*To continue:/)]);
  expect((await site.importHere()).code).toBe(0);
  expect(site.modules()).toEqual(["Course A: 1 complete", "Course B: 1 complete"]);
});

it("does not take for packages what a killed run left in a workspace among them", async () => {
  const site = await trainingSite({ packages: { z: "Course Z" } });
  const inside = ["--workspace", join("packages", "desk")];
  const sending = withResolvers();
  site.sandbox.faults.inject({ kind: "stall", reached: sending.resolve }, { path: /byUpload$/ });
  const running = site.startImport(...inside);
  await Promise.race([sending.promise, running.ended]);
  running.child.kill("SIGKILL");
  await running.ended;
  const left = readdirSync(join(site.directory, "packages/desk/temporary/packages"));
  expect(left).toEqual([expect.stringMatching(/\.zip$/)]);
  const plan = await site.runHere(
    ...["import-training", join(site.directory, "packages"), site.sandbox.url, "--dry-run", "--json"],
    ...["--workspace", join(site.directory, "packages/desk")],
  );
  const told = objectsOf(plan.stdout).filter(({ type }) => type === "package" || type === "note");
  expect(told).toMatchObject([{ file: join(site.directory, "packages/z.zip"), action: "go-on" }]);
});
