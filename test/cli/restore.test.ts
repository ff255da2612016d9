import { existsSync } from "node:fs";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { backedUpSite, summaryOf } from "../helpers/backed-up-site.js";
import { flipBit } from "../helpers/damage-archive.js";
import { killAmid } from "../helpers/kill-amid.js";
import { expectToAddUp, lastReport, rowOf } from "../helpers/last-report.js";
import { stepIds } from "../helpers/small-sites.js";
import { removeFolder } from "../helpers/temporary-folder.js";

test("what was edited is shown, left, and put back when it is named", async () => {
  const site = await backedUpSite();
  const before = site.sandbox.state();
  site.sandbox.edit.guide(3, { title: "PWNED" });
  site.sandbox.edit.guide(4, { title: "PWNED too" });
  const shown = await site.run("restore", "repo", site.sandbox.url, "--dry-run", "--on-conflict", "update");
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(
      /to be restored:\n {2}guide\/3 "Guide 3": title\n {4}guide .*\n(?:.*\n)*.*It would take 2 writes \(edit guide 2\)\. Nothing was written\.\n$/,
    ),
  ]);
  const left = await site.run("restore", "repo", site.sandbox.url);
  expect([left.code, left.stdout]).toEqual([
    3,
    expect.stringMatching(/Edited since the snapshot, NOT RESTORED .*:\n {2}guide\/3 .*\n {2}guide\/4/),
  ]);
  expect(site.writes()).toEqual([]);
  const { report } = lastReport(`${site.repository}-restore`);
  expect(rowOf(report, "guide")).toEqual({ unchanged: 11, left: 2 });
  expect(report.notSent.causes).toMatchObject([
    { keys: ["guide/3", "guide/4"], reason: expect.stringMatching(/^It was edited since/) },
  ]);
  const named = await site.run("restore", "repo", site.sandbox.url, "--include", "guide/3,guide/4");
  expect([named.code, named.stderr]).toEqual([
    0,
    expect.stringContaining("Taking a snapshot of the current site first"),
  ]);
  expect(site.sandbox.state()).toEqual(before);
  expect(site.writes()).toHaveLength(2);
  const archives = (await readdir(site.repository)).filter((name) => /(?:full|incremental)\.zip$/.test(name));
  // One snapshot of a backup, and one before the restore that wrote.
  expect(archives).toHaveLength(2);
  const [, present = ""] = archives.map((name) => /\d{8}T\d{6}Z/.exec(name)?.[0] ?? "").sort();
  const undone = await site.run("restore", "repo", site.sandbox.url, "--include", "guide/3", "--at", present);
  expect([undone.code, site.sandbox.state().guides[2]?.["title"]]).toEqual([0, "PWNED"]);
});

test("a deleted guide comes back with its id, and --no-snapshot-first takes no snapshot", async () => {
  const site = await backedUpSite();
  const before = site.sandbox.state();
  site.sandbox.edit.deleteGuide(5);
  const done = await site.run("restore", "repo", site.sandbox.url, "--no-snapshot-first");
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 deleted and restored. 1 write.")]);
  expect(done.stdout).toMatch(/^kind +recreated +restored +unchanged +failed\n(?:.*\n)*guide +1 +0 +12 +0$/m);
  expect(site.sandbox.state()).toEqual(before);
  expect((await readdir(site.repository)).filter((name) => /(?:full|incremental)\.zip$/.test(name))).toHaveLength(1);
  // The runs of its backups are those of the workspace in it.
  const page = await site.run("report", "repo");
  expect([page.code, page.stdout]).toEqual([0, expect.stringMatching(/\(backup\).*\n\S+repo\/workspace\/reports\//)]);
});

test("a site that lost everything comes back, although that many deletions would stop a backup", async () => {
  const site = await backedUpSite();
  const before = site.sandbox.namedState();
  for (let guide = 1; guide <= 13; guide += 1) site.sandbox.edit.deleteGuide(guide);
  const done = await site.run("restore", "repo", site.sandbox.url, "--at", "latest");
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("13 deleted and restored")]);
  expect(site.sandbox.namedState()).toEqual(before);
});

/** Writes after which it is killed; `npm run crash` tries more. */
const KILLED_AT = process.env["GUIDEFERRY_CRASH_TEST"] === "full" ? [1, 3, 6, 12] : [6];

test("killed at any moment, the same command ends where an unbroken run would", async () => {
  const site = await backedUpSite();
  const before = site.sandbox.namedState();
  const words = ["restore", "repo", site.sandbox.url, "--on-conflict", "update", "--no-snapshot-first"] as const;
  for (const at of KILLED_AT) {
    for (let guide = 1; guide <= 10; guide += 1) {
      site.sandbox.edit.guide(guide, { title: `PWNED ${at}`, introduction: "x" });
      const [step = 0] = stepIds(site.sandbox, guide);
      if (guide % 2 === 0) site.sandbox.edit.deleteStep(guide, step);
    }
    site.sandbox.edit.deleteGuide(11);
    const sent = site.writes().length;
    const running = site.start(...words);
    // Asked before the site does what the request wants, which is done all the same.
    site.sandbox.faults.decide(() => {
      if (site.writes().length >= sent + at) running.child.kill("SIGKILL");
      return undefined;
    });
    expect((await running.ended).signal).toBe("SIGKILL");
    site.sandbox.faults.clear();
    const done = await site.run(...words);
    expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(site.sandbox.namedState().guides).toEqual(before.guides);
    const sentByThen = site.writes().length;
    expect((await site.run(...words)).code).toBe(0);
    expect(site.writes()).toHaveLength(sentByThen);
  }
}, 900_000);

test("another site gets it as by a migration, resumable, and is read back", async () => {
  const site = await backedUpSite();
  const target = await startSandbox();
  onTestFinished(() => target.close());
  const done = await site.runAt(target, "restore", "repo", target.url);
  expect([done.code, done.stdout]).toEqual([
    0,
    expect.stringMatching(/Read back and compared 15 items, .*: no difference/),
  ]);
  expect(target.state().guides).toHaveLength(13);
  const { report } = lastReport(`${site.repository}-restore`);
  await expectToAddUp(`${site.repository}-restore`, report);
  expect(rowOf(report, "guide")).toEqual({ created: 13 });
  const pictures = (sandbox: typeof target) =>
    JSON.stringify(sandbox.namedState().guides.map((guide) => guide["steps"]));
  expect(pictures(target)).toBe(pictures(site.sandbox));
  const again = await site.runAt(target, "restore", "repo", target.url);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("no write request was needed")]);
  // What was made under which id is lost.
  await rename(`${site.repository}-restore`, `${site.repository}-away`);
  const forgotten = await site.runAt(target, "restore", "repo", target.url);
  expect([forgotten.code, forgotten.stderr]).toEqual([2, expect.stringMatching(/which is lost.*--workspace/s)]);
  expect(target.state().guides).toHaveLength(13);
});

test("a folder becomes a workspace with all bytes, also after a kill, and one that is not empty is refused", async () => {
  const site = await backedUpSite();
  const out = join(site.directory, "out");
  await killAmid({
    start: () => site.start("restore", "repo", "./out"),
    isAtWork: () => existsSync(join(out, "items", "guide")),
    undo: () => removeFolder(out),
  });
  const done = await site.run("restore", "repo", "./out", "--json");
  expect([done.code, summaryOf(done)]).toEqual([0, expect.objectContaining({ type: "summary", media: 13, failed: 0 })]);
  const list = await readFile(join(out, "contents.tsv"), "utf8");
  expect(list.match(/^guide\//gm)).toHaveLength(13);
  expect(list.match(/media\/\w\w\/[0-9a-f]{64}/g)).toHaveLength(13);
  expect(list).toMatch(/^guide\/3\tGuide 3\tLooms\titems\/guide\/\w\w\/3-\w+\.json\t\t$/m);
  expect(list).toMatch(/^image\/\d+\t.*\tmedia\/\w\w\/[0-9a-f]{64}\tpng$/m);
  const target = await startSandbox();
  onTestFinished(() => target.close());
  // What was restored needs the repository no more.
  await rename(site.repository, `${site.repository}-away`);
  const loaded = await site.runAt(target, "load", "out", target.url);
  expect(loaded.code).toBe(0);
  expect(target.state().guides).toHaveLength(13);
  // Each path of the list is a file, also after the load.
  const paths = list
    .split("\n")
    .slice(1, -1)
    .flatMap((line) => line.split("\t").slice(3, 5));
  expect(paths.filter((path) => path !== "" && !existsSync(join(out, path)))).toEqual([]);
  await writeFile(join(site.directory, "note.txt"), "mine");
  await rename(`${site.repository}-away`, site.repository);
  const refused = await site.run("restore", "repo", "./out");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("is not empty")]);
  const strange = await site.run("restore", "repo", ".");
  expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining("nothing in it was changed")]);
});

test("a choice with what it needs is restored, and a single archive, unless it is damaged or no archive", async () => {
  const site = await backedUpSite();
  expect((await site.run("restore", "repo", "./chosen", "--include", "guide/3")).code).toBe(0);
  const list = await readFile(join(site.directory, "chosen", "contents.tsv"), "utf8");
  const keys = list
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split("\t")[0] ?? "");
  expect(keys).toEqual(["category/Looms", "guide/3", expect.stringMatching(/^image\/\d+$/)]);
  const [archive = ""] = (await readdir(site.repository)).filter((name) => name.endsWith(".full.zip"));
  await writeFile(join(site.directory, "mine.zip"), await readFile(join(site.repository, archive)));
  expect((await site.run("restore", "mine.zip", "./out")).code).toBe(0);
  const home = await site.run("restore", "mine.zip", site.sandbox.url);
  expect([home.code, home.stderr]).toEqual([2, expect.stringContaining("--no-snapshot-first")]);
  const bytes = await readFile(join(site.directory, "mine.zip"));
  await writeFile(join(site.directory, "cut.zip"), bytes.subarray(0, bytes.length - 100));
  const cut = await site.run("restore", "cut.zip", "./out2");
  expect([cut.code, cut.stderr]).toEqual([6, expect.stringContaining("E_ZIP_TRUNCATED")]);
  await writeFile(join(site.directory, "text.zip"), "no archive");
  expect((await site.run("restore", "text.zip", "./out3")).stderr).toContain("E_NOT_ZIP");
  expect(await readdir(site.directory)).not.toContain("out2");
});

test("a damaged item is named and everything else is restored", async () => {
  const site = await backedUpSite();
  await flipBit(site.repository, "guide/4");
  const done = await site.run("restore", "repo", "./out");
  expect([done.code, done.stdout]).toEqual([3, expect.stringMatching(/FAILED: 1 item\..*\n {2}guide\/4 /)]);
  const list = await readFile(join(site.directory, "out", "contents.tsv"), "utf8");
  expect(list).toContain("guide/5\t");
  expect(list).not.toContain("guide/4\t");
  site.sandbox.edit.guide(5, { title: "PWNED" });
  site.sandbox.edit.guide(4, { title: "PWNED" });
  const home = await site.run(
    "restore",
    "repo",
    site.sandbox.url,
    "--include",
    "guide/4,guide/5",
    "--no-snapshot-first",
  );
  expect([home.code, home.stdout]).toEqual([3, expect.stringContaining("guide/4 (load)")]);
  expect(site.sandbox.state().guides.map((guide) => guide["title"])).toEqual(
    expect.arrayContaining(["Guide 5", "PWNED"]),
  );
});
