import { mkdirSync, watch } from "node:fs";
import { readdir, readFile, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { guideItem } from "../helpers/items.js";
import { type Maker, makeRepository, NAME, sha256Of } from "../helpers/repository.js";
import { runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const [FIRST, SECOND] = ["20261101T030000Z", "20261102T030000Z"] as const;

async function twoNights(): Promise<Maker & { readonly goal: string }> {
  const folder = await temporaryFolder();
  const maker = await makeRepository(join(folder, "repo"));
  const items = [guideItem(1), guideItem(2), guideItem(3)];
  await maker.add({ snapshot: FIRST, items, kind: "full", parts: 2 });
  await maker.add({ snapshot: SECOND, items: [guideItem(4), ...items], kind: "incremental" });
  return { ...maker, goal: join(folder, "copy") };
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(NAME));
  const hashes = names.map(async (name) => [name, sha256Of(await readFile(join(folder, name)))] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

describe("guideferry copy", () => {
  it("says what it would copy, copies it, and copies nothing twice", async () => {
    const { folder, goal } = await twoNights();
    const planned = await runCli(["copy", folder, goal, "--dry-run"]);
    expect([planned.code, planned.stdout]).toEqual([
      0,
      expect.stringMatching(/copy: would copy 2 snapshots \([\d.]+ kB\); it would have 2 snapshots\.$/m),
    ]);
    await expect(readdir(goal)).rejects.toThrow(/ENOENT/);
    const address = pathToFileURL(goal).href;
    const { code, stdout } = await runCli(["copy", pathToFileURL(folder).href, address, "--json"]);
    expect([code, JSON.parse(stdout.trim().split("\n").at(-1) ?? "")]).toMatchObject([
      0,
      { type: "summary", exitCode: 0, from: folder, to: goal, copied: [FIRST, SECOND], damaged: [], snapshots: 2 },
    ]);
    expect(await filesIn(goal)).toEqual(await filesIn(folder));
    expect((await runCli(["verify", address])).stdout).toMatch(/All 2 snapshots are undamaged/);
    expect((await runCli(["copy", folder, goal])).stdout).toMatch(/copy: nothing was missing; it has 2 snapshots\.$/m);
  });

  it("ends with 6 where an archive is cut, and copies it once it is whole", async () => {
    const { folder, goal } = await twoNights();
    const archive = `${NAME}-${SECOND}.incremental.zip`;
    const whole = await readFile(join(folder, archive));
    await truncate(join(folder, archive), whole.length - 1);
    const { code, stdout } = await runCli(["copy", folder, goal]);
    expect([code, stdout]).toEqual([
      6,
      expect.stringContaining(`not copied: ${SECOND}: ${archive} is missing or cut off`),
    ]);
    expect(stdout).toMatch(/Not copied: 1 snapshot\. `guideferry verify .*repo` lists the damage/);
    expect((await runCli(["verify", goal])).code).toBe(0);
  });

  it.each([
    ["the same place", (folder: string) => [folder, folder], 2, /are the same place/],
    ["a place in it", (folder: string) => [folder, join(folder, "copy")], 2, /one is in the other/],
    ["nothing", (folder: string) => [`${folder}-gone`, `${folder}-copy`], 10, /does not exist/],
    ["a site", (folder: string) => [folder, "https://site.example"], 2, /https:\/\/site\.example/],
    ["a folder of other files", (folder: string) => [folder, join(folder, "..", "other")], 2, /it holds other files/],
  ])("refuses %s", async (_what, wordsFor, exitCode, message) => {
    const { folder } = await twoNights();
    mkdirSync(join(folder, "..", "other", "files"), { recursive: true });
    const before = await filesIn(folder);
    const { code, stderr } = await runCli(["copy", ...wordsFor(folder)]);
    expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)]);
    expect(await filesIn(folder)).toEqual(before);
  });

  it.each([
    ["a part", /\.part1\.zip$/],
    ["an index that is not committed", /\.index\.json\.new$/],
    ["a main archive", /\.full\.zip$/],
    ["the second snapshot", /\.incremental\.zip$/],
  ])("goes on after a kill at %s", async (_what, name) => {
    const { folder, goal } = await twoNights();
    mkdirSync(goal);
    const { child, ended } = startCli(["copy", folder, goal]);
    const watcher = watch(goal, (_event, file) => void (file !== null && name.test(file) && child.kill("SIGKILL")));
    await ended;
    watcher.close();
    if ((await readdir(goal)).includes("repository.json")) {
      const checked = await runCli(["verify", goal]);
      // Without a snapshot there is nothing to verify yet.
      expect([0, 10]).toContain(checked.code);
    }
    expect((await runCli(["copy", folder, goal])).code).toBe(0);
    expect(await filesIn(goal)).toEqual(await filesIn(folder));
    await rm(goal, { recursive: true });
  });
});
