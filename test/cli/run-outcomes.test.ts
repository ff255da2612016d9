import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectWorkspace } from "../../src/storage/workspace/inspect.js";
import { expectToAddUp, type LastReport, lastReport, rowOf } from "../helpers/last-report.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

const workspaceOf = ({ directory }: TwoSites): string => join(directory, "work");
const last = (sites: TwoSites): LastReport => lastReport(workspaceOf(sites));

describe("what a run says of the items of each kind", () => {
  it("tells what was adopted, refused, changed, left and deleted from what was made", async () => {
    const sites = await twoSites({ target: { guideTypes: ["how-to"] } });
    sites.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
    sites.source.edit.guide(2, { type: "repair" });
    const first = await sites.migrate();
    expect(first.stdout).toMatch(/^kind +read +created +updated +linked +left out +failed +values lost\n/m);
    const { report } = last(sites);
    expect(rowOf(report, "category")).toEqual({ read: 1, linked: 1 });
    expect(rowOf(report, "guide")).toEqual({ read: 3, created: 2, leftOut: 1 });
    expect(report.leftOut).toMatchObject({
      count: 1,
      ways: [{ causes: [{ keys: ["guide/2"], reason: expect.stringMatching(/type/) }] }],
    });
    await expectToAddUp(workspaceOf(sites), report);

    sites.source.edit.guide(1, { summary: "New at the source." });
    const there = sites.target.state().guides.find(({ title }) => title === "Fold the Heron");
    sites.target.edit.guide(Number(there?.["guideid"]), { summary: "Theirs." });
    sites.source.edit.guide(3, { summary: "Ours." });
    await sites.migrate();
    const next = last(sites).report;
    expect(rowOf(next, "guide")).toEqual({ read: 2, updated: 1, left: 1, leftOut: 1 });
    await expectToAddUp(workspaceOf(sites), next);

    await sites.migrate();
    const idle = last(sites).report;
    expect(rowOf(idle, "guide")).toEqual({ unchanged: 1, left: 1, leftOut: 1 });

    sites.source.edit.deleteGuide(1);
    await sites.migrate("--delete-removed", "--max-deletions", "5");
    expect(rowOf(last(sites).report, "guide")).toEqual({ deleted: 1, left: 1, leftOut: 1 });
  });
});

describe("a run that a site stops", () => {
  it("counts what failed halfway as failed alone, says why it stopped, what failed and how to go on", async () => {
    const sites = await twoSites();
    sites.target.faults.decide(({ method, path }) =>
      method === "POST" && /^\/guides\/\d+\/steps/.test(path) ? { kind: "status", status: 403 } : undefined,
    );
    const { code, stdout, stderr } = await sites.migrate("--max-failures", "2", "--concurrency", "1");
    expect(code).toBe(8);
    const { folder, report } = last(sites);
    expect(rowOf(report, "guide")).toEqual({ read: 3, waiting: 1, failed: 2 });
    expect(rowOf(report, "category")).toEqual({ read: 1, created: 1 });
    await expectToAddUp(workspaceOf(sites), report);
    expect(report.run.stopped).toEqual({
      words: expect.stringMatching(/^Stopped by --max-failures: 2 items in a row failed/),
      goOn: expect.stringMatching(/^guideferry migrate .* --max-failures 2 --concurrency 1$/),
    });
    expect(stdout).toMatch(/FAILED: 2 items.*guideferry migrate [\s\S]*What to do:/);
    expect(stdout).toMatch(/^guide +3 +0 +0 +1 +2 +\d+$/m);
    expect(stderr).toMatch(/error: Stopped by --max-failures/);
    const words = readFileSync(join(folder, "summary.txt"), "utf8");
    expect(words).toMatch(
      /^Stopped by --max-failures[\s\S]*\nTo continue: guideferry migrate [\s\S]*\nFAILED: 2 items/,
    );
    expect(words).not.toContain(sites.target.token);
    const status = await sites.run("status", "work");
    expect(status.stdout).toMatch(/^Reason: Stopped by --max-failures.*\nTo continue: guideferry migrate /m);

    sites.target.faults.clear();
    expect((await sites.migrate()).code).toBe(0);
    const whole = last(sites).report;
    expect([whole.run.stopped, rowOf(whole, "guide")]).toEqual([null, { created: 1, updated: 2 }]);
  });

  it("while it reads tells what was read, and names the target that nothing went to", async () => {
    const sites = await twoSites();
    let reads = 0;
    sites.source.faults.decide(({ path }) => {
      reads += /^\/guides\/\d+$/.test(path) ? 1 : 0;
      // The first read of a guide tells how the site answers.
      return reads > 3 ? { kind: "status", status: 401 } : undefined;
    });
    const { code, stdout } = await sites.migrate("--concurrency", "1");
    expect(code).toBe(5);
    const { report } = last(sites);
    expect(report.target).toEqual({
      name: new URL(sites.target.url).host,
      root: expect.stringContaining(sites.target.url),
      reached: false,
    });
    expect(rowOf(report, "guide")).toEqual({ read: 2 });
    expect(report.run.stopped?.goOn).toMatch(/^guideferry migrate /);
    expect(stdout).toMatch(/^kind +read +unchanged +failed\n[\s\S]*^guide +2 +0 +0$/m);
  });
});

describe("an undo", () => {
  it("says of each kind what went, what stays and why; of a stopped one also what it had not come to", async () => {
    const sites = await twoSites();
    await sites.migrate();
    const there = sites.target.state().guides.find(({ title }) => title === "Oil the Siskin");
    sites.target.edit.guide(Number(there?.["guideid"]), { summary: "Theirs." });
    let deletions = 0;
    sites.target.faults.decide(({ method, path }) => {
      if (method !== "DELETE" || !/^\/guides\/\d+$/.test(path)) return undefined;
      deletions += 1;
      return deletions > 1 ? { kind: "status", status: 401 } : undefined;
    });
    const { id } = last(sites).report.run;
    const stopped = await sites.run("undo", "work", "--concurrency", "1");
    expect(stopped.code).toBe(5);
    expect(rowOf(last(sites).report, "guide")).toEqual({ deleted: 1, waiting: 1, left: 1 });
    const inspected = await inspectWorkspace(workspaceOf(sites));
    // All that is known of one that is killed.
    expect(inspected.targets()[0]?.undone(id)).toEqual({ category: { waiting: 1 }, guide: { deleted: 1, waiting: 2 } });
    await inspected.close();
    sites.target.faults.clear();
    const { code, stdout } = await sites.run("undo", "work");
    expect(code).toBe(3);
    const { folder, report } = last(sites);
    expect([report.target?.root, report.failures.count]).toEqual([expect.stringContaining(sites.target.url), 0]);
    expect(rowOf(report, "guide")).toEqual({ deleted: 1, left: 1 });
    expect(report.notSent.causes).toMatchObject([
      { keys: ["guide/2"], reason: "somebody edited it after the run." },
      { keys: ["category/Looms"], reason: "something that is kept uses it." },
    ]);
    expect(stdout).toMatch(/^kind +deleted +restored +kept +failed\n/m);
    expect(readFileSync(join(folder, "summary.txt"), "utf8")).toMatch(/is undone, apart from/);
  });
});
