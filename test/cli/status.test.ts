import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { runCli } from "../helpers/run-cli.js";
import { twoSites } from "../helpers/two-sites.js";

describe("guideferry status", () => {
  it("shows the pace, the time left and the state of each item during a load", async () => {
    const sites = await twoSites();
    sites.target.faults.decide(({ method, path }) =>
      method === "POST" && path === "/guides" ? { kind: "stall" } : undefined,
    );
    const running = sites.startMigration();
    await running.seen(/load: 1 of 4/);
    const { code, stdout } = await sites.run("status", "work");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Running: guideferry migrate, process \d+ on \S+ since /m);
    expect(stdout).toMatch(/^In the last minute: \d+ items read, \d+ operations?, about \d+:\d\d left in this run$/m);
    expect(stdout).toMatch(/^category +1 +0 +0 +1$/m);
    const json = await sites.run("status", "work", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      type: "status",
      running: { pid: running.child.pid },
      secondsLeft: expect.any(Number),
      lastMinute: { items: expect.any(Number), operations: expect.any(Number) },
    });
  });

  it("counts per kind and state, names failures with their reasons, and says what the exit code meant", async () => {
    const sites = await twoSites();
    sites.source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
    await sites.migrate();
    const { stdout } = await sites.run("status", "work");
    const [, run = ""] = /^Last run: migrate (\S+), /m.exec(stdout) ?? [];
    expect(stdout).toContain(`\nHTML report: ${join(sites.directory, "work", "reports", run, "report.html")}\n`);
    expect(stdout).toMatch(/ended \S+ with exit code 3: finished, but an item failed, was left out/);
    expect(stdout).toMatch(/^guide +2 +0 +1 +2$/m);
    expect(stdout).toMatch(/^ +operations done +started +failed\n/m);
    expect(stdout).toMatch(/^guide +\d+ +0 +0\n/m);
    expect(stdout).toMatch(/1 failure\. To try again: guideferry retry \S+work\n {2}guide\/2 \(extract\): .*403/);
  });

  it("tells a cause of many failures once, with what to do, and names the runs before", async () => {
    const sites = await twoSites();
    sites.source.faults.decide(({ path }) =>
      /^\/guides\/[12]$/.test(path) ? { kind: "status", status: 403 } : undefined,
    );
    await sites.run("extract", sites.source.url);
    await sites.run("extract", sites.source.url);
    const { stdout } = await sites.run("status", "work");
    expect(stdout).toMatch(/^Earlier runs: \S+ \(extract, 3\)$/m);
    expect(stdout).toMatch(
      /^2 failures\. .*\n {2}2 items \(extract\), the first: .*403.*\n {4}What to do: .*\n {4}guide\/1, guide\/2$/m,
    );
  });

  it("keeps what failed at one target apart from another one, as verify does", async () => {
    const sites = await twoSites();
    const rehearsal = await startSandbox();
    onTestFinished(() => rehearsal.close());
    rehearsal.faults.inject({ kind: "status", status: 403 }, { method: "POST", path: "/guides", times: 1 });
    await sites.run("extract", sites.source.url);
    const token = { GUIDEFERRY_TARGET_TOKEN: rehearsal.token };
    const cli = { directory: sites.directory, environment: { ...sites.environment, ...token } };
    expect((await runCli(["load", "work", rehearsal.url, "--concurrency", "1"], cli)).code).toBe(3);
    expect((await sites.run("load", "work", sites.target.url)).code).toBe(0);
    const { stdout } = await sites.run("status", "work");
    expect(stdout).toMatch(/^guide +3 +0 +0 +3$/m);
    expect(stdout).toContain(
      `1 failure. To try again: guideferry retry ${join(sites.directory, "work")} ${rehearsal.url}`,
    );
    const verified = await sites.run("verify", "work", sites.target.url);
    expect([verified.code, verified.stdout]).toEqual([0, expect.not.stringContaining("FAILED")]);
  });

  it("says of a killed run that the same command goes on", async () => {
    const sites = await twoSites();
    sites.source.faults.decide(({ path }) => (path === "/guides/3" ? { kind: "stall" } : undefined));
    const running = sites.startMigration();
    await running.seen(/extract: 1 of 4/);
    running.child.kill("SIGKILL");
    await running.ended;
    const { stdout } = await sites.run("status", "work");
    expect(stdout).toMatch(
      /Last run: migrate \S+, started \S+, interrupted after \S+\. Run the same command again to continue\n/,
    );
  });
});
