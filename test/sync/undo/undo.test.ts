import { expect, test } from "vitest";
import { Database } from "../../../src/storage/sqlite.js";
import { pngOf } from "../../helpers/png.js";
import { type Pair, post, stepBody, stepIds, twoGuides, upload } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "./contents.js";

const warp = 1;
const weft = 2;

test("a first load is undone whole, its uploads too, and leaves an empty ledger", async () => {
  const pair = await twoGuides();
  const image = await upload(pair.source, "images", "loom.png", pngOf(1000, 800));
  await post(pair.source, `guides/${warp}/steps`, {
    ...stepBody(3, "Shown."),
    media: { type: "image", data: [image] },
  });
  pair.source.edit.setGuideTags(warp, ["wool"]);
  const before = contentsOf(pair.target);
  await pair.run();
  expect(contentsOf(pair.target)).not.toEqual(before);
  expect(await undo(pair)).toMatchObject({ refusals: [], summary: { failed: 0, left: 0 } });
  expect(contentsOf(pair.target)).toEqual(before);
  for (const table of ["written", "left_body", "operation", "missing", "issue"])
    expect([table, rowsOf(pair.workspace, table)]).toEqual([table, 0]);
  expect(await undo(pair)).toMatchObject({ summary: { run: null, writes: 0 } });
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect((await pair.verify()).differences).toEqual([]);
});

test("guides that need each other are undone, in whatever order they go", async () => {
  const pair = await twoGuides();
  const before = contentsOf(pair.target);
  pair.source.edit.guide(warp, { prerequisites: [2] });
  pair.source.edit.guide(2, { prerequisites: [warp] });
  await pair.run();
  const { summary, refusals } = await undo(pair);
  expect([refusals, summary.failed]).toEqual([[], 0]);
  expect(contentsOf(pair.target)).toEqual(before);
});

test("a second load is undone to what the first one left, and can be done again", async () => {
  const pair = await twoGuides();
  pair.source.edit.setGuideTags(warp, ["wool", "warp"]);
  pair.source.edit.setWikiTags("WIKI", "Sheds", ["shed"]);
  await pair.run();
  const before = contentsOf(pair.target);
  changeAll(pair);
  await pair.run();
  expect(contentsOf(pair.target)).not.toEqual(before);
  expect(await undo(pair)).toMatchObject({ refusals: [], summary: { failed: 0, left: 0 } });
  expect(contentsOf(pair.target)).toEqual(before);
  expect(await pair.run()).toMatchObject({ failed: 0 });
  expect((await pair.verify()).differences).toEqual([]);
  expect((await pair.run()).writes).toBe(0);
});

test("both loads are undone one after the other, back to the empty site", async () => {
  const pair = await twoGuides();
  const empty = contentsOf(pair.target);
  await pair.run();
  changeAll(pair);
  await pair.run();
  await undo(pair);
  expect(await undo(pair)).toMatchObject({ refusals: [], summary: { failed: 0, left: 0 } });
  expect(contentsOf(pair.target)).toEqual(empty);
});

test("a step that an undo made anew is known to earlier runs by its new id", async () => {
  const pair = await twoGuides();
  await pair.run();
  const before = contentsOf(pair.target);
  const [first] = stepIds(pair.source, warp);
  pair.source.edit.step(warp, first ?? 0, { lines: [{ text: "Changed.", bullet: "black", level: 0 }] });
  await pair.run();
  pair.source.edit.deleteStep(warp, first ?? 0);
  await pair.run();
  for (const _run of ["the deletion", "the change"])
    expect(await undo(pair)).toMatchObject({ refusals: [], summary: { failed: 0, left: 0 } });
  expect(contentsOf(pair.target)).toEqual(before);
});

test("an earlier run is left alone where a later one changed the same, and the later one is named", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [first] = runsOf(pair.workspace);
  pair.source.edit.guide(warp, { summary: "New." });
  await pair.run();
  const [second] = runsOf(pair.workspace);
  const { refusals } = await undo(pair, { run: first ?? "" });
  expect(refusals.map(({ item, reason }) => [item, reason])).toContainEqual(["guide/1", "changed-later"]);
  expect(refusals.find(({ thing }) => thing === "guide/1")?.message).toContain(second);
  expect(pair.target.state().guides.map(({ title }) => title)).toEqual(["Warp"]);
  expect(pair.target.state().wikis.map(({ title }) => title)).toEqual(["Looms"]);
});

test("nothing is written by a rehearsal, and it tells the same", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [before, writes] = [contentsOf(pair.target), pair.writes().length];
  const rehearsed = await undo(pair, { dryRun: true });
  expect(pair.writes()).toHaveLength(writes);
  expect(contentsOf(pair.target)).toEqual(before);
  const { plan } = await undo(pair);
  expect(plan?.counts).toEqual(rehearsed.plan?.counts);
});

test("a run that nobody knows is refused with those that can be undone", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [known] = runsOf(pair.workspace);
  await expect(undo(pair, { run: "20010101T000000Z-abcdef" })).rejects.toMatchObject({
    exitCode: 10,
    message: expect.stringContaining(known ?? "none"),
  });
});

function undo(pair: Pair, options: Parameters<typeof undoAt>[2] = {}) {
  return undoAt(pair.target, pair.workspace, options);
}

/**
 * Fields, steps changed, added, removed and put into another order, tags, flags, visibility, pages
 * and their places.
 */
function changeAll({ source }: Pair): void {
  const [first, second] = stepIds(source, warp);
  source.edit.guide(warp, {
    summary: "New.",
    introduction: "Another.",
    difficulty: "Difficult",
    time_required_min: 60,
  });
  source.edit.step(warp, first ?? 0, { lines: [{ text: "Changed.", bullet: "black", level: 0 }] });
  source.edit.deleteStep(warp, second ?? 0);
  source.edit.addStep(warp, stepBody(1, "Before all."));
  source.edit.setGuideTags(warp, ["silk", "warp"]);
  source.edit.setPublic(weft, false);
  source.edit.orderSteps(weft, stepIds(source, weft).toReversed());
  source.edit.setGuideFlags(weft, ["GUIDE_STARRED"]);
  source.edit.wiki("WIKI", "Sheds", { contents: "New.", description: "On sheds." });
  source.edit.setWikiTags("WIKI", "Sheds", ["house"]);
  source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "By hand." });
  source.edit.setParent("CATEGORY", "Looms", "Hand Looms");
  const added = source.edit.createGuide({ category: "Hand Looms", type: "how-to", subject: "Heddle", title: "Heddle" });
  source.edit.addStep(added, stepBody(1, "See [guide|1]."));
}

function rowsOf(workspace: string, table: string): unknown {
  return asked(workspace, `SELECT count(*) AS found FROM ${table}`)[0];
}

/** Runs with things to undo, the newest first. */
function runsOf(workspace: string): readonly string[] {
  return asked(workspace, "SELECT run AS found FROM earlier GROUP BY run ORDER BY max(rowid) DESC").map(String);
}

function asked(workspace: string, sql: string): readonly unknown[] {
  const state = new Database(`${workspace}/state.sqlite`, { readOnly: true });
  try {
    return state.all<{ readonly found: unknown }>(sql).map(({ found }) => found);
  } finally {
    state.close();
  }
}
