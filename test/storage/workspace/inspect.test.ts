import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../../src/storage/workspace/inspect.js";
import { operation, written } from "../../core/contracts/ledger-samples.js";
import { filesIn } from "./helpers/files.js";
import { guide, openedWorkspace, site, temporaryFolder } from "./helpers/samples.js";

async function inspected(directory: string): Promise<ReadonlyWorkspace> {
  const onlooker = await inspectWorkspace(directory);
  onTestFinished(() => onlooker.close());
  return onlooker;
}

test("what a run has finished can be seen while it goes on", async () => {
  const workspace = await openedWorkspace();
  await workspace.claim(site({ name: "Weavers" }));
  const onlooker = await inspected(workspace.directory);
  expect(onlooker.source()?.name).toBe("Weavers");
  expect(onlooker.holder()).toMatchObject({ pid: process.pid, command: "guideferry test" });
  expect(onlooker.items.counts().guide).toEqual({ present: 0, gone: 0 });
  await workspace.items.put(guide(1));
  workspace.failures.add("extract", "guide/2", "HTTP 500", "try again");
  const run = workspace.runs.start("guideferry extract", {});
  expect(onlooker.items.counts().guide).toEqual({ present: 1, gone: 0 });
  expect(await onlooker.items.get("guide/1")).toEqual(guide(1));
  expect(onlooker.failures.list().map(({ key }) => key)).toEqual(["guide/2"]);
  expect(onlooker.runs.last()).toMatchObject({ id: run, ended: null });
  await workspace.close();
  expect(onlooker.holder()).toBeUndefined();
});

test("the ledger of each target is summed up by kind and state", async () => {
  const workspace = await openedWorkspace();
  const ledger = workspace.ledger(site({ name: "New Weavers" }));
  const things = [written("guide/1", "90"), written("step/4", "400")];
  await ledger.done(operation("guide/1", "guide/1"), { written: things, missing: [], issues: [] });
  await ledger.begin(operation("guide/2", "guide/2"), {});
  await ledger.failed(operation("image/5", "image/5"), "too small");
  const loss = {
    code: "line-too-long" as const,
    level: "loss" as const,
    key: "guide/1" as const,
    path: "",
    message: "cut",
  };
  await ledger.report("guide/1", [loss, { ...loss, level: "note" }, loss]);
  const onlooker = await inspected(workspace.directory);
  const [target] = onlooker.targets();
  expect(target).toMatchObject({
    root: site().root,
    siteId: "7",
    name: "New Weavers",
    operations: { guide: { begun: 1, done: 1, failed: 0 }, image: { begun: 0, done: 0, failed: 1 } },
    written: { guide: 1, step: 1 },
    issues: { note: 1, loss: 2, error: 0 },
  });
  expect(target?.failures()).toMatchObject([{ id: "image/5", error: "too small" }]);
});

test("the pace counts what was finished lately", async () => {
  const workspace = await openedWorkspace();
  const onlooker = await inspected(workspace.directory);
  expect(onlooker.pace(300)).toEqual({ seconds: 300, items: 0, operations: 0 });
  await workspace.items.put(guide(1));
  await workspace.ledger(site()).failed(operation("guide/1", "guide/1"), "HTTP 500");
  expect(onlooker.pace(300)).toEqual({ seconds: 300, items: 1, operations: 1 });
});

test("looking changes nothing: a damaged item keeps its token until the next extract meets it", async () => {
  const workspace = await openedWorkspace();
  await workspace.items.put(guide(1));
  const onlooker = await inspected(workspace.directory);
  const [name = ""] = filesIn(join(workspace.directory, "items"));
  writeFileSync(join(workspace.directory, "items", name), "");
  await expect(onlooker.items.get("guide/1")).rejects.toThrow(/cannot be read/);
  expect(workspace.items.entry("guide/1")?.revision).toBe("1");
});

test("a closed workspace is one plain database file without a log", async () => {
  const workspace = await openedWorkspace();
  await workspace.items.put(guide(1));
  await workspace.close();
  expect(filesIn(workspace.directory).filter((name) => name.startsWith("state"))).toEqual(["state.sqlite"]);
  expect((await inspected(workspace.directory)).items.counts().guide.present).toBe(1);
});

test("no workspace, or one whose making was killed, is not found", async () => {
  const directory = join(temporaryFolder(), "absent");
  const refusal = { name: "WorkspaceError", exitCode: EXIT.notFound };
  await expect(inspectWorkspace(directory)).rejects.toMatchObject(refusal);
  mkdirSync(directory);
  writeFileSync(join(directory, "workspace.json"), "{}");
  await expect(inspectWorkspace(directory)).rejects.toMatchObject(refusal);
});
