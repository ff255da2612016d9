import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SAMPLE_SITE } from "../../src/commands/tools/demo.js";
import { lastReport, rowOf } from "../helpers/last-report.js";
import { type TwoSites, type TwoSitesOptions, twoSites } from "../helpers/two-sites.js";

/** A line of guide 2 is longer than the service takes, once what it refers to has a longer id. */
async function tooLong(options: TwoSitesOptions = {}): Promise<TwoSites> {
  const sites = await twoSites(options);
  lengthen(sites, 2);
  return sites;
}

function lengthen({ source }: TwoSites, guideid: number): void {
  const text = `See [guide|1|the first]. ${"Turn the beam once more. ".repeat(20)}`.slice(0, 348);
  source.edit.addStep(guideid, { orderby: 2, title: "Long", lines: [{ text, bullet: "black", level: 0 }] });
}

const workspaceOf = ({ directory }: TwoSites): string => join(directory, "work");
const titlesAt = ({ target }: TwoSites) => target.state().guides.map(({ title }) => title);

describe("an item that was chosen and is not at the target", () => {
  it("ends a migration with 3, an amber page, and the command that takes it in; that command takes it in", async () => {
    const sites = await tooLong();
    const { code, stdout } = await sites.migrate();
    expect([code, titlesAt(sites)]).toEqual([3, ["Warp the Wren", "Fold the Heron"]]);
    expect(stdout).toMatch(
      /^LEFT OUT: 1 chosen item .*\n {2}guide\/2: The line[\s\S]*^Next: .*:\n {2}guideferry retry \S+\/work --fit split\n/m,
    );
    const { folder, report } = lastReport(workspaceOf(sites));
    expect(rowOf(report, "guide")).toEqual({ read: 3, created: 2, leftOut: 1 });
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain('<p class="verdict warn">! Exit code 3: ');
    expect(page).toContain(`guideferry retry ${workspaceOf(sites)} --fit split`);
    expect(page).not.toContain('class="verdict good"');

    const retried = await sites.run("retry", "work", "--fit", "split");
    expect([retried.code, titlesAt(sites)]).toEqual([0, ["Warp the Wren", "Fold the Heron", "Oil the Siskin"]]);
    const idle = await sites.run("retry", "work");
    expect([idle.code, idle.stdout]).toEqual([0, expect.stringMatching(/nothing was left out last time/)]);
    // It is on the target as it is now, unlike what this run would make of it.
    expect((await sites.migrate()).code).toBe(0);
    expect(rowOf(lastReport(workspaceOf(sites)).report, "guide")).toEqual({ unchanged: 3 });
    // What changes at the source since does not get there under --fit refuse.
    sites.source.edit.guide(2, { summary: "New." });
    const changed = await sites.migrate();
    expect([changed.code, changed.stdout]).toEqual([3, expect.stringMatching(/^ {2}guide\/2: /m)]);
    expect(rowOf(lastReport(workspaceOf(sites)).report, "guide")).toEqual({ read: 1, unchanged: 2, leftOut: 1 });
  });

  it("ends load, verify and a retry without the option with 3; --quiet says which item and which command", async () => {
    const sites = await tooLong();
    const quiet = await sites.migrate("--quiet");
    expect([quiet.code, quiet.stdout]).toEqual([3, ""]);
    expect(quiet.stderr).toMatch(
      /Ended with exit code 3: .* 1 item left out, the first: guide\/2\. To load what can be loaded: `guideferry retry \S+\/work --fit split`\. See \S+report\.html\n$/,
    );
    const lines = [
      ["load", "work", sites.target.url],
      ["verify", "work", sites.target.url],
      ["retry", "work"],
    ];
    for (const words of lines) {
      const { code, stdout } = await sites.run(...words);
      expect([words[0], code, stdout]).toEqual([
        words[0],
        3,
        expect.stringMatching(/guideferry retry \S+\/work --fit split/),
      ]);
    }
  });

  it("is told apart from what the service does not support by --strict: 3, then 12, and 0 without it", async () => {
    const sites = await tooLong();
    expect((await sites.migrate("--strict")).code).toBe(3);
    const retried = await sites.run("retry", "work", "--fit", "split");
    expect([retried.code, retried.stdout]).toEqual([0, expect.stringMatching(/^Values lost: \d+\./m)]);
    expect((await sites.migrate("--fit", "split", "--strict")).code).toBe(12);
  });

  it("that was not chosen for a run does not count in it, and is taken up by retry all the same", async () => {
    const sites = await tooLong();
    expect((await sites.migrate()).code).toBe(3);
    const chosen = await sites.migrate("--include", "guide/1", "--no-dependencies");
    expect([chosen.code, chosen.stdout]).toEqual([0, expect.not.stringMatching(/LEFT OUT/)]);
    expect((await sites.run("retry", "work", "--fit", "trim")).code).toBe(0);
    expect(titlesAt(sites)).toHaveLength(3);
  });

  it("is named by a plan with the option, and its translation is left out with it", async () => {
    const sites = await twoSites({ source: { languages: ["en", "de"], guideTranslations: "yes" } });
    lengthen(sites, 2);
    const planned = await sites.run("plan", sites.source.url, sites.target.url);
    expect(planned.stdout).toMatch(
      /^REFUSE {2}guide\/2 .*\n +error: .*\n +note: .* probe .*\n +to load it: --fit split$/m,
    );
    expect(planned.stdout).toMatch(/^LEFT OUT: 1 item\. To load it: --fit split$/m);
    const asJson = await sites.run("plan", "work", sites.target.url, "--json");
    const summary = JSON.parse(asJson.stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(summary.leftOut).toEqual([{ takenInBy: "--fit split", count: 1 }]);
  });

  it("where no option takes it in: the reason and what to do, and no command", async () => {
    const sites = await twoSites({ target: { guideTypes: [] } });
    const { code, stdout } = await sites.migrate();
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^LEFT OUT: 3 chosen items/m)]);
    expect(stdout).toMatch(/^Next: do what each left-out item names above, then try again:\n {2}guideferry retry /m);
    expect(stdout).toContain("What to do: ");
  });

  it("a page about somebody: the list to fill in and the command; whom the list calls nobody is left out on purpose", async () => {
    const sites = await twoSites({ source: { site: SAMPLE_SITE } });
    const { code, stdout } = await sites.migrate("--include", "wiki/USER/5", "--no-dependencies");
    expect(code).toBe(3);
    const [, map = ""] =
      /^Next: fill in .*:\n {2}guideferry retry \S+\/work --user-map (\S+user-map\.csv)$/m.exec(stdout) ?? [];
    expect(readFileSync(map, "utf8")).toMatch(/^old,new,name\r\n/);
    const compared = await sites.run("verify", "work", sites.target.url);
    expect(compared.stdout).toContain(`--user-map ${map}`);
    const dropped = await sites.run("retry", "work", "--user-map", map);
    expect([dropped.code, dropped.stdout]).toEqual([0, expect.not.stringMatching(/LEFT OUT/)]);
    const there = sites.target.credentials.userid;
    writeFileSync(map, readFileSync(map, "utf8").replace(/^([^,\r\n]+),,/m, `$1,${there},`));
    expect((await sites.run("load", "work", sites.target.url, "--user-map", map)).code).toBe(0);
    expect(sites.target.state().wikis).toContainEqual(
      expect.objectContaining({ namespace: "USER", title: String(there) }),
    );
  });

  it("an archived guide that the account of the source may not read: 3, and how to read it", async () => {
    const sites = await twoSites({ source: { site: SAMPLE_SITE }, environment: { GUIDEFERRY_SOURCE_TOKEN: "" } });
    const { code, stdout } = await sites.migrate("--include", "guide/15", "--no-dependencies");
    expect([code, stdout]).toEqual([3, expect.stringMatching(/guide\/15: It is archived at the source/)]);
    expect(stdout).toMatch(/What to do: Sign in to the source with an account .*GUIDEFERRY_SOURCE_TOKEN/);
    expect(lastReport(workspaceOf(sites)).report.leftOut.count).toBe(1);
  });
});

describe("a page that stood there before", () => {
  it("is linked, named on the page, counted once everywhere, and no reason for another end than 0", async () => {
    const sites = await twoSites();
    sites.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
    const { code, stdout } = await sites.migrate();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^kind .* linked .*\ncategory +1 +0 +0 +1 /m)]);
    const { folder, report } = lastReport(workspaceOf(sites));
    expect([rowOf(report, "category"), report.linked]).toEqual([
      { read: 1, linked: 1 },
      { count: 1, first: [{ key: "category/Looms", title: "Looms", at: "Looms" }] },
    ]);
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toMatch(/Items linked to existing ones \(1\)[\s\S]*category\/Looms/);
    expect(page).toContain('class="verdict good"');
  });
});
