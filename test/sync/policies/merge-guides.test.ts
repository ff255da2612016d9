import { expect, test } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import { isSilent, lineBody } from "../../helpers/conflicts.js";
import type { MigrationOptions } from "../../helpers/migration.js";
import { issuesOf } from "../../helpers/migration.js";
import { type Pair, stepBody, stepIds, twoGuides } from "../../helpers/small-sites.js";

const WARP: Key = "guide/1";
const MERGE: MigrationOptions = { onConflict: "merge" };

/** Both sites as they are after a first run. */
async function loaded(): Promise<Pair> {
  const pair = await twoGuides();
  await pair.run();
  return pair;
}

async function codesOf(pair: Pair, code: string, key: Key = WARP): Promise<readonly Issue[]> {
  return (await issuesOf(pair, key)).filter((issue) => issue.code === code);
}

test("fields that only one side changed come together, whoever was first, and the next run writes nothing", async () => {
  const pair = await loaded();
  pair.target.edit.guide(pair.guide("Warp").guideid, { conclusion: "Theirs." });
  pair.source.edit.guide(1, { summary: "Ours." });
  expect(await pair.run(MERGE)).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ conclusion: "Theirs.", summary: "Ours.", public: true });
  expect(await codesOf(pair, "merge-kept-theirs")).toMatchObject([{ level: "note", path: "conclusion" }]);
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
});

test("what is theirs stays theirs when the source changes something else later, under merge and under skip", async () => {
  const pair = await loaded();
  pair.target.edit.guide(pair.guide("Warp").guideid, { conclusion: "Theirs." });
  pair.source.edit.guide(1, { summary: "Ours." });
  await pair.run(MERGE);
  for (const [onConflict, summary] of [
    ["skip", "Ours again."],
    ["merge", "Ours at last."],
  ] as const) {
    pair.source.edit.guide(1, { summary });
    expect(await pair.run({ onConflict })).toMatchObject({ failed: 0 });
    expect(pair.guide("Warp")).toMatchObject({ conclusion: "Theirs.", summary });
    expect((await pair.verify()).differences).toEqual([]);
  }
  pair.source.edit.guide(1, { conclusion: "Ours too." });
  await pair.run({ onConflict: "skip" });
  expect(pair.guide("Warp")).toMatchObject({ conclusion: "Theirs." });
  await pair.run({ onConflict: "update" });
  expect(pair.guide("Warp")).toMatchObject({ conclusion: "Ours too." });
  expect(await codesOf(pair, "merge-kept-theirs")).toEqual([]);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a field that both changed otherwise is left alone and listed with its three texts in each run, and the rest is merged", async () => {
  const pair = await loaded();
  const long = "The editor's long text. ".repeat(40).trim();
  pair.target.edit.guide(pair.guide("Warp").guideid, { introduction: long, conclusion: "Theirs." });
  pair.source.edit.guide(1, { introduction: "Ours.", summary: "Ours." });
  expect(await pair.run(MERGE)).toMatchObject({ failed: 0, heldBack: [] });
  expect(pair.guide("Warp")).toMatchObject({ introduction: long, conclusion: "Theirs.", summary: "Ours." });
  const clash = {
    code: "merge-clash",
    level: "loss",
    path: "introduction",
    texts: { base: "", theirs: long, ours: "Ours." },
  };
  const [told] = await codesOf(pair, "merge-clash");
  expect(told).toMatchObject(clash);
  expect(told?.message).toMatch(
    /^It changed differently on both sides.*\(959 characters, sha256 [0-9a-f]{12}\).*"Ours\."/s,
  );
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
  await isSilent(pair, "skip");
  await isSilent(pair);
  expect(await codesOf(pair, "merge-clash")).toMatchObject([clash]);
});

test("a clash outlives other writes of the guide, and ends when both sides are equal", async () => {
  const pair = await loaded();
  const { guideid } = pair.guide("Warp");
  pair.target.edit.guide(guideid, { introduction: "Theirs." });
  pair.source.edit.guide(1, { introduction: "Ours." });
  await pair.run(MERGE);
  pair.source.edit.setPublic(1, false);
  pair.source.edit.setGuideFlags(1, ["GUIDE_STARRED"]);
  pair.source.edit.addStep(1, stepBody(3, "Third."));
  await pair.run(MERGE);
  expect(pair.guide("Warp")).toMatchObject({ public: false, introduction: "Theirs." });
  expect(pair.guide("Warp").steps).toHaveLength(3);
  expect(await codesOf(pair, "merge-clash")).toMatchObject([{ texts: { base: "", theirs: "Theirs.", ours: "Ours." } }]);
  pair.source.edit.guide(1, { introduction: "Theirs.", summary: "Next." });
  await pair.run(MERGE);
  expect(await codesOf(pair, "merge-clash")).toEqual([]);
  pair.source.edit.guide(1, { introduction: "Both agreed." });
  await pair.run(MERGE);
  expect(pair.guide("Warp")).toMatchObject({ introduction: "Both agreed.", summary: "Next." });
});

test("a clash is solved for the source by --on-conflict update", async () => {
  const pair = await loaded();
  pair.target.edit.guide(pair.guide("Warp").guideid, { introduction: "Theirs." });
  pair.source.edit.guide(1, { introduction: "Ours." });
  await pair.run(MERGE);
  await pair.run({ onConflict: "update" });
  expect(pair.guide("Warp")).toMatchObject({ introduction: "Ours." });
  expect(await codesOf(pair, "merge-clash")).toEqual([]);
  await isSilent(pair);
});

test("steps merge one by one and field by field", async () => {
  const pair = await loaded();
  const { guideid, steps } = pair.guide("Warp");
  const [mine = 0, theirs = 0] = stepIds(pair.source, 1);
  pair.target.edit.step(guideid, steps[0]?.stepid ?? 0, { title: "Their title" });
  pair.target.edit.step(guideid, steps[1]?.stepid ?? 0, lineBody("Their line."));
  pair.source.edit.step(1, mine, lineBody("Our line."));
  pair.source.edit.step(1, theirs, lineBody("Our other line."));
  await pair.run(MERGE);
  expect(pair.guide("Warp").steps).toMatchObject([
    { title: "Their title", lines: [{ text: "Our line." }] },
    { lines: [{ text: "Their line." }] },
  ]);
  expect(await codesOf(pair, "merge-clash")).toMatchObject([{ path: `step/${theirs}.lines` }]);
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
});

test("a step that they deleted stays deleted, and is a clash where it changed at the source", async () => {
  const pair = await loaded();
  const { guideid, steps } = pair.guide("Warp");
  const [first = 0, second = 0] = stepIds(pair.source, 1);
  pair.target.edit.deleteStep(guideid, steps[0]?.stepid ?? 0);
  pair.source.edit.guide(1, { summary: "Ours." });
  await pair.run(MERGE);
  expect(pair.guide("Warp").steps).toHaveLength(1);
  expect(await codesOf(pair, "merge-kept-theirs")).toContainEqual(expect.objectContaining({ path: `step/${first}` }));
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
  pair.source.edit.step(1, first, lineBody("Changed."));
  pair.source.edit.step(1, second, lineBody("Changed too."));
  await pair.run(MERGE);
  expect(pair.guide("Warp").steps).toMatchObject([{ lines: [{ text: "Changed too." }] }]);
  expect(await codesOf(pair, "merge-clash")).toMatchObject([{ path: `step/${first}`, texts: { theirs: null } }]);
  await isSilent(pair);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a step that we removed goes, unless they edited it: then it stays and is listed", async () => {
  const pair = await loaded();
  const { guideid, steps } = pair.guide("Warp");
  const [first = 0, second = 0] = stepIds(pair.source, 1);
  pair.source.edit.addStep(1, stepBody(3, "Third."));
  pair.target.edit.step(guideid, steps[0]?.stepid ?? 0, lineBody("Theirs."));
  pair.source.edit.deleteStep(1, first);
  pair.source.edit.deleteStep(1, second);
  await pair.run(MERGE);
  expect(pair.guide("Warp").steps.map(({ lines }) => lines[0]?.text)).toEqual(["Theirs.", "Third."]);
  expect(await codesOf(pair, "merge-clash")).toMatchObject([{ path: "steps.others", texts: { ours: null } }]);
  await isSilent(pair);
  expect((await pair.verify()).differences).toEqual([]);
});

test("an order that one side changed is kept, their added steps keep their place, and two orders are a clash", async () => {
  const pair = await loaded();
  const { guideid } = pair.guide("Warp");
  const texts = (): readonly unknown[] => pair.guide("Warp").steps.map(({ lines }) => lines[0]?.text);
  pair.source.edit.addStep(1, stepBody(3, "Third."));
  await pair.run(MERGE);
  pair.target.edit.addStep(guideid, stepBody(2, "Theirs."));
  pair.source.edit.orderSteps(1, [...stepIds(pair.source, 1)].reverse());
  await pair.run(MERGE);
  expect(texts()).toEqual(["Third.", "Second.", "First.", "Theirs."]);
  await isSilent(pair);
  expect((await pair.verify()).differences).toEqual([]);
  const [a = 0, b = 0, c = 0, d = 0] = stepIds(pair.target, guideid);
  pair.target.edit.orderSteps(guideid, [b, a, c, d]);
  pair.source.edit.guide(1, { summary: "Ours." });
  await pair.run(MERGE);
  expect(texts()).toEqual(["Second.", "Third.", "First.", "Theirs."]);
  await isSilent(pair);
  await isSilent(pair, "skip");
  const [third = 0, second = 0, first = 0] = stepIds(pair.source, 1);
  pair.source.edit.orderSteps(1, [third, first, second]);
  await pair.run(MERGE);
  expect(texts()).toEqual(["Second.", "Third.", "First.", "Theirs."]);
  expect(await codesOf(pair, "merge-clash")).toMatchObject([{ path: "steps.order" }]);
  await isSilent(pair);
  expect((await pair.verify()).differences).toEqual([]);
});

test("flags, documents and prerequisites take the additions and removals of both", async () => {
  const pair = await loaded();
  const { guideid } = pair.guide("Warp");
  pair.source.edit.setGuideFlags(1, ["GUIDE_STARRED", "GUIDE_FEATURED_STUDENT"]);
  pair.source.edit.guide(1, { prerequisites: [2] });
  await pair.run(MERGE);
  const weft = pair.guide("Weft").guideid;
  const more = pair.target.edit.createGuide({ category: "Looms", type: "how-to", subject: "x", title: "Theirs" });
  const flags = pair.guide("Warp")["flags"] as readonly string[];
  pair.target.edit.setGuideFlags(guideid, [...flags, "GUIDE_MISSING_IMAGES"]);
  pair.target.edit.guide(guideid, { prerequisites: [weft, more] });
  pair.source.edit.setGuideFlags(1, ["GUIDE_STARRED"]);
  pair.source.edit.guide(1, { prerequisites: [] });
  await pair.run(MERGE);
  expect(pair.guide("Warp")["prerequisites"]).toEqual([more]);
  const after = pair.guide("Warp")["flags"];
  expect(after).toEqual(expect.arrayContaining(["GUIDE_STARRED", "GUIDE_MISSING_IMAGES"]));
  expect(after).not.toContain("GUIDE_FEATURED_STUDENT");
  expect(await codesOf(pair, "merge-clash")).toEqual([]);
  await isSilent(pair);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a guide whose texts they changed is still published and made private by us, and what they hid stays hidden", async () => {
  const pair = await loaded();
  const { guideid } = pair.guide("Warp");
  pair.target.edit.guide(guideid, { summary: "Theirs." });
  pair.source.edit.setPublic(1, false);
  await pair.run(MERGE);
  expect(pair.guide("Warp")).toMatchObject({ public: false, summary: "Theirs." });
  await isSilent(pair);
  pair.target.edit.setPublic(pair.guide("Weft").guideid, false);
  pair.source.edit.guide(2, { summary: "Ours." });
  await pair.run(MERGE);
  expect(pair.guide("Weft")).toMatchObject({ public: false, summary: "Ours." });
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
});
