import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownSample } from "../helpers/documents.js";
import { lastReport, rowOf } from "../helpers/last-report.js";
import { scormManifest } from "../helpers/training-packages.js";
import { trainingSite } from "../helpers/training-site.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

/** A line of guide 2 is longer than the service takes, once what it refers to has a longer id. */
async function tooLong(): Promise<TwoSites> {
  const sites = await twoSites();
  const text = `See [guide|1|the first]. ${"Turn the beam once more. ".repeat(20)}`.slice(0, 348);
  sites.source.edit.addStep(2, { orderby: 2, title: "Long", lines: [{ text, bullet: "black", level: 0 }] });
  return sites;
}

const ALL = ["Fold the Heron", "Oil the Siskin", "Warp the Wren"];
const titlesAt = ({ target }: TwoSites) =>
  target
    .state()
    .guides.map(({ title }) => String(title))
    .sort();
/** The command of a run's next step, without the name of the program. */
const named = (stdout: string): readonly string[] =>
  (/^Next: load the items that are left out:\n {2}guideferry (.*)\nHTML report: /m.exec(stdout)?.[1] ?? "").split(" ");

function expectAmber(workspace: string, command: readonly string[]): void {
  const page = readFileSync(join(lastReport(workspace).folder, "report.html"), "utf8");
  expect(page).toContain('<p class="verdict warn">! Exit code 3: ');
  expect(page).toContain(`guideferry ${command.join(" ")}`);
}

describe("an item that was chosen and left out", () => {
  it("ends a restore into another site with 3 and an amber page; the command that it names takes the item in", async () => {
    const sites = await tooLong();
    expect((await sites.run("backup", sites.source.url, "--to", "repo")).code).toBe(0);
    const words = ["restore", "repo", sites.target.url, "--workspace", "restored"];
    const { code, stdout } = await sites.run(...words);
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^LEFT OUT: 1 chosen item /m)]);
    expect(titlesAt(sites)).toHaveLength(2);
    expect(named(stdout)).toEqual([...words, "--fit", "split"]);
    expectAmber(join(sites.directory, "restored"), named(stdout));
    const taken = await sites.run(...named(stdout));
    expect([taken.code, titlesAt(sites)]).toEqual([0, ALL]);
  });

  it("ends apply and a verify of the target with 3 and an amber page; retry takes the item in", async () => {
    const sites = await tooLong();
    await sites.run("plan", sites.source.url, sites.target.url, "-o", "friday.plan");
    const { code, stdout } = await sites.run("apply", "friday.plan");
    const retry = ["retry", join(sites.directory, "work"), "--fit", "split"];
    expect([code, named(stdout)]).toEqual([3, retry]);
    expectAmber(join(sites.directory, "work"), retry);
    const verified = await sites.run("verify", sites.source.url, sites.target.url);
    expect([verified.code, named(verified.stdout)]).toEqual([3, retry]);
    expectAmber(join(sites.directory, "work"), retry);
    const taken = await sites.run(...retry);
    expect([taken.code, titlesAt(sites)]).toEqual([0, ALL]);
    expect((await sites.run("verify", sites.source.url, sites.target.url)).code).toBe(0);
  });

  it("ends a load of documents with 3 and an amber page; retry takes the document in", async () => {
    const sites = await twoSites();
    const sample = await ownSample();
    const file = join(sample, "Oil-the-Wheel/guide.xml");
    const long = "Turn the wheel once more. ".repeat(20);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/(<line [^>]*>)([^<]*)/, `$1${long}$2`));
    expect(await readFile(file, "utf8")).toContain(long);
    const { code, stdout } = await sites.run("migrate", sample, sites.target.url);
    const retry = ["retry", join(sites.directory, "work"), "--fit", "split"];
    expect([code, named(stdout)]).toEqual([3, retry]);
    expectAmber(join(sites.directory, "work"), retry);
    const taken = await sites.run(...retry);
    expect([taken.code, titlesAt(sites)]).toEqual([0, expect.arrayContaining(["Oil the Wheel"])]);
  });

  it("ends an import of training packages with 3 and an amber page that names each package", async () => {
    const site = await trainingSite({ packages: { ladders: "Ladders" } });
    await site.shelf.put("broken.zip", { "imsmanifest.xml": scormManifest() });
    const { code, stdout } = await site.import();
    expect([code, stdout]).toEqual([3, expect.stringMatching(/1 left out/)]);
    const { folder, report } = lastReport(join(site.directory, "work"));
    expect(rowOf(report, "package")).toEqual({ created: 1, notSent: 1 });
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain('<p class="verdict warn">! Exit code 3: ');
    expect(page).toMatch(/broken\.zip/);
    expect(page).toMatch(/E_MAN_LAUNCH_MISSING/);
  });
});

describe("a drill that could not bring an item that was chosen", () => {
  it("ends with 3, and names the item and the drill that takes it in", async () => {
    const sites = await tooLong();
    await mkdir(join(sites.directory, "a b"));
    expect((await sites.run("backup", sites.source.url, "--to", "a b/repo")).code).toBe(0);
    const { code, stdout } = await sites.run("drill", "a b/repo", "--fit", "refuse");
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^restorable: mostly, .*, 1 refused, /m)]);
    expect(stdout).toMatch(
      /^To load 1 item: guideferry drill '\S*a b\/repo' --fit split\n {2}guide\/2 \(prepare\): The line/m,
    );
    expect((await sites.run("drill", "a b/repo")).code).toBe(0);
    // What was not chosen does not count.
    const chosen = await sites.run("drill", "a b/repo", "--fit", "refuse", "--include", "guide/1");
    expect([chosen.code, chosen.stdout]).toEqual([0, expect.stringMatching(/^restorable: yes, /m)]);
  });
});
