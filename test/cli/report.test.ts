import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RunReport, runReportSchema } from "../../src/web/report/run-report.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/** The folders of runs, oldest first. */
function runsOf({ directory }: TwoSites): readonly string[] {
  const reports = join(directory, "work", "reports");
  return readdirSync(reports)
    .toSorted()
    .map((name) => join(reports, name));
}

function reportIn(folder: string): RunReport {
  return runReportSchema.parse(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));
}

describe("the report of a run", () => {
  it("says what went where, what failed and why, and how the requests went; the next one has its own", async () => {
    const sites = await twoSites();
    sites.source.edit.guide(1, { title: "<script>bad()</script>" });
    sites.source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
    sites.target.faults.inject({ kind: "status", status: 429, retryAfter: 1 }, { method: "POST", times: 1 });
    const first = await sites.migrate();
    expect(first.code).toBe(3);
    const [folder = ""] = runsOf(sites);
    expect(first.stdout).toContain(`HTML report: ${join(folder, "report.html")}`);
    const report = reportIn(folder);
    expect(report.run).toMatchObject({ command: "migrate", exitCode: 3, ended: expect.any(String) });
    expect(report.kinds).toContainEqual(
      expect.objectContaining({ kind: "guide", created: 2, updated: 0, left: 0, failed: 1 }),
    );
    expect(report.failures.causes).toMatchObject([{ stages: ["extract"], count: 1, keys: ["guide/2"] }]);
    const there = report.timeline?.origins.find(({ origin }) => sites.target.url.startsWith(origin));
    expect(there?.buckets.reduce((sum, { refusals }) => sum + refusals, 0)).toBe(1);
    const sent = there?.buckets.reduce((sum, { starts }) => sum + starts, 0);
    expect(sent).toBe(sites.target.recorded.length);
    expect(report.stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(["list", "extract", "load", "verify"]),
    );
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain("&lt;script&gt;bad()");
    // Its own script, and the entries as data.
    expect(page.match(/<script[ >]/g)).toHaveLength(2);

    expect((await sites.run("retry", "work")).code).toBe(0);
    const [, second = ""] = runsOf(sites);
    expect(reportIn(second)).toMatchObject({ run: { command: "retry", exitCode: 0 }, failures: { count: 0 } });
    expect((await sites.run("report", "work", "--run", report.run.id)).code).toBe(0);
    expect(reportIn(folder)).toEqual(report);
    expect(reportIn(second).kinds).toContainEqual(expect.objectContaining({ kind: "guide", created: 1, unchanged: 2 }));
  });

  it("is made again for a run that was killed, from what was kept while it was on", async () => {
    const sites = await twoSites();
    sites.target.faults.decide(({ method, path }) =>
      method === "POST" && path === "/guides" ? { kind: "stall" } : undefined,
    );
    const running = sites.startMigration();
    await running.seen(/load: 1 of 4/);
    const [folder = ""] = runsOf(sites);
    expect((await sites.run("report", "work")).code).toBe(0);
    expect(reportIn(folder).run).toMatchObject({ ended: null, meaning: "running" });
    for (const name of ["html", "json"]) rmSync(join(folder, `report.${name}`));
    running.child.kill("SIGKILL");
    await running.ended;
    expect(existsSync(join(folder, "report.html"))).toBe(false);
    const { code, stdout } = await sites.run("report", "work");
    expect([code, stdout]).toEqual([0, expect.stringContaining(join(folder, "report.html"))]);
    expect(reportIn(folder).run).toMatchObject({ ended: null, meaning: expect.stringMatching(/^interrupted: /) });
  });

  it("ends with 10 and what to do where there is no such run, and changes no run's end where it cannot be written", async () => {
    const sites = await twoSites();
    expect((await sites.run("report", "work")).code).toBe(10);
    expect((await sites.migrate()).code).toBe(0);
    const none = await sites.run("report", "work", "--run", "20200101T000000Z-aaaaaa");
    expect([none.code, none.stderr]).toEqual([
      10,
      expect.stringMatching(/The run 20200101.* is unknown .*`guideferry status \S+work` lists the last runs/),
    ]);
    const [folder = ""] = runsOf(sites);
    rmSync(join(folder, "report.json"));
    expect((await sites.run("report", "work", "--json")).stdout).toContain('"type":"report"');
    expect(reportIn(folder).run.exitCode).toBe(0);
    // The last run that did something: a retry of nothing leaves no page.
    expect((await sites.run("retry", "work")).stdout).not.toContain("HTML report");
    expect((await sites.run("report", "work")).stdout).toContain(join(folder, "report.html"));
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    const blocked = await sites.run("report", "work", "--run", basename(folder));
    expect([blocked.code, blocked.stderr]).toEqual([
      2,
      expect.stringMatching(/writing the report of .* is a file where/),
    ]);
    rmSync(folder);
    const dry = await sites.migrate("--dry-run");
    expect(dry.stdout).not.toContain("HTML report");
  });
});
