import { expect, onTestFinished, test } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import type { Operation, Written } from "../../../src/core/writing.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import type { Workspace } from "../../../src/storage/workspace/workspace.js";
import { mediaItem } from "../../helpers/items.js";
import { guide, openedWorkspace, site } from "../workspace/helpers/samples.js";

const TARGET = site({ root: "https://there.example/api/2.0", siteId: "8" });

function operation(item: Key, call: unknown = { verb: "delete-item", of: item }, id: string = item): Operation {
  return { id, item, label: id, hash: "h", phase: "main", needs: [], call: call as Operation["call"] };
}

function written(key: Key, more: Partial<Written> = {}): Written {
  return { key, id: key.replace(/\D/g, ""), revision: "1", left: "l", facts: {}, adopted: false, ...more };
}

const saves = (key: Key) => operation(key, { verb: "save-guide", guide: key, fields: { parts: [], tools: [] } });

/** A run at the target as it begins, after one that wrote the guides that are named. */
async function secondRun(workspace: Workspace, before: readonly Key[]) {
  const ledger = workspace.ledger(TARGET);
  workspace.runs.start("load", {});
  for (const key of before) await ledger.done(operation(key), { written: [written(key)], missing: [], issues: [] });
  const run = workspace.runs.start("load", {});
  // The changes of the earlier run have an earlier time.
  const began = Date.now() + 1;
  while (Date.now() < began) await new Promise((resolve) => setTimeout(resolve, 1));
  return { ledger, at: { id: run, began, compares: false } };
}

async function statusOf({ directory }: Workspace) {
  const inspected = await inspectWorkspace(directory);
  onTestFinished(() => inspected.close());
  const [target] = inspected.targets();
  if (target === undefined) throw new Error("The workspace knows no target.");
  return target;
}

test("each item of a run has one outcome, by what the run did, not by what it tried", async () => {
  const workspace = await openedWorkspace();
  for (let id = 1; id <= 9; id += 1) await workspace.items.put(guide(id));
  const { ledger, at } = await secondRun(workspace, ["guide/3", "guide/4", "guide/5", "guide/8", "guide/9"]);
  // Created; created, then failed halfway; never answered.
  for (const key of ["guide/1", "guide/2", "guide/6"] as const) await ledger.begin(saves(key), {});
  for (const key of ["guide/1", "guide/2"] as const)
    await ledger.done(saves(key), { written: [written(key)], missing: [], issues: [] });
  workspace.failures.add("load", "guide/2", "403", "");
  // Edited by somebody else; only a tag was added; no change was necessary.
  await ledger.keep("guide/3", "guide/3", undefined, { title: "ours" });
  await ledger.done(operation("guide/3"), { written: [], missing: [], issues: [], open: true });
  await ledger.keep("guide/4", "tags/guide/4", undefined, { tag: "oil" });
  await ledger.keep("guide/4", "guide/4", undefined, { tag: "oil" });
  await ledger.done(operation("guide/4"), {
    written: [written("guide/4", { revision: "2" })],
    missing: [],
    issues: [],
  });
  // A rule leaves it out.
  const issue: Issue = {
    code: "line-too-long",
    level: "error",
    key: "guide/7",
    path: "",
    message: "Too long.",
    remedy: "Cut.",
  };
  await ledger.report("guide/7", [issue]);
  await ledger.keep("guide/8", "guide/8", undefined, { deleted: true });
  await ledger.done(operation("guide/8"), {
    written: [written("guide/8", { facts: { deleted: true } })],
    missing: [],
    issues: [],
  });
  const target = await statusOf(workspace);
  expect(target.outcomes(at)).toEqual({
    guide: { created: 1, failed: 1, absent: 1, left: 1, updated: 1, unchanged: 2, leftOut: 1, deleted: 1 },
  });
  expect([...target.notSent(at, false)]).toEqual([
    { key: "guide/7", outcome: "leftOut", isOnTarget: false, takenInBy: null, reason: "Too long.", remedy: "Cut." },
  ]);
  expect([...target.notSent(at, true)].map(({ key }) => key)).toEqual(["guide/6", "guide/7"]);
  // Another run does not count the changes of this one.
  expect(target.outcomes({ ...at, id: "another" })["guide"]).toMatchObject({ left: 1, unchanged: 4 });
});

test("outcomes of adopted pages, items deleted at the source, translations, pieces and media of equal bytes", async () => {
  const workspace = await openedWorkspace();
  const translation: Key = "guide/1@de";
  for (const item of [guide(1), guide(2), mediaItem("image", 1), mediaItem("image", 2)])
    await workspace.items.put(item);
  const edited: Key = "guide/1@fr";
  for (const key of [translation, edited]) await workspace.items.put({ ...guide(1), key });
  const { ledger, at } = await secondRun(workspace, ["guide/1", "guide/1+2", "guide/5"]);
  await workspace.items.put(guide(5));
  workspace.items.beginListing(["guide"]);
  for (const key of ["guide/1", "guide/2", translation, edited] as const)
    workspace.items.listed({ key, revision: "1", title: "", category: null, modified: null });
  workspace.items.endListing();
  await ledger.keep("guide/2", "guide/2", { id: "9", body: {} });
  const adopted = written("guide/2", { adopted: true });
  await ledger.done(operation("guide/2"), { written: [adopted], missing: [], issues: [] });
  await ledger.keep(translation, "translation/de/guide/1", { id: "de", body: { absent: true } }, { title: "Faden" });
  await ledger.done(operation(translation), { written: [], missing: [], issues: [] });
  await ledger.keep(edited, "translation/fr/guide/1", { id: "fr", body: {} }, { title: "Fil" });
  await ledger.done(operation(edited), { written: [], missing: [], issues: [], open: true });
  const upload = operation("image/1", { verb: "upload", media: "image/1" });
  await ledger.begin(upload, {});
  await ledger.done(upload, { written: [written("image/1")], missing: [], issues: [] });
  await ledger.done(operation("image/2"), { written: [written("image/2", { id: "1" })], missing: [], issues: [] });
  const target = await statusOf(workspace);
  expect(target.outcomes(at)).toEqual({
    guide: { unchanged: 2, linked: 1, left: 2, created: 1 },
    image: { created: 2 },
  });
  // In the next run the same items are unchanged.
  const next = { id: workspace.runs.start("load", {}), began: Date.now() + 1000, compares: false };
  expect(target.outcomes(next)).toEqual({ guide: { unchanged: 3, linked: 1, left: 2 }, image: { unchanged: 2 } });
});
