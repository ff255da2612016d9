import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { type CliResult, runCli } from "../helpers/run-cli.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

const FILE = "guideferry.config.json";

interface Configured extends TwoSites {
  run(...words: readonly string[]): Promise<CliResult>;
}

/** Two sites, and a configuration in the folder where guideferry runs. */
async function configured(
  config: (sites: TwoSites) => object,
  more: (sites: TwoSites) => Readonly<Record<string, string>> = () => ({}),
): Promise<Configured> {
  const sites = await twoSites();
  const { directory } = sites;
  await writeFile(join(directory, FILE), JSON.stringify(config(sites)));
  const { GUIDEFERRY_WORKSPACE: _workspace, ...environment } = { ...sites.environment, ...more(sites) };
  return { ...sites, run: (...words) => runCli(words, { directory, environment }) };
}

const both = ({ source, target }: TwoSites) => ({ source: source.url, target: target.url });

describe("the sites of the configuration", () => {
  it("are what a migration works with, from the plan to the undo, and each command says so", async () => {
    const { run, source, target, directory } = await configured(both);
    const planned = await run("plan");
    expect([planned.code, planned.stderr]).toEqual([
      0,
      expect.stringContaining(`Using source ${source.url}, target ${target.url} from ${FILE}.`),
    ]);
    expect((await run("extract")).code).toBe(0);
    const loaded = await run("load");
    expect([loaded.code, loaded.stderr]).toEqual([
      0,
      expect.stringContaining(`workspace ./guideferry-workspace (the default); target ${target.url} from ${FILE}`),
    ]);
    for (const words of [["migrate"], ["verify"], ["retry"], ["status"], ["map"], ["links"], ["report"], ["check"]])
      expect([words, (await run(...words)).code]).toEqual([words, 0]);
    expect((await run("undo", "--dry-run")).code).toBe(0);
    const undone = await run("undo");
    expect([undone.code, undone.stderr]).toEqual([
      2,
      expect.stringContaining(`guideferry undo ./guideferry-workspace ${target.url}\n`),
    ]);
    expect(JSON.stringify(target.state().guides)).toContain("Fold the Heron");
    expect((await run("undo", "./guideferry-workspace")).code).toBe(0);
    expect(existsSync(join(directory, "work"))).toBe(false);
  });

  it("give way to the command line, where all of them are named", async () => {
    const elsewhere = await startSandbox();
    onTestFinished(() => elsewhere.close());
    const { run, source, target } = await configured(both, () => ({ GUIDEFERRY_TARGET_TOKEN: elsewhere.token }));
    const done = await run("migrate", source.url, elsewhere.url);
    expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining("Using")]);
    expect([target.recorded, elsewhere.state().guides.length > 0]).toEqual([[], true]);
  });

  it.each(["migrate", "plan"])(
    "are not mixed with one address in %s, which can be the source or the target",
    async (name) => {
      const { run, source, target } = await configured(both);
      for (const word of [target.url, "new.example"]) {
        const done = await run(name, word);
        expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(/can be more than one of SOURCE.*TARGET/)]);
      }
      expect([source.recorded, target.recorded]).toEqual([[], []]);
    },
  );

  it("are taken with a folder or an address that can be one argument only", async () => {
    const { run, source, target } = await configured(both);
    expect((await run("extract", source.url, "--workspace", "there")).code).toBe(0);
    expect((await run("load", "there")).code).toBe(0);
    expect((await run("plan", "there")).code).toBe(0);
    expect((await run("retry", target.url, "--workspace", "there")).code).toBe(2);
  });

  it("name both ways where one is missing", async () => {
    const { run } = await configured(({ source }) => ({ source: source.url }));
    const done = await run("migrate");
    expect([done.code, done.stderr]).toEqual([
      2,
      expect.stringMatching(/'TARGET'\. Name it on the command line, or set "target" in guideferry\.config\.json/),
    ]);
  });

  it("are both checked, one of them with --as, and neither is written to without its name", async () => {
    const { run, source, target } = await configured(both);
    const checked = await run("check", "--json");
    expect(checked.stdout.match(/"site":"[^"]*"/g)).toEqual([source.url, target.url].map((url) => `"site":"${url}"`));
    const asTarget = await run("check", "--as", "target", "--json");
    expect(asTarget.stdout.match(/"site":"[^"]*"/g)).toEqual([`"site":"${target.url}"`]);
    expect((await run("check", "--probe-write")).code).toBe(2);
    expect((await run("api", "GET", "guides", "--as", "source")).code).toBe(0);
    expect((await run("api", "DELETE", "guides/1", "--as", "source", "--write")).code).toBe(2);
  });
});

describe("the repository of the configuration", () => {
  it("is backed up into and read; a restore and a prune need their place on the command line", async () => {
    const { run, source } = await configured(
      ({ source }) => ({ source: source.url, repository: "./backups" }),
      () => ({ GUIDEFERRY_TARGET_TOKEN: "" }),
    );
    for (const words of [["backup"], ["snapshots"], ["verify"], ["drill"], ["cat", "guide/1"], ["history", "guide/1"]])
      expect([words, (await run(...words)).code]).toEqual([words, 0]);
    expect((await run("status")).stderr).toContain("backups/workspace");
    const restored = await run("restore");
    expect([restored.code, restored.stderr]).toEqual([
      2,
      expect.stringContaining(`guideferry restore ./backups ${source.url}\n`),
    ]);
    expect((await run("restore", "--dry-run")).code).toBe(0);
    expect((await run("restore", "./out")).code).toBe(0);
    const pruned = await run("prune", "--keep-last", "1");
    expect([pruned.code, pruned.stderr]).toEqual([2, expect.stringContaining("guideferry prune ./backups\n")]);
    expect((await run("prune", "--keep-last", "1", "--dry-run")).code).toBe(0);
    const elsewhere = await run("restore", source.url, "--on-conflict", "update");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([0, expect.stringContaining("repository ./backups")]);
  });
});

/** Two customers, each with a site, a variable and a profile. */
async function customers(more: Readonly<Record<string, object>> = {}, top: object = {}) {
  const looms = await startSandbox({ site: "samples/site" });
  onTestFinished(() => looms.close());
  const sites = await configured(
    ({ source, target }) => ({
      rate: "500/s",
      target: target.url,
      ...top,
      profiles: {
        acme: { source: source.url, sourceTokenVariable: "ACME_TOKEN", ...more["acme"] },
        looms: { source: looms.url, sourceTokenVariable: "LOOMS_TOKEN", ...more["looms"] },
      },
    }),
    ({ source, directory }) => ({
      ACME_TOKEN: source.token,
      LOOMS_TOKEN_FILE: join(directory, "looms-token"),
    }),
  );
  await writeFile(join(sites.directory, "looms-token"), `${looms.token}\n`);
  return { ...sites, looms };
}

/** A site answers 401 to a token of another one, and shows private guides to its own only. */
const answersAt = (site: Sandbox) => new Set(site.recorded.map(({ status }) => status));

describe("a profile", () => {
  it("has its own site, workspace and sign-in, and no token goes to another customer's site", async () => {
    const { run, directory, source, looms } = await customers();
    const one = await run("extract", "--profile", "acme");
    expect([one.code, one.stderr]).toEqual([
      0,
      expect.stringContaining(
        `Using profile acme, source ${source.url}, workspace ./guideferry-workspace-acme from ${FILE}.`,
      ),
    ]);
    expect(one.stdout).toMatch(/^Next: .*\n {2}guideferry plan \S+ \S+ --profile acme$/m);
    const other = await run("extract", "--profile", "looms");
    expect(other.code).toBe(0);
    for (const name of ["acme", "looms"])
      expect(existsSync(join(directory, `guideferry-workspace-${name}`))).toBe(true);
    expect(existsSync(join(directory, "guideferry-workspace"))).toBe(false);
    for (const site of [source, looms]) expect(answersAt(site)).not.toContain(401);
    expect(source.recorded.find(({ path }) => path === "/guides/3")).toMatchObject({ status: 200 });
    expect(one.stdout + one.stderr + other.stdout + other.stderr).not.toContain(looms.token);
  });

  it("reads no usual variable where it names its own, and no sign-in of the top level for a site of its own", async () => {
    const { run, looms } = await customers(
      { looms: { sourceTokenVariable: undefined, sourceEmailVariable: "LOOMS_MAIL" } },
      { sourceTokenVariable: "ACME_TOKEN" },
    );
    const done = await run("extract", "--profile", "looms");
    expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(/"sourceEmailVariable" names .* not set/)]);
    expect(looms.recorded).toEqual([]);
  });

  it("may come from the variable or the file, and the flag has priority", async () => {
    const { run, directory, environment } = await customers({}, { profile: "acme" });
    expect((await run("extract", "--dry")).code).toBe(2);
    const fromFile = await run("status");
    expect(fromFile.stderr).toContain("'WORKSPACE'");
    const shown = await runCli(["status", "--profile", "acme"], {
      directory,
      environment: { ...environment, GUIDEFERRY_PROFILE: "none", GUIDEFERRY_WORKSPACE: "" },
    });
    expect(shown.stderr).toContain("'WORKSPACE'");
    const unknown = await runCli(["status"], {
      directory,
      environment: { ...environment, GUIDEFERRY_PROFILE: "lomms" },
    });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(/no profile "lomms"\. Did you mean "looms"\? It has: acme, looms\./),
    ]);
  });

  it("shares no folder with another source, and the workspace of another site is refused too", async () => {
    const shared = await customers({ acme: { workspace: "./w" }, looms: { workspace: "w/" } });
    const refused = await shared.run("extract", "--profile", "acme");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/different sources and the same folder/)]);
    const own = await customers();
    expect((await own.run("extract", "--profile", "acme", "--workspace", "one")).code).toBe(0);
    const second = await own.run("extract", "--profile", "looms", "--workspace", "one");
    expect([second.code, second.stderr]).toEqual([2, expect.stringMatching(/one/)]);
  });

  it("has its own passphrase, and writes no plain backup where it is not set", async () => {
    const { run, directory } = await customers({ acme: { passphraseVariable: "ACME_WORDS", repository: "vault" } });
    const without = await run("backup", "--profile", "acme");
    expect([without.code, without.stderr]).toEqual([2, expect.stringMatching(/"passphraseVariable" names .* not set/)]);
    expect(existsSync(join(directory, "vault"))).toBe(false);
  });
});

describe("the completion of --profile", () => {
  it("offers the names in the file, and runs no module for them", async () => {
    const { run, directory } = await customers();
    const offered = async (...words: readonly string[]) =>
      (await run("complete", "--", "migrate", ...words)).stdout.split("\n").filter((line) => /^\w/.test(line));
    expect(await offered("--profile", "")).toEqual(["acme", "looms"]);
    expect(await offered("--profile", "lo")).toEqual(["looms"]);
    await writeFile(join(directory, "other.json"), '{ "profiles": { "third": {} }, "rate": "wrong" }');
    expect(await offered("--config", "other.json", "--profile", "")).toEqual(["third"]);
    await writeFile(join(directory, "broken.json"), "{");
    expect(await offered("--config", "broken.json", "--profile", "")).toEqual([]);
    await writeFile(join(directory, "other.mjs"), "throw new Error('it runs');");
    expect((await run("complete", "--", "migrate", "--config", "other.mjs", "--profile", "")).code).toBe(0);
  });
});
