import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { runReportSchema } from "../../src/web/report/run-report.js";
import { backedUpSite } from "../helpers/backed-up-site.js";
import { runHere } from "../helpers/run-here.js";
import { killedBrowser, slowDown, startShown } from "../helpers/shown-here.js";
import { trainingSite } from "../helpers/training-site.js";
import { twoSites } from "../helpers/two-sites.js";

/** What a command works with. */
interface Scene {
  readonly environment: Readonly<Record<string, string>>;
  readonly sandboxes: readonly Sandbox[];
}

/**
 * Runs a command that somebody pauses and resumes, while a browser that looks is killed; gives how
 * it ended.
 */
async function lookAt({ environment, sandboxes }: Scene, ...words: readonly string[]): Promise<number> {
  const arrived = (): number => sandboxes.reduce((sum, { recorded }) => sum + recorded.length, 0);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await delay(5);
  };
  const first = arrived();
  const atOnce = slowDown(sandboxes);
  const { view, ended } = await startShown(words, environment);
  await until(() => arrived() > first);
  expect((await view.post("/pause")).status).toBe(204);
  await killedBrowser(view);
  const events = view.listen();
  // What was under way arrives, and its answer.
  await delay(250);
  const before = arrived();
  await delay(100);
  expect(arrived()).toBe(before);
  expect((await view.ask("/")).text).toContain("Paused: no new requests are sent.");
  atOnce();
  expect((await view.post("/resume")).status).toBe(204);
  const { code, text } = await ended;
  expect(text).toMatch(/Paused in the live page.*Resumed after/s);
  expect(arrived()).toBeGreaterThan(before);
  expect((await events).at(-1)).toMatchObject({ event: "over", state: "over" });
  return code;
}

/** Milliseconds that the run of a command was paused by hand, as its report has it. */
function pausedIn(workspace: string, command: string): number {
  const reports = join(workspace, "reports");
  const files = readdirSync(reports).map((run) => join(reports, run, "report.json"));
  const all = files.filter(existsSync).map((file) => runReportSchema.parse(JSON.parse(readFileSync(file, "utf8"))));
  const buckets = all
    .filter(({ run }) => run.command === command)
    .flatMap(({ timeline }) => timeline?.origins.flatMap((origin) => origin.buckets) ?? []);
  return buckets.reduce((sum, { byHand }) => sum + byHand, 0);
}

it("every command between two sites can be looked at, paused and resumed, and a browser that is killed changes nothing", async () => {
  const { source, target, directory, environment: given } = await twoSites();
  const work = join(directory, "work");
  const scene = { environment: { ...given, GUIDEFERRY_WORKSPACE: work }, sandboxes: [source, target] };
  source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
  expect(await lookAt(scene, "extract", source.url)).toBe(3);
  expect(await lookAt(scene, "load", work, target.url)).toBe(3);
  expect(await lookAt(scene, "retry", work)).toBe(0);
  expect(await lookAt(scene, "verify", work, target.url)).toBe(0);
  expect(await lookAt(scene, "undo", work)).toBe(0);
  expect(pausedIn(work, "undo")).toBeGreaterThan(200);
  const plan = join(directory, "a.plan");
  await runHere(["plan", source.url, target.url, "-o", plan], scene);
  expect(await lookAt(scene, "apply", plan)).toBe(0);
  expect(pausedIn(work, "apply")).toBeGreaterThan(200);
});

it("so can a backup and what it is put back with", async () => {
  const { sandbox, directory, repository } = await backedUpSite();
  const tokens = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, GUIDEFERRY_TARGET_TOKEN: sandbox.token };
  const scene = { environment: { ...tokens, XDG_STATE_HOME: join(directory, "home") }, sandboxes: [sandbox] };
  sandbox.edit.guide(3, { title: "Better" });
  expect(await lookAt(scene, "backup", sandbox.url, "--to", repository)).toBe(0);
  expect(pausedIn(join(repository, "workspace"), "backup")).toBeGreaterThan(200);
  sandbox.edit.guide(3, { title: "PWNED" });
  expect(await lookAt(scene, "restore", repository, sandbox.url, "--include", "guide/3")).toBe(0);
  expect(sandbox.state().guides.map(({ title }) => title)).toContain("Better");
});

it("so can the import of training packages", async () => {
  const { sandbox, directory, environment, shelf } = await trainingSite({ packages: { ladders: "Ladders" } });
  const work = join(directory, "work");
  const scene = { environment: { ...environment, GUIDEFERRY_WORKSPACE: work }, sandboxes: [sandbox] };
  expect(await lookAt(scene, "import-training", shelf.folder, sandbox.url)).toBe(0);
  expect(pausedIn(work, "import-training")).toBeGreaterThan(200);
});
