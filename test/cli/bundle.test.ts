import { readdirSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fillWorkspace } from "../helpers/fill-workspace.js";
import { killAmid } from "../helpers/kill-amid.js";
import { expectToAddUp, lastReport, rowOf } from "../helpers/last-report.js";
import { removeFolder } from "../helpers/temporary-folder.js";
import { twoSites } from "../helpers/two-sites.js";

const SAMPLE = fileURLToPath(new URL("../../samples/site", import.meta.url));

describe("a bundle as a target", () => {
  it("takes a whole site, from which an empty one is filled without a difference; again it is the same file", async () => {
    const sites = await twoSites({ source: { site: SAMPLE } });
    const bundle = join(sites.directory, "out.omanual");
    const first = await sites.run("migrate", sites.source.url, "out.omanual");
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/written, read back and compared: 117 items, no difference/),
    ]);
    expect(first.stdout).toMatch(/has no place for \d+ values; guideferry\.json in the bundle keeps them/);
    expect(first.stdout).toMatch(/^kind +created +updated +failed +values lost\nitem +117 +0 +0 +\d+$/m);
    const bytes = await readFile(bundle);
    const second = await sites.run("load", "work", "out.omanual", "--strict");
    // One guide of the sample has a part that the service itself does not give out.
    expect([second.code, second.stdout]).toEqual([12, expect.stringMatching(/out\.omanual: unchanged/)]);
    expect((await readFile(bundle)).equals(bytes)).toBe(true);
    const back = await sites.run("migrate", "out.omanual", sites.target.url, "--workspace", "back");
    // A line too long for the site, and pages about people that wait for a list that says who they
    // are there.
    expect(back.stdout).toMatch(/^LEFT OUT: 6 chosen items/m);
    expect([back.code, back.stdout]).toEqual([
      3,
      expect.stringMatching(/Read back and compared 73 items.*no differences, apart from/),
    ]);
    expect(back.stdout).toMatch(/^image +33 +/m);
    expect(rowOf(lastReport(join(sites.directory, "work")).report, "item")).toEqual({ unchanged: 117 });
    const { report } = lastReport(join(sites.directory, "back"));
    await expectToAddUp(join(sites.directory, "back"), report);
    expect(rowOf(report, "image")).toEqual({ read: 33, created: 30, notSent: 3 });
  });

  it("brings back who may see a guide, also with --publish, and does not say that documents don't know", async () => {
    const sites = await twoSites();
    const visible = (site: typeof sites.target) =>
      Object.fromEntries(site.state().guides.map((guide) => [String(guide["title"]), guide["public"]]));
    expect((await sites.run("migrate", sites.source.url, "out.omanual")).code).toBe(0);
    const { code, stderr } = await sites.run("migrate", "out.omanual", sites.target.url, "--workspace", "back");
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/private|--publish/)]);
    expect(visible(sites.target)).toEqual({ "Warp the Wren": true, "Oil the Siskin": true, "Fold the Heron": false });
    expect(visible(sites.target)).toEqual(visible(sites.source));
    const again = await sites.run("migrate", "out.omanual", sites.target.url, "--workspace", "back", "--publish");
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringMatching(/Private at their source, and so here: 1 guide/),
    ]);
    expect(visible(sites.target)).toEqual(visible(sites.source));
  });

  it("takes one guide with what it needs, or each category by itself; verify compares", async () => {
    const sites = await twoSites();
    const one = await sites.run("migrate", sites.source.url, "one.omanual", "--only", "guide", "--include", "guide/1");
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/compared: 2 items, no difference/)]);
    expect((await sites.run("extract", sites.source.url)).code).toBe(0);
    const remembered = await sites.run("verify", "work", "one.omanual");
    expect([remembered.code, remembered.stderr]).toEqual([
      0,
      expect.stringMatching(/Compared with the choice of items from its load: --only guide --include guide\/1/),
    ]);
    const other = await sites.run("verify", "work", "one.omanual", "--include", "guide/*");
    expect([other.code, other.stdout]).toEqual([6, expect.stringMatching(/guide\/2: not in the bundle/)]);
    const split = await sites.run("load", "work", "manuals", "--split", "category");
    expect([split.code, await readdir(join(sites.directory, "manuals"))]).toEqual([0, ["Looms.omanual"]]);
    expect((await sites.run("verify", "work", "manuals")).code).toBe(0);
  });

  it("is compared as the transforms of its load made it, and since the time that was chosen then", async () => {
    const sites = await twoSites();
    await sites.run("extract", sites.source.url);
    const flags = ["--transform", "rename-category:from=Looms,to=Weaving", "--since", "2000-01-01T00:00:00Z"];
    expect((await sites.run("load", "work", "out.omanual", ...flags)).code).toBe(0);
    const { code, stdout, stderr } = await sites.run("verify", "work", "out.omanual");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/compared: 4 items, no difference/)]);
    expect(stderr).toMatch(/--since 2000-01-01T00:00:00\.000Z/);
  });

  it("is planned by plan and --dry-run without a byte written, and tells what would change", async () => {
    const sites = await twoSites();
    const dry = await sites.run("migrate", sites.source.url, "out.omanual", "--dry-run");
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/create .*out\.omanual: 4 items, \d+ files/)]);
    expect(dry.stdout).toMatch(/keeps them:[\s\S]*Nothing was written\.\n$/);
    expect(await readdir(sites.directory)).not.toContain("out.omanual");
    expect((await sites.run("load", "work", "out.omanual")).code).toBe(0);
    const bytes = await readFile(join(sites.directory, "out.omanual"));
    const same = await sites.run("plan", "work", "out.omanual", "--detailed-exitcode");
    expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/0 to replace, 1 to leave unchanged/)]);
    sites.source.edit.guide(2, { title: "Oil the Heron" });
    const changed = await sites.run("plan", sites.source.url, "out.omanual", "--detailed-exitcode", "--verbose");
    expect([changed.code, changed.stdout]).toEqual([
      7,
      expect.stringMatching(/guide\/2: has other content in the existing bundle/),
    ]);
    const json = await sites.run("plan", "work", "out.omanual", "--json");
    expect(json.stdout.split("\n").filter((row) => row.includes('"type":"plan"'))).toEqual([
      // A category's document lists its guides by their titles.
      expect.stringMatching(/"differences":\[\{"key":"guide\/2","what":"changed"\},\{"key":"category\/Looms",/),
    ]);
    expect((await readFile(join(sites.directory, "out.omanual"))).equals(bytes)).toBe(true);
  });

  it("says which options do nothing there", async () => {
    const sites = await twoSites();
    const flags = ["--fit", "split", "--dangling", "label", "--delete-removed"];
    const site = await sites.run("migrate", sites.source.url, "out.omanual", ...flags);
    expect([site.code, site.stderr]).toEqual([
      0,
      expect.stringMatching(
        /warning: --fit, --dangling, --delete-removed: no effect here, because a bundle takes all content/,
      ),
    ]);
    const documents = await sites.run("extract", "out.omanual", "--workspace", "back", "--format", "xml");
    expect([documents.code, documents.stderr]).toEqual([
      0,
      expect.stringMatching(/--format: no effect here, because documents are read completely/),
    ]);
    const work = await sites.run("plan", "work", sites.target.url, "--publish");
    expect(work.stderr).toMatch(/--publish: no effect here, because nothing is read from a source/);
  });

  it("is refused in words before anything is read, where it cannot be one", async () => {
    const sites = await twoSites();
    await writeFile(join(sites.directory, "mine.omanual"), "mine");
    await mkdir(join(sites.directory, "folder"));
    const refused: readonly (readonly [RegExp, ...string[]])[] = [
      [/mine\.omanual exists, but is not a bundle/, "migrate", sites.source.url, "mine.omanual"],
      [/mine\.omanual exists, but is not a bundle/, "plan", sites.source.url, "mine.omanual"],
      [/folder is a folder\. .*folder\/out\.omanual.*--split category/, "migrate", sites.source.url, "folder"],
      [/out\.omanual is a bundle, .*the command that wrote it/, "retry", "work", "out.omanual"],
      [/Name a folder, or leave out --split/, "migrate", sites.source.url, sites.target.url, "--split", "category"],
      [/mine\.omanual, which is the source/, "migrate", "mine.omanual", "mine.omanual"],
    ];
    for (const [words, ...line] of refused) {
      const { code, stderr } = await sites.run(...line);
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    }
    expect(await readFile(join(sites.directory, "mine.omanual"), "utf8")).toBe("mine");
    expect(sites.source.recorded).toEqual([]);
  });

  it("leaves no half file when it is killed while it is written", async () => {
    const sites = await twoSites();
    await fillWorkspace(join(sites.directory, "work"), 60);
    const temporary = join(sites.directory, "work/temporary");
    await killAmid({
      start: () => sites.start("load", "work", "manuals/out.omanual"),
      isAtWork: () => namesIn(temporary).some((name) => name.startsWith("bundle-")),
      undo: () => removeFolder(join(sites.directory, "manuals")),
    });
    expect(await readdir(sites.directory)).not.toContain("manuals");
    const again = await sites.run("load", "work", "manuals/out.omanual");
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/no difference/)]);
    expect(await readdir(join(sites.directory, "manuals"))).toEqual(["out.omanual"]);
    expect(await readdir(temporary)).toEqual([]);
  });
});

/** Nothing where there is no such folder: a run makes it, and may remove that of an earlier one. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
