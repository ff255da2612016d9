import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runCli } from "../helpers/run-cli.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

const SAMPLES = fileURLToPath(new URL("../../samples/transforms/", import.meta.url));

async function withSample(name: string): Promise<TwoSites> {
  const sites = await twoSites();
  await copyFile(join(SAMPLES, name), join(sites.directory, name));
  return sites;
}

async function withModule(content: string): Promise<TwoSites> {
  const sites = await twoSites();
  await writeFile(join(sites.directory, "mine.mjs"), content);
  return sites;
}

function categories({ target }: TwoSites): readonly unknown[] {
  return [...new Set(target.state().guides.map((guide) => guide["category"]))];
}

describe("--transform", () => {
  it("changes what goes to the target, and writes nothing the second time", async () => {
    const sites = await twoSites();
    const flags = ["--transform", "rename-category:from=Looms,to=Weaving"];
    expect((await sites.migrate(...flags)).code).toBe(0);
    expect(categories(sites)).toEqual(["Weaving"]);
    const before = sites.writes();
    const again = await sites.migrate(...flags);
    expect([again.code, sites.writes() - before]).toEqual([0, 0]);
    expect(again.stdout).toMatch(/no difference/);
  });

  it("holds for verify and retry after the load, until something else is said", async () => {
    const sites = await twoSites();
    sites.target.faults.inject({ kind: "status", status: 403 }, { method: "POST", path: "/guides", times: 1 });
    const flags = ["--transform", "rename-category:from=Looms,to=Weaving", "--concurrency", "1"];
    expect((await sites.migrate(...flags)).code).toBe(3);
    expect((await sites.run("retry", "work")).code).toBe(0);
    expect([sites.target.state().guides.length, categories(sites)]).toEqual([3, ["Weaving"]]);
    expect((await sites.run("verify", "work", sites.target.url)).code).toBe(0);
    const other = await sites.run(
      "verify",
      "work",
      sites.target.url,
      "--transform",
      "rename-category:from=Looms,to=Other",
    );
    expect([other.code, other.stdout]).toEqual([6, expect.stringMatching(/Other/)]);
  });

  it("is given several times, by a variable and by a file as well", async () => {
    const transforms = ["normalise-syntax", { name: "rename-category", options: { titles: { Looms: "Of file" } } }];
    const variable = JSON.stringify([{ name: "rename-category", options: { from: "Looms", to: "Of variable" } }]);
    const sites = await twoSites();
    await writeFile(join(sites.directory, "guideferry.config.json"), JSON.stringify({ transforms }));
    const planned = async (...flags: readonly string[]) =>
      (await sites.run("plan", sites.source.url, sites.target.url, "--verbose", ...flags)).stdout;
    expect(await planned()).toMatch(/category "Of file"/);
    const flags = ["--transform", "rename-category:from=Looms,to=Of flag", "--transform", "normalise-syntax"];
    expect(await planned(...flags)).toMatch(/category "Of flag"/);
    const other = { directory: sites.directory, environment: { ...sites.environment, GUIDEFERRY_TRANSFORM: variable } };
    const { stdout } = await runCli(["plan", "work", sites.target.url, "--verbose"], other);
    expect(stdout).toMatch(/category "Of variable"/);
  });
});

describe("a transform of one's own", () => {
  it("leaves out what the sample of a function says", async () => {
    const sites = await withSample("leave-out-teardowns.mjs");
    sites.source.edit.guide(2, { type: "teardown" });
    expect((await sites.migrate("--transform", "./leave-out-teardowns.mjs")).code).toBe(0);
    expect(sites.target.state().guides).toHaveLength(2);
  });

  it("takes options as the sample with options does, and retry finds the file from elsewhere", async () => {
    const sites = await withSample("mark-drafts.mjs");
    const { code, stdout } = await sites.migrate("--transform", "./mark-drafts.mjs:tag=oil,prefix=WIP:");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/no difference/)]);
    const titles = sites.target.state().guides.map((guide) => [guide["title"], guide["public"]]);
    expect(titles).toContainEqual(["WIP: Oil the Siskin", false]);
  });

  it("that fails on one item makes this one a listed failure, with its name, and the others go", async () => {
    const sites = await withModule(
      "export default (item) => { if (item.key === 'guide/2') throw new Error('no oil'); return [item]; };",
    );
    const { code, stdout } = await sites.migrate("--transform", "./mine.mjs");
    expect(code).toBe(3);
    expect(stdout).toMatch(/guide\/2.*The transform .*mine\.mjs failed on guide\/2: it threw "no oil"/s);
    expect(sites.target.state().guides).toHaveLength(2);
  });

  it("or a name that there is none of ends the run with 2 before anything is read", async () => {
    const sites = await twoSites();
    const { code, stderr } = await sites.migrate("--transform", "relabel-bare-link");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Did you mean "relabel-bare-links"\?/)]);
    expect(sites.source.recorded.length).toBe(0);
  });
});
