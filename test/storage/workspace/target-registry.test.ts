import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claimTarget, lastLoad, type TargetClaim } from "../../../src/storage/workspace/target-registry.js";
import { userStateFolder } from "../../../src/storage/workspace/user-state-folder.js";
import { everyFileIn, filesIn } from "./helpers/files.js";
import { openedWorkspace, site, temporaryFolder } from "./helpers/samples.js";

async function claimed(base: string, directory: string, target = site()): Promise<TargetClaim> {
  const claim = await claimTarget(base, target, directory);
  onTestFinished(() => claim.release());
  return claim;
}

test("a second workspace that loads into a site is told of the first, and whether it runs", async () => {
  const base = temporaryFolder();
  const first = (await openedWorkspace()).directory;
  const second = (await openedWorkspace()).directory;
  const claim = await claimed(base, first);
  expect(claim.others).toEqual([]);
  expect((await claimed(base, second)).others).toEqual([
    { directory: first, lastUsed: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), running: true },
  ]);
  claim.release();
  expect((await claimed(base, second)).others).toMatchObject([{ directory: first, running: false }]);
});

test("neither the same workspace again nor another site is a reason to warn", async () => {
  const base = temporaryFolder();
  const first = (await openedWorkspace()).directory;
  const second = (await openedWorkspace()).directory;
  await claimed(base, first);
  expect((await claimed(base, first)).others).toEqual([]);
  expect((await claimed(base, second, site({ root: "https://potters.example/api/2.0" }))).others).toEqual([]);
});

test("it is known when a workspace was loaded, also when it is gone", async () => {
  const base = temporaryFolder();
  const { directory } = await openedWorkspace();
  expect(lastLoad(base, site(), directory)).toBeUndefined();
  await claimed(base, directory);
  rmSync(directory, { recursive: true });
  expect(lastLoad(base, site(), directory)).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(lastLoad(base, site({ root: "https://potters.example/api/2.0" }), directory)).toBeUndefined();
});

test("a workspace that was deleted since is no reason to warn", async () => {
  const base = temporaryFolder();
  const first = await openedWorkspace();
  await claimed(base, first.directory);
  await first.close();
  rmSync(first.directory, { recursive: true });
  expect((await claimed(base, (await openedWorkspace()).directory)).others).toEqual([]);
});

test("the notes are for their owner only, and a damaged one is named", async () => {
  const base = temporaryFolder();
  await claimed(base, (await openedWorkspace()).directory);
  for (const { path, stats } of everyFileIn(join(base, "targets"))) {
    expect({ path, mode: stats.mode & 0o777 }).toEqual({ path, mode: stats.isDirectory() ? 0o700 : 0o600 });
  }
  const note = filesIn(base).find((name) => /\/[0-9a-f]+\.json$/.test(name)) ?? "";
  writeFileSync(join(base, note), "{");
  const { directory } = await openedWorkspace();
  await expect(claimTarget(base, site(), directory)).rejects.toThrow(/is damaged.*Delete the file/);
});

test("notes that cannot be kept are a WorkspaceError, which a load may take as a warning", async () => {
  const base = join(temporaryFolder(), "file");
  writeFileSync(base, "");
  await expect(claimTarget(base, site(), "/w")).rejects.toMatchObject({ name: "WorkspaceError" });
});

test.each([
  [{ XDG_STATE_HOME: "/state" }, "linux", "/state/guideferry"],
  [{ XDG_STATE_HOME: "state" }, "linux", "/home/ada/.local/state/guideferry"],
  [{}, "darwin", "/home/ada/Library/Application Support/guideferry"],
  [{ LOCALAPPDATA: "/local" }, "win32", "/local/guideferry"],
  [{}, "win32", "/home/ada/AppData/Local/guideferry"],
])("with %j on %s the user's state lies in %s", (environment, platform, folder) => {
  expect(userStateFolder({ environment, platform, home: "/home/ada" })).toBe(folder);
});
