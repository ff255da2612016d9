import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectToAddUp, lastReport, rowOf } from "../helpers/last-report.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

const FILE = "friday.plan";

interface Planned extends TwoSites {
  readonly file: string;
  apply(...flags: readonly string[]): ReturnType<TwoSites["run"]>;
}

/** Two sites, and the plan of what is to be done between them. */
async function planned(...flags: readonly string[]): Promise<Planned> {
  const sites = await twoSites();
  const plan = await sites.run("plan", sites.source.url, sites.target.url, "-o", FILE, ...flags);
  expect([plan.code, plan.stdout, plan.stderr]).toEqual([
    0,
    expect.stringMatching(/Nothing was written[\s\S]*^ {2}guideferry apply friday\.plan$/m),
    expect.stringMatching(/Plan saved to .*friday\.plan\./),
  ]);
  expect(sites.writes()).toBe(0);
  const file = join(sites.directory, FILE);
  return { ...sites, file, apply: (...more) => sites.run("apply", FILE, ...more) };
}

describe("guideferry apply", () => {
  it("carries out what the plan holds, with its options, and nothing the second time", async () => {
    const sites = await planned("--fit", "split", "--html", "friday.html", "--text");
    const { head } = JSON.parse(await readFile(sites.file, "utf8")) as { head: { choices: { fit: string } } };
    expect(head.choices.fit).toBe("split");
    expect(await readFile(join(sites.directory, "friday.html"), "utf8")).toContain("Oil the Siskin");
    expect(await sites.apply("--fit", "trim")).toMatchObject({ code: 2, stderr: expect.stringMatching(/--fit/) });
    expect(await sites.apply()).toMatchObject({ code: 0 });
    const { report } = lastReport(join(sites.directory, "work"));
    expect(rowOf(report, "guide")).toEqual({ created: 3 });
    await expectToAddUp(join(sites.directory, "work"), report);
    expect(sites.target.state().guides).toHaveLength(3);
    const written = sites.writes();
    expect(await sites.apply()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/no write request was needed/),
    });
    expect(sites.writes()).toBe(written);
  });

  it("has a plan only where the plan and its page can be two files, told before anything is read", async () => {
    const sites = await twoSites();
    const plan = (...flags: readonly string[]) => sites.run("plan", sites.source.url, sites.target.url, ...flags);
    expect(await plan("-o", "a", "--html", "./a")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/two different files/),
    });
    expect(await plan("-o", ".")).toMatchObject({ code: 2, stderr: expect.stringMatching(/names the folder/) });
    expect(sites.source.recorded).toEqual([]);
  });

  it("is refused with 8 when the source moved, which it reads again, and with 2 when the file was edited", async () => {
    const sites = await planned();
    sites.source.edit.guide(2, { summary: "New." });
    const refused = await sites.apply();
    expect(refused.stderr).not.toMatch(/To go on/);
    expect([refused.code, refused.stderr]).toEqual([
      8,
      expect.stringMatching(/source changed.*guide\/2 "Oil the Siskin"/s),
    ]);
    await writeFile(sites.file, (await readFile(sites.file, "utf8")).replace('"create"', '"leave"'));
    expect(await sites.apply()).toMatchObject({ code: 2, stderr: expect.stringMatching(/somebody edited it/) });
    expect(sites.writes()).toBe(0);
  });

  it("goes on after SIGKILL where it was, and is refused with 8 when somebody edits what it made", async () => {
    const sites = await planned();
    let seen = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      seen = resolve;
    });
    sites.target.faults.inject({ kind: "stall", applied: true, reached: seen }, { method: "POST", path: /steps$/ });
    const running = sites.start("apply", FILE);
    await reached;
    running.child.kill("SIGKILL");
    expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
    sites.target.faults.clear();
    sites.target.edit.wiki("CATEGORY", "Looms", { contents: "Theirs." });
    expect(await sites.apply()).toMatchObject({ code: 8, stderr: expect.stringMatching(/target changed.*Looms/s) });
    sites.target.edit.wiki("CATEGORY", "Looms", { contents: "All of them." });
    expect(await sites.apply()).toMatchObject({ code: 0 });
    expect(sites.target.state().guides.map(({ title }) => title)).toHaveLength(3);
  });
});
