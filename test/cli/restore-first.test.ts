import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BackedUpSite, backedUpSite } from "../helpers/backed-up-site.js";
import { runCli } from "../helpers/run-cli.js";

/** The files of the repository itself. */
async function filesOf(repository: string): Promise<readonly string[]> {
  return (await readdir(repository)).filter((name) => /\.(?:zip|age|index\.json)$/.test(name)).sort();
}

test("settings of backups delete no snapshot before a restore, and do not report one to the monitor", async () => {
  const site = await backedUpSite();
  const before = site.sandbox.state();
  site.sandbox.edit.guide(3, { title: "Better" });
  // A full one, which needs nothing of the first snapshot.
  expect((await site.run("backup", site.sandbox.url, "--to", "repo", "--full-every", "1")).code).toBe(0);
  const [first = "", later = ""] = (await snapshotsOf(site)).map(({ snapshot }) => snapshot);
  site.sandbox.edit.guide(3, { title: "PWNED" });
  const old = await filesOf(site.repository);
  await writeFile(join(site.directory, "guideferry.config.json"), JSON.stringify({ fullEvery: 1, keepDaily: 1 }));
  const environment = {
    GUIDEFERRY_TARGET_TOKEN: site.sandbox.token,
    XDG_STATE_HOME: join(site.directory, "home"),
    GUIDEFERRY_KEEP_LAST: "1",
    GUIDEFERRY_METRICS: join(site.directory, "backup.prom"),
    GUIDEFERRY_NAME: "another",
  };
  const words = ["restore", "repo", site.sandbox.url, "--include", "guide/3", "--at", first];
  const done = await runCli(words, { directory: site.directory, environment });
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("Taking a snapshot of the current site first")]);
  await rm(join(site.directory, "guideferry.config.json"));
  expect(site.sandbox.state()).toEqual(before);
  const after = await filesOf(site.repository);
  expect(after).toEqual(expect.arrayContaining([...old]));
  expect(after.filter((name) => /\.full\.zip$/.test(name))).toHaveLength(2);
  expect(after.filter((name) => /\.incremental\.zip$/.test(name))).toHaveLength(1);
  const metrics = await readFile(join(site.directory, "backup.prom"), "utf8");
  expect(metrics).toContain('command="restore"');
  expect(metrics).not.toMatch(/guideferry_backup|command="backup"/);
  const present = (await snapshotsOf(site)).at(-1)?.snapshot ?? "";
  // The same words mean the same snapshot wherever they are given.
  for (const at of [[], ["--at", "2099-01-01"], ["--at", "latest"]]) {
    const shown = await site.run("cat", "repo", "guide/3", ...at);
    expect([shown.code, shown.stdout, shown.stderr]).toEqual([
      0,
      expect.stringContaining("Better"),
      expect.stringContaining(
        `Using the snapshot ${later}. The later snapshot ${present} was taken before a restore, and only its full name selects it.`,
      ),
    ]);
  }
  const named = await site.run("cat", "repo", "guide/3", "--at", present);
  expect([named.code, named.stdout, named.stderr]).toEqual([0, expect.stringContaining("PWNED"), ""]);
  expect((await site.run("cat", "repo", "guide/3", "--at", "2026-11-31")).code).toBe(2);
  const listed = await site.run("snapshots", "repo");
  expect(listed.stdout.match(/before a restore$/gm)).toHaveLength(1);
});

async function snapshotsOf(site: BackedUpSite): Promise<readonly { readonly snapshot: string }[]> {
  const { stdout } = await site.run("snapshots", "repo", "--json");
  const lines = stdout.trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "snapshot");
}
