import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../src/core/util/clock.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import type { Fault } from "../../src/sandbox/server/faults.js";
import { startCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";

// The pauses between requests: how fast a check is allowed to ask is no matter of what it leaves.
beforeAll(() => {
  vi.spyOn(systemClock, "sleep").mockImplementation((milliseconds) => delay(milliseconds / 50));
});
afterAll(() => void vi.mocked(systemClock.sleep).mockRestore());

const TOKEN = "planted-token-7b3c";
const environment = { GUIDEFERRY_TARGET_TOKEN: TOKEN };

async function site(stepLimits: SandboxOptions["stepLimits"] = "usual") {
  const sandbox = await startSandbox({ token: TOKEN, stepLimits });
  onTestFinished(() => sandbox.close());
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "x" });
  sandbox.edit.createGuide({
    category: "Looms",
    type: "how-to",
    title: "Somebody's guideferry probe, delete me, really",
  });
  return sandbox;
}

/** Addresses of everything that a probe made and that is still there. */
async function remains({ url, token, state }: Sandbox): Promise<readonly string[]> {
  const guides = state().guides.filter(({ title }) => /^guideferry probe, delete me, \d/.test(String(title)));
  const listed = await fetch(`${url}/user/media/images?limit=200`, { headers: { authorization: `api ${token}` } });
  const images = (await listed.json()) as readonly { readonly image: { readonly id: number } }[];
  return [
    ...guides.map(({ guideid }) => `/Guide/.*/${guideid}\\b`),
    ...images.map(({ image }) => `/user/media/images/${image.id}\\b`),
  ];
}

const probe = (sandbox: Sandbox) => runHere(["check", sandbox.url, "--probe-write"], { environment });

const CALLS: readonly (readonly [what: string, method: string, path: RegExp])[] = [
  ["making the guide", "POST", /^\/guides$/],
  ["adding the step", "POST", /\/steps$/],
  ["reading the guide back", "GET", /^\/guides\/\d+$/],
  ["uploading", "POST", /^\/user\/media\/images$/],
  ["taking the upload out", "DELETE", /^\/user\/media/],
  ["deleting the guide", "DELETE", /^\/guides\/\d+$/],
];
const FAULTS: readonly Fault[] = [
  { kind: "status", status: 403 },
  { kind: "status", status: 500, applied: true },
  { kind: "reset", applied: true },
  { kind: "reset", applied: false },
  { kind: "garbage" },
];

/** `FAULTS=all npx vitest run test/cli/check-probe.test.ts`: each fault at each call, not each second. */
const isWanted = (at: number): boolean => process.env["FAULTS"] === "all" || at % 2 === 0;

describe("a probe of writing", () => {
  it.each(CALLS)("leaves nothing, or names it, when %s goes wrong", async (what, method, path) => {
    const call = CALLS.findIndex(([each]) => each === what);
    for (const fault of FAULTS.filter((_, at) => isWanted(call + at))) {
      const sandbox = await site();
      sandbox.faults.inject(fault, { method, path });
      const done = await probe(sandbox);
      const left = await remains(sandbox);
      const isDelete = method === "DELETE";
      // What fails once is asked once more where that does no harm; a refusal is the site's word.
      expect([fault, left.length]).toEqual([
        fault,
        isDelete && fault.kind === "status" && fault.status === 403 ? 1 : 0,
      ]);
      for (const address of left) expect(done.stdout).toMatch(new RegExp(`failed +deleted again .*${address}`));
      if (method === "POST" || left.length > 0) expect([fault, done.code]).toEqual([fault, 3]);
      expect(sandbox.state().guides.length).toBe(1 + left.filter((one) => one.includes("Guide")).length);
    }
  });

  it("tells which sizes of pictures a step takes, and leaves none of them", async () => {
    for (const [stepLimits, told] of [
      ["usual", /ok +step limits .*images of 800 x 600 pixels or more/],
      ["none", /ok +step limits .*images of 50 x 50 pixels(?! or more)/],
      [{ line: 350, lines: 8, imageWidth: 300, imageHeight: 0 }, /ok +step limits .*images of 400 x 50 pixels or more/],
    ] as const) {
      const sandbox = await site(stepLimits);
      const done = await probe(sandbox);
      expect([done.code, done.stdout.replaceAll(/\s+/g, " ")]).toEqual([0, expect.stringMatching(told)]);
      expect(await remains(sandbox)).toEqual([]);
    }
  });

  it("names what it cannot delete at all, and the next check names it too", async () => {
    const sandbox = await site();
    sandbox.faults.inject({ kind: "reset", applied: false }, { method: "DELETE", times: 20 });
    const done = await probe(sandbox);
    const left = await remains(sandbox);
    // The guide, the upload, and the three that sizes of pictures were asked with.
    expect([done.code, left.length]).toEqual([3, 5]);
    sandbox.faults.clear();
    const next = await runHere(["check", sandbox.url], { environment });
    expect(next.code).toBe(0);
    for (const address of left) {
      expect(done.stderr).toMatch(new RegExp(`The probe left .*${address}`));
      expect(next.stdout).toMatch(new RegExp(`warning +leftovers .*${address}`));
    }
    expect(next.stdout).not.toContain("Somebody's");
    expect((await remains(sandbox)).length).toBe(5);
  });

  it("does not delete a guide that somebody made another one of meanwhile", async () => {
    const sandbox = await site();
    sandbox.faults.decide(({ method, path }) => {
      const [, id] = /^\/guides\/(\d+)$/.exec(path) ?? [];
      if (method === "DELETE" && id !== undefined) sandbox.edit.guide(Number(id), { title: "Mine now" });
      return undefined;
    });
    const done = await probe(sandbox);
    expect([done.code, sandbox.state().guides.map(({ title }) => title)]).toEqual([
      3,
      expect.arrayContaining(["Mine now"]),
    ]);
    expect(done.stdout).toMatch(/changed its title meanwhile/);
  });

  it("tells a guide that came out public, and deletes it", async () => {
    const sandbox = await site();
    sandbox.faults.decide(({ method, path }) => {
      const [, id] = /^\/guides\/(\d+)\/steps$/.exec(path) ?? [];
      if (method === "POST" && id !== undefined) sandbox.edit.setPublic(Number(id), true);
      return undefined;
    });
    const done = await probe(sandbox);
    expect([done.code, await remains(sandbox)]).toEqual([3, []]);
    expect(done.stdout).toMatch(/failed +write guides .*as a public guide/);
  });

  it("killed in the middle it leaves a guide that the next check names", async () => {
    const sandbox = await site();
    const reached = new Promise<void>((resolve) => {
      sandbox.faults.inject({ kind: "stall", applied: true, reached: resolve }, { method: "POST", path: /\/steps$/ });
    });
    const { child, ended } = startCli(["check", sandbox.url, "--probe-write"], { environment });
    await reached;
    child.kill("SIGKILL");
    await ended;
    const left = await remains(sandbox);
    expect(left.length).toBe(1);
    const next = await probe(sandbox);
    expect([next.code, next.stdout]).toEqual([0, expect.stringMatching(new RegExp(`warning +leftovers .*${left[0]}`))]);
  });

  it("deletes what it made on Ctrl-C, and on the second one names it", async () => {
    const once = await site();
    once.faults.inject({ kind: "delay", milliseconds: 1500 }, { method: "POST", path: /\/steps$/ });
    const polite = startCli(["check", once.url, "--probe-write"], { environment });
    await expect.poll(() => once.recorded.some(({ path }) => path.endsWith("/steps")), { timeout: 300_000 }).toBe(true);
    polite.child.kill("SIGINT");
    const done = await polite.ended;
    expect([done.code, await remains(once)]).toEqual([130, []]);
    expect(done.stdout).toMatch(/ok +deleted again +guide \d+ was deleted/);
    expect(once.recorded.some(({ method, path }) => method === "POST" && path.includes("media"))).toBe(false);

    const twice = await site();
    const reached = new Promise<void>((resolve) => {
      twice.faults.inject({ kind: "stall", applied: true, reached: resolve }, { method: "POST", path: /\/steps$/ });
    });
    const hasty = startCli(["check", twice.url, "--probe-write"], { environment });
    await reached;
    hasty.child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 600));
    hasty.child.kill("SIGINT");
    const dropped = await hasty.ended;
    const [left = "nothing"] = await remains(twice);
    expect([dropped.code, dropped.stderr]).toEqual([
      130,
      expect.stringMatching(new RegExp(`The probe left .*${left}`)),
    ]);
  });
});
