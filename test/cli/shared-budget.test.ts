import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { type RunningCli, runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const RATE = 20;
/**
 * Milliseconds. The rate holds for a second between the moments at which requests may start; a
 * machine that has too much to do lets some pass late. Two processes that knew nothing of each
 * other would send twice the rate in it.
 */
const WINDOW = 800;
/** More than both can read while the test lasts. */
const GUIDES = 400;

test("two processes keep to one rate together, and the one has all of it seconds after the other was killed", async () => {
  const site = await bigSite();
  const base = await temporaryFolder();
  const [killed, living] = [startExtract(site, base, "killed"), startExtract(site, base, "living")];
  await until(() => killed.sent().length >= 25 && living.sent().length >= 25, killed, living);
  killed.child.kill("SIGKILL");
  expect((await killed.ended).signal).toBe("SIGKILL");
  const together = living.sent().length;
  await until(() => mostIn(1000, living.sent().slice(together)) > RATE * 0.75, living);
  const all = [...killed.sent(), ...living.sent()];
  expect(mostIn(WINDOW, all)).toBeLessThanOrEqual(RATE);
  // Without them the count above would say nothing.
  expect(site.recorded.length).toBeGreaterThanOrEqual(all.length - RATE);
  const last = killed.sent().at(-1) ?? 0;
  expect(killed.sent().filter((time) => time > last - WINDOW).length).toBeLessThanOrEqual(RATE / 2);
});

test("where nothing can be noted a run says so once, and goes on alone", async () => {
  const site = await startSandbox();
  onTestFinished(() => site.close());
  const folder = await temporaryFolder();
  const words = ["extract", site.url, "--workspace", join(folder, "workspace"), "--rate", "50"];
  const { code, stderr } = await runCli(words, { environment: { XDG_STATE_HOME: "/dev/null" } });
  expect([code, stderr.match(/cannot share the request rate with other runs/g)?.length]).toEqual([0, 1]);
});

async function bigSite(): Promise<Sandbox> {
  const site = await startSandbox();
  onTestFinished(() => site.close());
  site.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  for (let id = 1; id <= GUIDES; id += 1) {
    const title = `Loom ${id}`;
    const guide = { category: "Looms", type: "how-to", subject: title, title, difficulty: "Easy" };
    site.edit.setPublic(site.edit.createGuide(guide), true);
  }
  return site;
}

interface Extracting extends RunningCli {
  /** When its requests went out, in milliseconds of the machine's clock. */
  sent(): readonly number[];
}

function startExtract(site: Sandbox, base: string, name: string): Extracting {
  const words = ["extract", site.url, "--workspace", join(base, name), "--rate", String(RATE), "--no-progress"];
  const notes = join(base, `${name}.txt`);
  const environment = { XDG_STATE_HOME: base, NODE_OPTIONS: `--import=${NOTER}`, NOTE_SENDS: notes };
  const sent = () => (existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n").map(Number) : []);
  return { ...startCli(words, { environment }), sent };
}

const NOTER = new URL("../helpers/note-sends.mjs", import.meta.url).href;

async function until(condition: () => boolean, ...running: readonly RunningCli[]): Promise<void> {
  const ended = Promise.race(running.map((cli) => cli.ended));
  while (!condition()) {
    const early = await Promise.race([pause(50), ended]);
    if (early !== undefined) throw new Error(`It ended too early: ${early.stdout}${early.stderr}`);
  }
}

/** The largest number in any window of so many milliseconds. */
function mostIn(window: number, times: readonly number[]): number {
  const counts = times.map((time) => times.filter((other) => other >= time && other < time + window).length);
  return Math.max(0, ...counts);
}
