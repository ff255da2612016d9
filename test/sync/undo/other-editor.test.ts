import { expect, test } from "vitest";
import { type Pair, stepBody, stepIds, twoGuides } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "./contents.js";

const warp = 1;
const line = (text: string) => ({ lines: [{ text, bullet: "black", level: 0 }] });

async function undo(pair: Pair, options: Parameters<typeof undoAt>[2] = {}) {
  const undone = await undoAt(pair.target, pair.workspace, options);
  return { ...undone, why: Object.fromEntries(undone.refusals.map(({ thing, reason }) => [thing, reason])) };
}

test("a category that others put a guide or a page into stays", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Theirs", contents: "Theirs." });
  pair.target.edit.setParent("CATEGORY", "Theirs", "Looms");
  const { why } = await undo(pair);
  expect(why).toEqual({ "category/Looms": "others-inside" });
  expect(pair.target.state().hierarchy["Looms"]).toEqual(["Theirs"]);
  expect(pair.target.state().guides).toEqual([]);
});

test("what somebody deleted since counts as done, and what was changed and is gone is listed", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(warp, { summary: "New." });
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "New." });
  await pair.run();
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  const { why, summary } = await undo(pair);
  expect(why).toEqual({ "guide/1": "gone" });
  expect(summary.failed).toBe(0);
  expect(pair.target.state().wikis.map((wiki) => wiki["contents"])).toContain("On sheds.");
});

test("of a changed guide only what somebody edited since stays", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [first, second] = stepIds(pair.source, warp);
  pair.source.edit.guide(warp, { summary: "New." });
  pair.source.edit.step(warp, first ?? 0, line("New first."));
  pair.source.edit.step(warp, second ?? 0, line("New second."));
  await pair.run();
  const { guideid, steps } = pair.guide("Warp");
  pair.target.edit.step(guideid, steps[0]?.stepid ?? 0, line("Theirs."));
  const { why } = await undo(pair);
  expect(why).toEqual({ [`step/${first}`]: "edited" });
  expect(pair.guide("Warp")).toMatchObject({ summary: "" });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["Theirs.", "Second."]);
});

test("what others did before the run stays: their text, and that a step is gone; a step that the run deleted comes back to its place", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [first = 0] = stepIds(pair.source, warp);
  const [weft = 0] = stepIds(pair.source, 2);
  pair.target.edit.guide(pair.guide("Warp").guideid, { summary: "Theirs." });
  const there = pair.guide("Weft");
  pair.target.edit.deleteStep(there.guideid, there.steps[0]?.stepid ?? 0);
  const before = contentsOf(pair.target);
  pair.source.edit.deleteStep(warp, first);
  pair.source.edit.deleteStep(2, weft);
  await pair.run();
  expect(pair.guide("Warp").steps).toHaveLength(1);
  const { why, summary } = await undo(pair);
  expect([why, summary.failed]).toEqual([{}, 0]);
  expect(contentsOf(pair.target)).toEqual(before);
  // What the source has is a conflict still.
  pair.source.edit.guide(warp, { summary: "Ours." });
  await pair.run();
  expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs." });
});

test("tags that somebody set stay, ours go, and those that we took away come back", async () => {
  // Only rows of dozuki show that tags changed.
  const pair = await twoGuides({ source: { dialect: "dozuki" } });
  pair.source.edit.setGuideTags(warp, ["ours before"]);
  await pair.run();
  pair.source.edit.setGuideTags(warp, ["ours new"]);
  await pair.run();
  const { guideid } = pair.guide("Warp");
  pair.target.edit.setGuideTags(guideid, ["ours new", "theirs"]);
  await undo(pair);
  expect([...(pair.guide("Warp")["tags"] as readonly string[])].sort()).toEqual(["ours before", "theirs"]);
});

test("steps that somebody added since keep their place in the order that comes back", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.orderSteps(warp, stepIds(pair.source, warp).toReversed());
  await pair.run();
  pair.target.edit.addStep(pair.guide("Warp").guideid, stepBody(2, "Theirs."));
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["Second.", "Theirs.", "First."]);
  await undo(pair);
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["First.", "Second.", "Theirs."]);
});

test("an order of steps that somebody changed since stays, and is listed", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.addStep(warp, stepBody(3, "Third."));
  pair.source.edit.guide(warp, { summary: "New." });
  await pair.run();
  const { guideid, steps } = pair.guide("Warp");
  pair.target.edit.orderSteps(guideid, steps.map(({ stepid }) => stepid).toReversed());
  const { why } = await undo(pair);
  expect(why).toMatchObject({ "guide/1": "order-changed" });
  expect(pair.guide("Warp")).toMatchObject({ summary: "New." });
  expect(pair.guide("Warp").steps.map((step) => step.lines[0]?.text)).toEqual(["Second.", "First."]);
});

test("an edit between the look and the write is left alone and told of", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(warp, { summary: "New." });
  await pair.run();
  let once = true;
  pair.target.faults.decide(({ method, path }) => {
    if (once && method === "PATCH" && path.includes("/guides/")) {
      once = false;
      pair.target.edit.guide(pair.guide("Warp").guideid, { introduction: "Theirs." });
    }
    return undefined;
  });
  const { why, summary } = await undo(pair);
  expect(summary).toMatchObject({ failed: 1 });
  expect(why).toEqual({ "guide/1": "edited" });
  expect(pair.guide("Warp")).toMatchObject({ summary: "New.", introduction: "Theirs." });
});

test("a page that was there before us and was overwritten gets its content back, and the ledger forgets it", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs.", description: "Of theirs." });
  const before = contentsOf(pair.target);
  await pair.run({ onExisting: "update" });
  expect(pair.target.state().wikis.map((wiki) => wiki["contents"])).toContain("On sheds.");
  expect((await undo(pair)).why).toEqual({});
  expect(contentsOf(pair.target)).toEqual(before);
  await pair.run();
  expect(pair.target.state().wikis.map((wiki) => wiki["contents"])).toContain("Theirs.");
});

test("a page that was only linked to stays, and the ledger forgets it", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  const before = contentsOf(pair.target);
  await pair.run();
  expect((await undo(pair)).why).toEqual({});
  expect(contentsOf(pair.target)).toEqual(before);
});

test.each([
  ["at once", []],
  ["after a merge left it alone", ["merge"]],
] as const)(
  "what was overwritten under --on-conflict update, %s, becomes theirs again, and is a conflict again",
  async (_when, before) => {
    const pair = await twoGuides();
    await pair.run();
    const { guideid } = pair.guide("Warp");
    pair.target.edit.guide(guideid, { summary: "Theirs.", introduction: "Theirs too." });
    pair.source.edit.guide(warp, { summary: "New." });
    for (const onConflict of before) await pair.run({ onConflict });
    await pair.run({ onConflict: "update" });
    expect(pair.guide("Warp")).toMatchObject({ summary: "New." });
    expect((await undo(pair)).why).toEqual({});
    expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs.", introduction: "Theirs too." });
    await pair.run();
    expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs.", introduction: "Theirs too." });
  },
);

test.each(["skip", "fail", "merge"] as const)(
  "a run that left a conflict alone has nothing to undo there (%s)",
  async (onConflict) => {
    const pair = await twoGuides();
    await pair.run();
    pair.target.edit.guide(pair.guide("Warp").guideid, { summary: "Theirs." });
    pair.source.edit.guide(warp, { summary: "New." });
    pair.source.edit.guide(2, { summary: "New." });
    await pair.run({ onConflict });
    const { why, summary } = await undo(pair);
    expect(why).toEqual({});
    expect(summary).toMatchObject({ failed: 0, left: 0 });
    expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs." });
    expect(pair.guide("Weft")).toMatchObject({ summary: "" });
  },
);
