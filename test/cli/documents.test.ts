import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownSample, packFolder, SPINNING_WHEEL } from "../helpers/documents.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";
import { zipBytes } from "../storage/archive/helpers/zip-bytes.js";

const TWO = [expect.anything(), expect.anything()];
const NO_DIFFERENCE = /Read back and compared \d items, \d+ fields: no difference/;

async function packed(): Promise<{ readonly sites: TwoSites; readonly manual: string }> {
  const sites = await twoSites();
  const manual = join(sites.directory, "manual.omanual");
  await packFolder(SPINNING_WHEEL, manual);
  return { sites, manual };
}

describe("a package of documents", () => {
  it("is migrated, read back without a difference, and writes nothing the second time, also from another place", async () => {
    const { sites, manual } = await packed();
    const first = await sites.run("migrate", "manual.omanual", sites.target.url);
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/With --publish they become public/)]);
    expect(first.stdout).toMatch(NO_DIFFERENCE);
    const { guides } = sites.target.state();
    expect(guides.map((guide) => [guide["title"], guide["public"]])).toEqual([
      ["Oil the Wheel", false],
      ["Change the Drive Band", false],
    ]);
    expect(guides[1]?.["prerequisites"]).toEqual([1]);
    const before = sites.writes();
    await mkdir(join(sites.directory, "kept"));
    await rename(manual, join(sites.directory, "kept/manual.zip"));
    const second = await sites.run("migrate", "kept/manual.zip", sites.target.url);
    expect([second.code, second.stdout, sites.writes()]).toEqual([
      0,
      expect.stringMatching(/no write request was needed/),
      before,
    ]);
  });

  it("leaves no link to where it lay: what does not move becomes its label", async () => {
    const { sites } = await packed();
    await sites.run("migrate", "manual.omanual", sites.target.url);
    const there = JSON.stringify(sites.target.state());
    expect(there).toContain("Spare parts: the old price list.");
    expect(there).not.toMatch(/file:|bundle:|documents:|4711|undefined\/Guide/);
    expect(there).toMatch(/\[guide\|\d+\|a new band\]/);
  });

  it("is published when that is asked for", async () => {
    const { sites } = await packed();
    expect((await sites.run("migrate", "manual.omanual", sites.target.url, "--publish")).code).toBe(0);
    expect(sites.target.state().guides.map((guide) => guide["public"])).toEqual([true, true]);
  });

  it("goes on after a kill and doubles nothing", async () => {
    const { sites } = await packed();
    const running = sites.start("migrate", "manual.omanual", sites.target.url);
    let steps = 0;
    sites.target.faults.decide(({ method, path }) => {
      if (method === "POST" && path.endsWith("/steps")) steps += 1;
      if (steps === 2) running.child.kill("SIGKILL");
      return undefined;
    });
    expect((await running.ended).signal).toBe("SIGKILL");
    sites.target.faults.clear();
    const last = await sites.run("migrate", "manual.omanual", sites.target.url);
    expect([last.code, last.stdout]).toEqual([0, expect.stringMatching(NO_DIFFERENCE)]);
    expect(sites.target.state().guides.map((guide) => guide["steps"])).toEqual([TWO, TWO]);
  });

  it("is planned and verified by its name, and what is missing at the target is a difference", async () => {
    const { sites } = await packed();
    const plan = await sites.run("plan", "manual.omanual", sites.target.url, "--detailed-exitcode");
    expect([plan.code, plan.stdout]).toEqual([7, expect.stringMatching(/create {2}guide\/13 "Change the Drive Band"/)]);
    expect((await sites.run("migrate", "manual.omanual", sites.target.url)).code).toBe(0);
    expect((await sites.run("verify", "manual.omanual", sites.target.url)).code).toBe(0);
    sites.target.edit.guide(1, { title: "Otherwise" });
    expect((await sites.run("verify", "manual.omanual", sites.target.url)).code).toBe(6);
  });

  it("that is hostile is refused with everything that was found, and nothing of it is used", async () => {
    const { sites } = await packed();
    const parts = [
      { name: "../climbs.xml", content: "<guide/>" },
      { name: "/absolute.xml", content: "<guide/>" },
    ];
    await writeFile(join(sites.directory, "hostile.omanual"), zipBytes(parts));
    const { code, stderr } = await sites.run("extract", "hostile.omanual");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is refused; nothing in it was used\. The 2 reasons:/)]);
    expect(stderr).toMatch(/E_ZIP_\w+ "\.\.\/climbs\.xml"[\s\S]*E_ZIP_\w+ "\/absolute\.xml"/);
    expect(existsSync(join(sites.directory, "work/items/guide"))).toBe(false);
  });

  it("of which a document fails ends with 3, and retry takes it up where the package lay", async () => {
    const sites = await twoSites();
    const sample = await ownSample();
    const file = join(sample, "Oil-the-Wheel/guide.xml");
    await rename(file, `${file}.kept`);
    await writeFile(file, "<guide><title>Oil");
    expect((await sites.run("migrate", sample, sites.target.url)).code).toBe(3);
    await rename(`${file}.kept`, file);
    const { code, stdout } = await sites.run("retry", "work");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^kind +read +created .*\n(?:.*\n)*guide +1 +1 +/m)]);
    expect(sites.target.state().guides.map((guide) => guide["title"])).toContain("Oil the Wheel");
  });
});

describe("a category whose document breaks after a migration", () => {
  it("is listed as failed, and its page at the target stays as it was", async () => {
    const sites = await twoSites();
    const sample = await ownSample();
    const pages = () => JSON.stringify(sites.target.state().wikis);
    expect((await sites.run("migrate", sample, sites.target.url)).code).toBe(0);
    const [before, writes] = [pages(), sites.writes()];
    expect(before).toContain("A wheel that squeaks wants oil");
    await writeFile(join(sample, "category.xml"), "<category><title>Spinning");
    const { code, stdout } = await sites.run("migrate", sample, sites.target.url);
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(/category\/Spinning Wheels \(extract\): .*category\.xml:1:/),
    ]);
    expect([pages(), sites.writes()]).toEqual([before, writes]);
  });
});

describe("a folder of XML", () => {
  it("is extracted, and a workspace may not lie among it", async () => {
    const sites = await twoSites();
    const sample = await ownSample();
    const inside = await sites.run("extract", sample, "--workspace", join(sample, "work"));
    expect([inside.code, inside.stderr]).toEqual([
      2,
      expect.stringMatching(/ is in .*Name another folder with --workspace/),
    ]);
    const { code, stdout } = await sites.run("extract", sample, "--workspace", "elsewhere");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^guide +2 +2 +0$/m)]);
  });

  it("that is another one of the same name is refused before it takes the place of the first", async () => {
    const sites = await twoSites();
    await sites.run("extract", SPINNING_WHEEL);
    const other = join(sites.directory, "spinning-wheel");
    await mkdir(other);
    await writeFile(join(other, "guide-8.xml"), '<guide id="8" locale="en"><title>Card Wool</title></guide>');
    const { code, stderr } = await sites.run("extract", other);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/contains other documents named spinning-wheel/)]);
  });
});

describe("a folder without documents", () => {
  it("is named with what was expected there", async () => {
    const sites = await twoSites();
    await mkdir(join(sites.directory, "pictures"));
    await writeFile(join(sites.directory, "pictures/picture.png"), "no picture");
    const { code, stderr } = await sites.run("extract", "pictures");
    expect([code, stderr]).toEqual([10, expect.stringMatching(/No manual in .*: 1 file \(picture\.png\)/)]);
  });
});
