import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";
import { withResolvers } from "../helpers/with-resolvers.js";

/** Keeps a run from its end: the third request that this counts waits until it is let go. */
function holdThird({ faults }: Sandbox, counts: (method: string) => boolean) {
  const [held, released] = [withResolvers(), withResolvers()];
  let seen = 0;
  faults.decide(async ({ method }) => {
    if (!counts(method)) return undefined;
    seen += 1;
    if (seen !== 3) return undefined;
    held.resolve();
    await released.promise;
    return undefined;
  });
  return { held: held.promise, release: released.resolve };
}

/**
 * Starts a migration, sends it a signal amid a write, and lets that write end when the signal has
 * come.
 */
async function stopAmidWrite(sites: TwoSites, signal: NodeJS.Signals, ...flags: readonly string[]) {
  const write = holdThird(sites.target, (method) => method !== "GET");
  const running = sites.startMigration("--concurrency", "1", ...flags);
  await Promise.race([write.held, running.ended]);
  running.child.kill(signal);
  await running.seen(new RegExp(`(?:warning: |"type":"warning".*)${signal}: finishing running work, for at most 30 s`));
  write.release();
  return running.ended;
}

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("%s lets what runs finish, says how to go on, and ends with %d", async (signal, expected) => {
    const sites = await twoSites();
    const { code, stderr } = await stopAmidWrite(sites, signal);
    // The request that was under way has its answer.
    expect([code, sites.writes()]).toEqual([expected, 3]);
    const status = await sites.run("status", "work");
    expect(status.stdout).toMatch(/^all +\d+ +0 +0$/m);
    expect(status.stdout).toMatch(new RegExp(` with exit code ${expected}: stopped by the signal ${signal.slice(3)}`));
    const [, line] =
      /Stopped by SIG\w+\. All results so far are kept\. To continue:\n {2}guideferry (.*)\n$/.exec(stderr) ?? [];
    expect(line).toBe(`migrate ${sites.source.url} ${sites.target.url} --concurrency 1`);
    sites.target.faults.clear();
    const again = await sites.run(...(line ?? "").split(" "));
    expect([again.code, sites.target.state().guides.length]).toEqual([0, 3]);
  });

  it("shows as an object with --json", async () => {
    const sites = await twoSites();
    const { code, stdout } = await stopAmidWrite(sites, "SIGTERM", "--json");
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    expect([code, last]).toMatchObject([
      143,
      { type: "stopped", exitCode: 143, message: expect.stringMatching(/To continue:/) },
    ]);
  });

  it("that comes twice ends the run at once, and the same command goes on all the same", async () => {
    const sites = await twoSites();
    const hanging = withResolvers();
    sites.target.faults.decide(({ method }) =>
      method === "POST" ? { kind: "stall", reached: hanging.resolve } : undefined,
    );
    const running = sites.startMigration();
    // Before a request that never ends is under way, the first signal alone could end the run.
    await Promise.race([hanging.promise, running.ended]);
    running.child.kill("SIGINT");
    await running.seen(/finishing running work/);
    // One that comes sooner is taken for the same one.
    await delay(600);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Ending now\.[\s\S]*To continue:/)]);
    sites.target.faults.clear();
    const again = await sites.migrate();
    expect([again.code, sites.target.state().guides.length], again.stderr).toEqual([0, 3]);
  });
});
