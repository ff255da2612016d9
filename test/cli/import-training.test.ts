import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { lastReport, rowOf } from "../helpers/last-report.js";
import { runCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { scormManifest } from "../helpers/training-packages.js";
import { objectsOf, textsBelow, trainingSite } from "../helpers/training-site.js";
import { twoSites } from "../helpers/two-sites.js";
import { withResolvers } from "../helpers/with-resolvers.js";
import { scorm, shelfIn } from "../training/import/helpers/packages.js";

const TOKEN = "planted-token-5d1c";
const TWO = { ladders: "Ladders", ropes: "Ropes" };

it("plans without a write, imports each once, publishes when asked to, and sends a changed one as a new version", async () => {
  const site = await trainingSite({ token: TOKEN, packages: TWO });
  const results = [];
  for (const plan of [await site.import("--dry-run"), await site.importHere("--dry-run", "--debug", "--verbose")]) {
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining("Plan: 2 new modules.\n")]);
    results.push(plan);
  }
  expect([site.writes(), objectsOf(await site.status("--json"))[0]?.["modules"]]).toEqual([0, []]);

  const first = await site.import("--debug", "--verbose");
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(/Imported 2 into .*, published 0\. Imported modules are drafts/),
  ]);
  expect(site.modules()).toEqual(["Ladders: 1 complete", "Ropes: 1 complete"]);
  const written = site.writes();
  const again = await site.import("--json");
  expect([again.code, site.writes()]).toEqual([0, written]);
  expect(objectsOf(again.stdout).filter(({ type }) => type === "package")).toMatchObject([
    {
      action: "unchanged",
      state: "complete",
      file: join(site.shelf.folder, "ladders.zip"),
      verdict: "accept",
      codes: [],
    },
    { action: "unchanged", state: "complete", standard: "scorm12", reason: "", notes: [] },
  ]);
  expect(objectsOf(again.stdout).at(-1)).toMatchObject({ type: "summary", exitCode: 0, imported: 0, unknown: 0 });

  const published = await site.importHere("--publish", "--verbose");
  expect([published.code, published.stdout]).toEqual([0, expect.stringMatching(/Imported 0 into .*, published 2\./)]);
  expect(site.modules()).toEqual(["Ladders: 1 complete*", "Ropes: 1 complete*"]);
  await site.shelf.put("ropes.zip", scorm("Ropes", "<p>other"));
  const changed = await site.import();
  expect([changed.code, changed.stdout]).toEqual([
    0,
    expect.stringContaining("1 new version of a module, 1 unchanged."),
  ]);
  expect(site.modules()).toEqual(["Ladders: 1 complete*", "Ropes: 1 complete*, 2 complete"]);
  expect(rowOf(lastReport(join(site.directory, "work")).report, "package")).toEqual({ updated: 1, unchanged: 1 });

  const texts = await textsBelow(site.directory);
  expect(texts.size).toBeGreaterThan(15);
  const leaks = [...texts].filter(([, text]) => text.includes(TOKEN)).map(([file]) => file);
  expect(leaks).toEqual([]);
  for (const { stdout, stderr } of [...results, first, again, changed, published])
    expect(stdout + stderr).not.toContain(TOKEN);
});

it("leaves out what is refused, tells it once, and ends with 3", async () => {
  const site = await trainingSite({ packages: { ladders: "Ladders" } });
  await site.shelf.put("broken.zip", { "imsmanifest.xml": scormManifest() });
  await site.shelf.put("evil\u001b[2J\u202e.zip", scorm("Bidi &#x202e;title"));
  site.sandbox.training.next({ end: "error" }, { title: "Ladders" });
  const list = join(site.directory, "list.csv");
  await writeFile(list, "path,module\npackages/ladders.zip,999\n");
  const unknown = await site.runHere("import-training", list, site.sandbox.url, "--dry-run");
  expect([unknown.code, unknown.stdout]).toEqual([
    3,
    expect.stringMatching(/^accepted .*\n {2}refused\n {2}The list gives module 999[\s\S]*1 left out\./),
  ]);
  const { code, stdout, stderr } = await site.import();
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^\S+ import: 3 of 3.*, 1 failed$/m)]);
  expect(stdout.match(/E_MAN_LAUNCH_MISSING imsmanifest/g)).toHaveLength(1);
  expect(stdout).toMatch(/ {2}new-module: failed: module \d+, import \d+\n {2}The site could not import the package: /);
  expect(stdout).toMatch(/^1 failed: the report has the reasons\. Run the same command again to try again\.$/m);
  expect(stdout + stderr).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);

  const { report } = lastReport(join(site.directory, "work"));
  expect(rowOf(report, "package")).toEqual({ created: 1, notSent: 1, failed: 1 });
  expect(report.failures).toMatchObject({ count: 1, causes: [{ reason: expect.stringMatching(/could not import/) }] });
  expect(report.notSent.causes).toMatchObject([{ reason: expect.stringMatching(/^E_MAN_LAUNCH_MISSING /) }]);

  const status = await site.status();
  expect(status).toMatch(/^2 training packages for .*: 1 imported, as drafts, 1 failed\n {2}\S+packages\/ladders/m);
  expect(status).not.toContain("in the workspace");
  const again = await site.importHere("--json");
  const packages = objectsOf(again.stdout).filter(({ type }) => type === "package");
  expect(packages.map(({ action, state }) => [action, state])).toEqual(
    expect.arrayContaining([
      ["refused", null],
      ["unchanged", "complete"],
      ["go-on", "complete"],
    ]),
  );
  expect(site.modules()).toEqual(["Bidi \u202etitle: 1 complete", "Ladders: 1 error, 1 complete"]);
});

it("tells places apart from wherever it runs and however they are written, also after all was moved", async () => {
  const site = await trainingSite();
  const { directory, sandbox } = site;
  for (const name of ["one", "two"]) await mkdir(join(directory, name));
  await shelfIn(join(directory, "one")).put("course.zip", scorm("Ladders"));
  await shelfIn(join(directory, "two")).put("course.zip", scorm("Ropes"));
  const run = (base: string, folder: string, ...places: readonly string[]) =>
    runCli(["import-training", ...places, sandbox.url], {
      directory: join(base, folder),
      environment: { ...site.environment, GUIDEFERRY_WORKSPACE: join(base, "work") },
    });
  expect((await run(directory, "one", ".")).code).toBe(0);
  expect((await run(directory, "two", ".")).code).toBe(0);
  expect(site.modules()).toEqual(["Ladders: 1 complete", "Ropes: 1 complete"]);
  const moved = join(await temporaryFolder(), "moved");
  await cp(directory, moved, { recursive: true });
  await shelfIn(join(moved, "one")).put("course.zip", scorm("Ladders", "<p>other"));
  expect((await run(moved, ".", "./two/../one/course.zip", join(moved, "two"))).code).toBe(0);
  expect(site.modules()).toEqual(["Ladders: 1 complete, 1 complete", "Ropes: 1 complete"]);
});

it("needs an account of the site, and a workspace that no other run holds", async () => {
  const site = await trainingSite({ packages: TWO });
  const held = withResolvers();
  site.sandbox.faults.inject({ kind: "stall", reached: held.resolve }, { path: /drafts$/ });
  const running = site.startImport();
  await Promise.race([held.promise, running.ended]);
  const [locked, nobody, stranger, elsewhere] = await Promise.all([
    site.import(),
    ...["", "of-somebody"].map((token) =>
      runHere(["import-training", join(site.directory, "packages"), site.sandbox.url], {
        environment: {
          ...site.environment,
          GUIDEFERRY_TARGET_TOKEN: token,
          GUIDEFERRY_WORKSPACE: join(site.directory, `other${token}`),
        },
      }),
    ),
    site.runHere("import-training", site.sandbox.url, join(site.directory, "packages")),
  ]);
  expect([locked.code, nobody?.code, stranger?.code, elsewhere?.code]).toEqual([11, 5, 5, 2]);
  expect(nobody?.stderr).toContain("Set GUIDEFERRY_TARGET_TOKEN");
  expect(elsewhere?.stderr).toContain("packages is a folder, but this command needs the address of a site");
  expect(site.writes()).toBe(1);
});

it("keeps out of the way of a migration in the same workspace", async () => {
  const sites = await twoSites();
  sites.source.faults.inject({ kind: "status", status: 403 }, { path: "/guides/2", times: 1 });
  expect((await sites.migrate()).code).toBe(3);
  const other = await startSandbox({ training: { looks: 0 } });
  onTestFinished(() => other.close());
  const path = join(sites.directory, "ladders.zip");
  await shelfIn(sites.directory).put("ladders.zip", scorm("Ladders"));
  const environment = { ...sites.environment, GUIDEFERRY_TARGET_TOKEN: other.token };
  const here = { environment: { ...environment, GUIDEFERRY_WORKSPACE: join(sites.directory, "work") } };
  const imported = await runHere(["import-training", path, other.url], here);
  expect([imported.code, imported.stderr]).toEqual([0, expect.not.stringContaining("warning")]);
  const before = other.recorded.length;
  const status = await sites.run("status", "work");
  expect(status.stdout).toMatch(/^1 training package for .*: 1 imported, as drafts$/m);
  expect(status.stdout.match(/^Target /gm)).toHaveLength(1);
  // Where to, nobody said: to where the migration went.
  const retried = await sites.run("retry", "work");
  expect([retried.code, sites.target.state().guides.length], retried.stderr).toEqual([0, 3]);
  expect(other.recorded.length).toBe(before);
  const again = await runHere(["import-training", path, other.url], here);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Actions: 1 unchanged.")]);
});

it("does not double modules from a new workspace: it ends with 2, names the ways on, and writes nothing", async () => {
  const site = await trainingSite({ token: TOKEN, packages: TWO });
  await site.import("--publish");
  const written = site.writes();
  const other = ["--workspace", "other"];
  // Equal packages are found again by the names of their files; other content under the titles is
  // not.
  await site.shelf.put("ladders.zip", scorm("Ladders", "<p>other"));
  await site.shelf.put("ropes.zip", scorm("Ropes", "<p>other"));
  for (const flags of [[], ["--dry-run"]]) {
    const refused = await site.import(...other, ...flags);
    expect([refused.code, site.writes()]).toEqual([2, written]);
    expect(refused.stderr).toMatch(/2 of the 2 packages.*--match title.*--allow-duplicates/s);
  }
  const matched = await site.import(...other, "--match", "title");
  expect([matched.code, matched.stdout]).toEqual([0, expect.stringContaining("2 new versions of modules")]);
  const doubled = await site.import("--workspace", "third", "--allow-duplicates");
  expect(doubled.code).toBe(0);
});
