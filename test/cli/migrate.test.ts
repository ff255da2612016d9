import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { twoSites } from "../helpers/two-sites.js";

const titles = (site: { state(): { guides: readonly unknown[] } }) => JSON.stringify(site.state().guides);

describe("guideferry migrate", () => {
  it("moves a site, says in plain words what is there now, also in the workspace, and writes nothing the second time", async () => {
    const sites = await twoSites();
    const first = await sites.migrate();
    expect([first.code, first.stderr]).toEqual([0, expect.not.stringMatching(/error|warning/i)]);
    expect(first.stdout).toMatch(/Read back and compared 4 items, \d+ fields: no difference/);
    expect(titles(sites.target)).toContain("Fold the Heron");
    const { stdout } = first;
    // One table, the next step and the report are the end; the summary file has more.
    expect(stdout.match(/^kind /gm)).toHaveLength(1);
    expect(stdout).toMatch(/^kind +read +created +updated +failed +values lost\ncategory +1 +1 +0 +0 +\d+\n/m);
    expect(stdout).toMatch(
      /^all +\d+ +4 +0 +0 +\d+\n\nNext: list the old and the new addresses, for redirects:\n {2}guideferry map \S+\/work \S+\nHTML report: \S+\n$/m,
    );
    const [, folder = ""] = /^HTML report: (.*)\/report\.html$/m.exec(stdout) ?? [];
    const words = (await readFile(join(folder, "summary.txt"), "utf8")).split("\n");
    expect(words.filter((line) => / in the workspace, \d+ read/.test(line)).length).toBeGreaterThan(1);
    expect(words.join("\n")).toMatch(/^Also compared the rendered HTML/m);
    expect(stdout).not.toMatch(/^Also compared the rendered HTML/m);
    const before = sites.writes();
    const second = await sites.migrate();
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(/no write request was needed/)]);
    expect(sites.writes()).toBe(before);
  });

  it("says in its first line that private guides are not included", async () => {
    const sites = await twoSites({ source: { account: { admin: false } } });
    const notAdmin = await sites.migrate();
    expect(notAdmin.stdout).toMatch(/^Private guides are NOT included: the source lists them for admins only/);
    const unwanted = await (await twoSites()).migrate("--no-include-private");
    expect(unwanted.stdout).toMatch(/^Private guides are NOT included: --no-include-private/);
  });

  it("prints JSON objects only, one a line, with --json", async () => {
    const sites = await twoSites();
    const { code, stdout } = await sites.migrate("--json");
    const objects = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const types = new Set(objects.map(({ type }) => type));
    expect([code, types.has("progress"), types.has("issue")]).toEqual([0, true, true]);
    expect(objects.at(-1)).toMatchObject({
      type: "summary",
      exitCode: 0,
      verified: { items: 4, differences: 0 },
      failures: 0,
    });
  });

  it("ends with a summary that tells the exit code, also where nothing was to be done", async () => {
    const sites = await twoSites();
    await sites.migrate();
    const last = async (...words: readonly string[]) => {
      const { code, stdout } = await sites.run(...words, "--json");
      return { code, summary: JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") };
    };
    sites.source.edit.guide(1, { summary: "New." });
    await sites.run("extract", sites.source.url);
    const planned = await last("plan", "work", sites.target.url, "--detailed-exitcode");
    expect(planned).toMatchObject({ code: 7, summary: { type: "summary", exitCode: 7, counts: { change: 1 } } });
    expect(await last("retry", "work")).toMatchObject({
      code: 0,
      summary: { type: "summary", exitCode: 0, outcome: "ok", failures: 0, htmlReport: null },
    });
  });

  it("warns when the options choose nothing, since that is done at once", async () => {
    const sites = await twoSites();
    const all = await sites.migrate("--include", "guide/*");
    expect(all.stderr).not.toMatch(/warning/);
    const none = await sites.migrate("--include", "guide/77", "--only", "guide");
    expect([none.code, none.stderr]).toEqual([
      0,
      expect.stringMatching(/warning: No item at the source matches --only/),
    ]);
    expect(none.stderr.match(/warning: No item/g)).toHaveLength(1);
    const images = await sites.run("load", "work", sites.target.url, "--only", "image");
    expect(images.stderr).toMatch(/warning: No item .*--only/);
  });

  it("refuses source and target that are one site, before any request", async () => {
    const sites = await twoSites();
    const { code, stderr } = await sites.run("migrate", sites.source.url, sites.source.origin);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Source and target are the same site/)]);
    expect(sites.source.recorded).toEqual([]);
  });

  it("writes nothing with --dry-run, and plan tells the same with its exit code", async () => {
    const sites = await twoSites();
    const dry = await sites.migrate("--dry-run");
    expect([dry.code, sites.writes()]).toEqual([0, 0]);
    expect(dry.stdout).toMatch(/create {2}guide\/1 "Warp the Wren"/);
    const plan = () => sites.run("plan", "work", sites.target.url, "--detailed-exitcode");
    expect((await plan()).code).toBe(7);
    await sites.migrate();
    const writes = sites.writes();
    expect([(await plan()).code, sites.writes()]).toEqual([0, writes]);
  });

  it("takes what was chosen and what that needs, and plan says why it comes", async () => {
    const sites = await twoSites();
    const { stdout } = await sites.run("plan", sites.source.url, sites.target.url, "--include", "guide/3");
    expect(stdout).toMatch(/guide\/3 "Fold the Heron",/);
    expect(stdout).toMatch(/guide\/1 "Warp the Wren" \(prerequisite of guide\/3\)/);
    expect(stdout).not.toContain("guide/2");
  });

  it("warns when nothing matches what was chosen", async () => {
    const sites = await twoSites();
    const nothing = await sites.run("plan", sites.source.url, sites.target.url, "--include", "Lomms/**");
    expect([nothing.code, nothing.stderr]).toEqual([
      0,
      expect.stringMatching(/warning: No item at the source matches/),
    ]);
    const some = await sites.run("plan", sites.source.url, sites.target.url, "--include", "Looms/**");
    expect(some.stderr).not.toMatch(/warning/);
  });

  it("is planned in a few lines: what every item loses is counted, and told one by one with --verbose", async () => {
    const sites = await twoSites();
    const short = await sites.run("plan", sites.source.url, sites.target.url, "--target-rate", "10/s");
    expect(short.stdout).toMatch(/\nValues lost \(--verbose or --json shows each\): .*4 × dates/);
    expect(short.stdout).toMatch(/\n\d+ writes, about 0:\d\d at the given rate\. Nothing was written\.\n/);
    expect(short.stdout).not.toMatch(/loss: /);
    const long = await sites.run("plan", "work", sites.target.url, "--verbose");
    expect(long.stdout).toMatch(/loss: dates: /);
  });

  it("shows every request with --verbose", async () => {
    const sites = await twoSites();
    const { stderr } = await sites.run("extract", sites.source.url, "--verbose");
    expect(stderr).toMatch(/^\S+ GET http:\/\/127\.0\.0\.1:\d+\/api\/2\.0\/guides\/1\?\S* 200, \d+ bytes, \d+ ms$/m);
  });

  it("says only what is wrong with --quiet", async () => {
    const sites = await twoSites();
    expect(await sites.migrate("--quiet")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  it("goes on to its end when nobody reads what it prints", async () => {
    const sites = await twoSites();
    const running = sites.startMigration("--verbose");
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    expect([(await running.ended).code, sites.target.state().guides.length]).toEqual([0, 3]);
  });
});
