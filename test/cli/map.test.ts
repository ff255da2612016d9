import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import type { MovedThing } from "../../src/sync/map/moved-things.js";
import { encodeTitle } from "../../transforms/wiki/namespaces.js";
import { runCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";
import { readNginx } from "../sync/map/helpers/nginx-reader.js";

/** Titles that want to be something else to a spreadsheet, to nginx or to a terminal. */
const HOSTILE = ['=HYPERLINK("http://evil.example")', 'He said "no"; } $uri {', "\u001b[2J cleared", "Wool, dyed"];

/** The target has guides and a page already: ids differ, and a page is adopted. */
async function fill(sites: TwoSites): Promise<void> {
  for (const title of HOSTILE) sites.source.edit.createWiki({ namespace: "INFO", title, contents: "x" });
  sites.target.edit.createWiki({ namespace: "INFO", title: "Wool, dyed", contents: "theirs" });
  sites.target.edit.createWiki({ namespace: "CATEGORY", title: "Theirs", contents: "x" });
  for (const title of ["Theirs", "Theirs too"])
    sites.target.edit.createGuide({ category: "Theirs", type: "how-to", title, introduction: "" });
}

function idAt(sites: TwoSites, title: string): number {
  const guide = sites.target.state().guides.find((each) => each["title"] === title);
  return Number(guide?.["guideid"]);
}

describe("guideferry map", () => {
  it("tells old and new ids and addresses in each form, also while a load is on", async () => {
    const sites = await twoSites();
    await fill(sites);
    const map = (...words: readonly string[]) => runHere(["map", join(sites.directory, "work"), ...words]);
    sites.target.faults.decide(({ method, path }) =>
      method === "POST" && path === "/guides" ? { kind: "stall" } : undefined,
    );
    const running = sites.startMigration();
    await running.seen(/load: 1 of/);
    const early = await map("--json");
    expect([early.code, early.stdout.includes("guide/1"), early.stdout.includes("category/Looms")]).toEqual([
      0,
      false,
      true,
    ]);
    running.child.kill("SIGKILL");
    await running.ended;
    sites.target.faults.decide(() => undefined);
    expect((await sites.migrate()).code).toBe(0);

    const json = await map("--json", "--steps");
    const things = json.stdout
      .trimEnd()
      .split("\n")
      .map((line): MovedThing => JSON.parse(line));
    const [from, to] = [sites.source.url, sites.target.url].map((url) => new URL(url).origin);
    const id = idAt(sites, "Oil the Siskin");
    expect(id).toBeGreaterThan(2);
    expect([json.code, json.stderr, things.find(({ key }) => key === "guide/2")]).toEqual([
      0,
      "",
      {
        type: "address",
        kind: "guide",
        key: "guide/2",
        title: "Oil the Siskin",
        oldId: "2",
        oldAddress: `${from}/Guide/-/2`,
        newId: `${id}`,
        newAddress: `${to}/Guide/-/${id}`,
        adopted: false,
      },
    ]);
    expect(things.filter(({ kind }) => kind === "step")).toHaveLength(3);
    expect(things.filter(({ adopted }) => adopted).map(({ title }) => title)).toEqual(["Wool, dyed"]);

    const csv = await map("--csv");
    expect(csv.stdout).toContain(
      `\r\nguide,guide/2,Oil the Siskin,2,${from}/Guide/-/2,${id},${to}/Guide/-/${id},no\r\n`,
    );
    expect(csv.stdout).toContain(`,"'=HYPERLINK(""http://evil.example"")",`);
    expect(csv.stdout).not.toMatch(/(?:^|,)"?[=+@]/m);

    const { code, stdout, stderr } = await sites.run("map", "work", "--nginx");
    expect([code, stderr]).toEqual([0, ""]);
    const file = readNginx(stdout);
    expect(file.value("$guideferry_new", "/Guide/Old+Name/2?x")).toBe(`${to}/Guide/-/${id}`);
    for (const title of HOSTILE) {
      const address = `/Info/${encodeTitle(title)}`;
      expect(file.value("$guideferry_new", address)).toBe(`${to}${address}`);
    }

    const table = await map();
    expect([table.code, table.stderr]).toEqual([0, ""]);
    expect(table.stdout).toMatch(new RegExp(`^2 +Oil the Siskin +${from}/Guide/-/2 +${id} +${to}/Guide/-/${id}$`, "m"));
    expect(table.stdout).toMatch(/Wool, dyed.* existed before$/m);
    expect(table.stdout).not.toContain("\u001b");
  });

  it("takes the target that was used last, or the named one, and says where there is none", async () => {
    const sites = await twoSites();
    const other = await startSandbox();
    onTestFinished(() => other.close());
    const work = join(sites.directory, "work");
    expect((await sites.run("extract", sites.source.url)).code).toBe(0);
    const nowhere = await runHere(["map", work]);
    expect((await runHere(["map", work, "--json"])).stdout).toBe("");
    expect([nowhere.code, nowhere.stderr]).toEqual([10, expect.stringContaining("was not loaded into a site yet")]);
    const environment = { ...sites.environment, GUIDEFERRY_TARGET_TOKEN: other.token };
    expect((await runCli(["load", "work", other.url], { directory: sites.directory, environment })).code).toBe(0);
    const [last, named] = [
      await runHere(["map", work, "--csv"]),
      await runHere(["map", work, other.url.replace("/api/2.0", ""), "--csv"]),
    ];
    expect([last.stdout.includes(new URL(other.url).origin), named.stdout]).toEqual([true, last.stdout]);
    const stranger = await runHere(["map", work, sites.target.url]);
    expect([stranger.code, stranger.stderr]).toEqual([10, expect.stringContaining(`It was loaded into ${other.url}`)]);
    expect(stranger.stderr).toContain(`was not loaded into ${sites.target.url} yet`);
    const both = await runHere(["map", work, "--csv", "--nginx"]);
    expect([both.code, both.stdout, both.stderr]).toEqual([2, "", expect.stringContaining("--csv and --nginx")]);
  });

  it("tells no old addresses of documents, and has nothing for nginx", async () => {
    const sites = await twoSites();
    const words = ["migrate", join(process.cwd(), "samples/omanual/spinning-wheel"), sites.target.url];
    expect((await sites.run(...words)).code).toBe(0);
    const work = join(sites.directory, "work");
    const { code, stdout } = await runHere(["map", work, "--json"]);
    expect([code, stdout.includes('"oldAddress":null'), stdout.includes('"oldAddress":"')]).toEqual([0, true, false]);
    const nginx = await runHere(["map", work, "--nginx"]);
    expect([nginx.code, nginx.stdout, nginx.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("documents, which have no addresses"),
    ]);
  });
});
