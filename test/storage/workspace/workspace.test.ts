import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT, WorkspaceError } from "../../../src/core/errors.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { operation, written } from "../../core/contracts/ledger-samples.js";
import { everyFileIn } from "./helpers/files.js";
import { guide, openedWorkspace, site, temporaryFolder } from "./helpers/samples.js";

const OPEN = { create: false, command: "guideferry test" };

test("a folder that is not there is not found, with the command that would fill it", async () => {
  const directory = join(temporaryFolder(), "absent");
  await expect(openWorkspace(directory, OPEN)).rejects.toMatchObject({
    name: "WorkspaceError",
    exitCode: EXIT.notFound,
    message: expect.stringContaining(`guideferry extract SOURCE --workspace ${directory}`),
  });
  expect(existsSync(directory)).toBe(false);
});

test("a folder that holds something else is refused and stays as it is", async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "diary.txt"), "private", { mode: 0o644 });
  const before = statSync(directory).mode;
  await expect(openWorkspace(directory, { ...OPEN, create: true })).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringContaining("Nothing in it was changed"),
  });
  await expect(openWorkspace(directory, OPEN)).rejects.toMatchObject({ exitCode: EXIT.notFound });
  expect(await readdir(directory)).toEqual(["diary.txt"]);
  expect(statSync(directory).mode).toBe(before);
});

test("an empty folder becomes a workspace, and so does one whose making was killed", async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, "lock"), "");
  await mkdir(join(directory, "temporary"));
  const workspace = await openedWorkspace(directory);
  expect(workspace.source()).toBeUndefined();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("nothing in a workspace can be read by anybody else", async () => {
  const workspace = await openedWorkspace();
  await workspace.claim(site());
  await workspace.items.put(guide(1));
  await workspace.ledger(site()).begin(operation("guide/1", "guide/1"), null);
  workspace.runs.start("load", {});
  writeFileSync(workspace.reportFile("losses.csv"), "", { mode: 0o600 });
  for (const { path, stats } of everyFileIn(workspace.directory)) {
    expect({ path, mode: (stats.mode & 0o777).toString(8) }).toEqual({
      path,
      mode: stats.isDirectory() ? "700" : "600",
    });
  }
});

test("a workspace belongs to the source that claimed it first", async () => {
  const workspace = await openedWorkspace();
  await workspace.claim(site({ siteId: null }));
  await workspace.claim(site({ siteId: "7", name: "Weavers' Guild" }));
  expect(workspace.source()).toEqual(site({ siteId: "7", name: "Weavers' Guild" }));
  await expect(workspace.claim(site({ siteId: "8" }))).rejects.toThrow(/holds the content of Weavers' Guild/);
  await expect(workspace.claim(site({ root: "https://potters.example/api/2.0" }))).rejects.toBeInstanceOf(
    WorkspaceError,
  );
  await workspace.close();
  const reopened = await openWorkspace(workspace.directory, OPEN);
  expect(reopened.source()?.siteId).toBe("7");
  await reopened.close();
});

test("a workspace of a newer format is refused and stays as it is", async () => {
  const workspace = await openedWorkspace();
  await workspace.close();
  const stamp = join(workspace.directory, "workspace.json");
  const text = JSON.stringify({ format: 99, madeBy: "guideferry 9.0.0" });
  writeFileSync(stamp, text);
  await expect(openWorkspace(workspace.directory, OPEN)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(/format 99, written by guideferry 9\.0\.0.*Install the newer/),
  });
  expect(readFileSync(stamp, "utf8")).toBe(text);
});

test.each([
  ["no JSON", "{"],
  ["JSON of another kind", "[1]"],
  ["a stamp without its fields", '{"format":1}'],
])("a damaged stamp (%s) is named", async (_, text) => {
  const workspace = await openedWorkspace();
  await workspace.close();
  writeFileSync(join(workspace.directory, "workspace.json"), text);
  await expect(openWorkspace(workspace.directory, OPEN)).rejects.toMatchObject({
    exitCode: EXIT.differences,
    message: expect.stringContaining("workspace.json is damaged"),
  });
});

test("a damaged state is named, and a later try finds the lock free", async () => {
  const workspace = await openedWorkspace();
  await workspace.close();
  const state = join(workspace.directory, "state.sqlite");
  writeFileSync(state, "this was a database once ".repeat(200));
  for (const _ of [1, 2]) {
    await expect(openWorkspace(workspace.directory, OPEN)).rejects.toMatchObject({
      exitCode: EXIT.differences,
      message: expect.stringContaining(state),
    });
  }
});

test("each target has a ledger of its own, known by root and site id", async () => {
  const workspace = await openedWorkspace();
  const rehearsal = site({ root: "http://127.0.0.1:4000/api/2.0", siteId: "1", name: "Rehearsal" });
  const receipt = { written: [written("guide/1", "90")], missing: [], issues: [] };
  await workspace.ledger(rehearsal).done(operation("guide/1", "guide/1"), receipt);
  const real = workspace.ledger(site());
  expect(await real.idOf("guide/1")).toBeUndefined();
  expect(await workspace.ledger(site({ siteId: "8" })).idOf("guide/1")).toBeUndefined();
  expect(await workspace.ledger(rehearsal).idOf("guide/1")).toBe("90");
  expect(
    workspace
      .targets()
      .map((target) => target.name)
      .sort(),
  ).toEqual(["Rehearsal", "Weavers", "Weavers"]);
});

test("a target that tells its site id only later keeps its ledger", async () => {
  const workspace = await openedWorkspace();
  const receipt = { written: [written("guide/1", "90")], missing: [], issues: [] };
  await workspace.ledger(site({ siteId: null })).done(operation("guide/1", "guide/1"), receipt);
  expect(await workspace.ledger(site({ siteId: "7" })).idOf("guide/1")).toBe("90");
  expect(await workspace.ledger(site({ siteId: null })).idOf("guide/1")).toBe("90");
  expect(workspace.targets()).toHaveLength(1);
});

test("the log tells the last run, and that it was killed when it has no end", async () => {
  const workspace = await openedWorkspace();
  expect(workspace.runs.last()).toBeUndefined();
  const first = workspace.runs.start("guideferry extract", { rate: 10 });
  workspace.runs.end(first, { exitCode: EXIT.someFailed, summary: { failed: 2 } });
  expect(workspace.runs.last()).toMatchObject({
    id: first,
    details: { rate: 10 },
    exitCode: 3,
    summary: { failed: 2 },
  });
  const second = workspace.runs.start("guideferry load", {});
  workspace.runs.beat();
  expect(workspace.runs.last()).toMatchObject({ id: second, ended: null, exitCode: null, summary: null });
  expect(workspace.reportFile("losses.csv")).toBe(join(workspace.directory, "reports", second, "losses.csv"));
});

test("a failure is listed once for each stage and item until it is cleared", async () => {
  const { failures } = await openedWorkspace();
  failures.add("load", "guide/2", "old reason", "old remedy");
  failures.add("load", "guide/2", "the line is too long", "shorten it");
  failures.add("extract", "guide/9", "HTTP 500", "try again");
  expect(failures.list("load")).toMatchObject([
    { key: "guide/2", reason: "the line is too long", remedy: "shorten it" },
  ]);
  failures.clear("load", "guide/2");
  expect(failures.list().map((failure) => failure.key)).toEqual(["guide/9"]);
});
