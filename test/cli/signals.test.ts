import { describe, expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

const SLOW = { kind: "delay", milliseconds: 300 } as const;

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s lets what runs finish, says how to go on, and ends with %d", async (signal, expected) => {
    const sites = await twoSites();
    sites.target.faults.decide(({ method }) => (method === "GET" ? undefined : SLOW));
    const running = sites.startMigration("--concurrency", "1");
    await running.seen(/load: 1 of/);
    running.child.kill(signal);
    const { code, stderr } = await running.ended;
    expect(code).toBe(expected);
    expect(stderr).toMatch(new RegExp(`warning: ${signal}: finishing what runs, 30 s at most`));
    const [, line] =
      /Stopped by SIG\w+\. What was done so far is kept\. To go on:\n {2}guideferry (.*)\n$/.exec(stderr) ?? [];
    expect(line).toBe(`migrate ${sites.source.url} ${sites.target.url} --concurrency 1`);
    sites.target.faults.clear();
    const again = await sites.run(...(line ?? "").split(" "));
    expect([again.code, sites.target.state().guides.length]).toEqual([0, 3]);
  });

  it("finishes the request that is under way: nothing is left without its answer", async () => {
    const sites = await twoSites();
    sites.target.faults.decide(({ method }) => (method === "GET" ? undefined : SLOW));
    const running = sites.startMigration("--concurrency", "1");
    await running.seen(/load: 1 of/);
    running.child.kill("SIGINT");
    await running.ended;
    const status = await sites.run("status", "work");
    expect(status.stdout).toMatch(/^all +\d+ +0 +0$/m);
    expect(status.stdout).toMatch(/ with 130: ended by the signal INT \(Ctrl-C\)$/m);
  });

  it("that comes twice ends the run at once, and the same command goes on all the same", async () => {
    const sites = await twoSites();
    let stalled: (value: unknown) => void = () => undefined;
    const underWay = new Promise((resolve) => {
      stalled = resolve;
    });
    sites.target.faults.decide(({ method }) => {
      if (method !== "POST") return undefined;
      stalled(method);
      return { kind: "stall" };
    });
    const running = sites.startMigration();
    // Before a request that never ends is under way, the first signal alone could end the run.
    await Promise.race([underWay, running.ended]);
    running.child.kill("SIGINT");
    await running.seen(/finishing what runs/);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Ending at once\.[\s\S]*To go on:/)]);
    sites.target.faults.clear();
    expect([(await sites.migrate()).code, sites.target.state().guides.length]).toEqual([0, 3]);
  });

  it("shows as an object with --json", async () => {
    const sites = await twoSites();
    sites.source.faults.decide(() => SLOW);
    const running = sites.startMigration("--json");
    await running.seen(/"type":"progress"/);
    running.child.kill("SIGTERM");
    const { stdout } = await running.ended;
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ type: "stopped", exitCode: 143, message: expect.stringMatching(/To go on:/) });
  });
});
