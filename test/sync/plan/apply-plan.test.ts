import { describe, expect, test } from "vitest";
import { loadInto } from "../../helpers/migration.js";
import { applied, expectRefused, rowsIn, savedPlan } from "../../helpers/plan-files.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";

const [warp, weft] = [1, 2];
const PLAIN = { concurrency: 1 } as const;

test("a plan is carried out as it stands: the requests that were planned, and nothing the second time", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(warp, { introduction: "See [guide|2|the other]." });
  const file = await savedPlan(pair, PLAIN);
  const rows = await rowsIn(file);
  const planned = rows.reduce((sum, { requests }) => sum + requests, 0);
  expect(rows.every(({ requests, operations }) => requests === 0 || operations.length > 0)).toBe(true);
  expect(await applied(pair, file, PLAIN)).toMatchObject({ failed: 0, writes: planned });
  expect(pair.writes()).toHaveLength(planned);
  expect(await applied(pair, file, PLAIN)).toMatchObject({ failed: 0, writes: 0 });
  expect((await pair.verify()).differences).toEqual([]);
});

test("the source moved, and the items that changed, are new and are gone are named", async () => {
  const pair = await twoGuides();
  const file = await savedPlan(pair);
  const { edit } = pair.source;
  edit.guide(warp, { summary: "New." });
  await expectRefused(pair, file, /guide\/1 "Warp" changed/);
  edit.guide(warp, { summary: "" });
  const made = edit.createGuide({ category: "Looms", type: "how-to", subject: "s", title: "New" });
  await expectRefused(pair, file, /guide\/3 "New" is new/);
  edit.deleteGuide(made);
  edit.deleteGuide(weft);
  edit.wiki("WIKI", "Sheds", { contents: "." });
  await expectRefused(pair, file, /guide\/2 "Weft" was deleted/);
  await expectRefused(pair, file, /wiki\/WIKI\/Sheds "Sheds" changed/);
});

describe("the target moved", () => {
  const id = (pair: Pair): number => pair.guide("Warp").guideid;
  test.each<[string, (pair: Pair) => void, RegExp]>([
    ["a guide", (pair) => pair.target.edit.guide(id(pair), { summary: "Theirs." }), /guide\/1 "Warp" changed/],
    [
      "a step",
      (pair) => pair.target.edit.step(id(pair), pair.guide("Warp").steps[0]?.stepid ?? 0, { title: "Theirs" }),
      /guide\/1 "Warp" changed/,
    ],
    ["a tag", (pair) => pair.target.edit.setGuideTags(id(pair), ["theirs"]), /guide\/1 "Warp" changed/],
    ["a deletion", (pair) => pair.target.edit.deleteGuide(id(pair)), /guide\/1 "Warp" was deleted/],
    ["a page's tag", ({ target }) => target.edit.setWikiTags("WIKI", "Sheds", ["theirs"]), /Sheds" changed/],
    ["a page", ({ target }) => target.edit.wiki("WIKI", "Sheds", { contents: "Theirs." }), /Sheds" changed/],
  ])("in %s that was to be changed, before or after the edit at the source", async (_what, edit, reason) => {
    // Rows of guides have tags in this dialect only, and no revision moves with a tag.
    const pair = await twoGuides({ target: { dialect: "dozuki" } });
    await pair.run();
    pair.source.edit.guide(warp, { summary: "New." });
    pair.source.edit.wiki("WIKI", "Sheds", { contents: "New." });
    const file = await savedPlan(pair);
    edit(pair);
    await expectRefused(pair, file, reason);
  });

  test("is carried out when it was planned after their edits, as --on-conflict says", async () => {
    const pair = await twoGuides();
    await pair.run();
    pair.source.edit.guide(warp, { summary: "New." });
    pair.source.edit.wiki("WIKI", "Sheds", { contents: "New." });
    pair.target.edit.guide(id(pair), { summary: "Theirs." });
    pair.target.edit.deleteWiki("WIKI", "Sheds");
    expect(await applied(pair, await savedPlan(pair))).toMatchObject({ failed: 0, recreated: 1 });
    expect(pair.guide("Warp")).toMatchObject({ summary: "Theirs." });
  });

  test("and what is left alone there may move as it likes", async () => {
    const pair = await twoGuides();
    await pair.run();
    pair.source.edit.guide(warp, { summary: "New." });
    const file = await savedPlan(pair);
    pair.target.edit.guide(pair.guide("Weft").guideid, { summary: "Theirs." });
    expect(await applied(pair, file)).toMatchObject({ failed: 0 });
    expect(pair.guide("Warp")).toMatchObject({ summary: "New." });
  });

  test("since a page stands there that the plan would make", async () => {
    const pair = await twoGuides();
    const file = await savedPlan(pair);
    pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
    await expectRefused(pair, file, /category\/Looms "Looms" exists now/);
  });

  test("since a page changed that the plan would link to", async () => {
    const pair = await twoGuides();
    pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
    const file = await savedPlan(pair);
    pair.target.edit.wiki("WIKI", "Sheds", { contents: "Theirs, once more." });
    await expectRefused(pair, file, /wiki\/WIKI\/Sheds "Sheds" changed/);
  });
});

test("a plan that would be another one today is refused: other options, and what another run did meanwhile", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(warp, { introduction: "See [link|https://old.example/Guide/99|it]." });
  const file = await savedPlan(pair);
  await expectRefused(pair, file, /would differ from this one.*guide\/1/s, { dangling: "label" });
  await loadInto(pair.target, pair.workspace);
  await expectRefused(pair, file, /target changed|would differ/);
});

test("what comes up while a plan is carried out is not sent, and the item counts as failed", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(warp, { summary: "New." });
  pair.source.edit.guide(weft, { summary: "New too." });
  const file = await savedPlan(pair);
  const [id, before] = [pair.guide("Warp").guideid, pair.writes().length];
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "PATCH" || path !== `/guides/${id}`) return undefined;
    // Made anew it would be another guide, with steps and all.
    pair.target.faults.clear();
    pair.target.edit.deleteGuide(id);
    return undefined;
  });
  expect(await applied(pair, file, PLAIN)).toMatchObject({ failed: 1 });
  expect(pair.guide("Weft")).toMatchObject({ summary: "New too." });
  expect(pair.writes().slice(before)).toEqual([`PATCH /guides/${id}`, `PATCH /guides/${pair.guide("Weft").guideid}`]);
});

test("what is gone at the source is deleted when the plan says so, and somebody's edit there keeps it", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteGuide(weft);
  const all = { deleteRemoved: true, maxDeletions: { share: 1 } } as const;
  const kept = await rowsIn(await savedPlan(pair));
  expect(kept).toContainEqual(expect.objectContaining({ key: "guide/2", action: "gone", operations: [] }));
  const file = await savedPlan(pair, all);
  expect(await rowsIn(file)).toContainEqual(expect.objectContaining({ key: "guide/2", action: "delete", requests: 1 }));
  pair.target.edit.guide(pair.guide("Weft").guideid, { summary: "Theirs." });
  await expectRefused(pair, file, /guide\/2 "Weft" changed/, all);
  const again = await savedPlan(pair, all);
  expect(await rowsIn(again)).toContainEqual(
    expect.objectContaining({ key: "guide/2", action: "gone", edited: ["guide/2"] }),
  );
});

test("a deletion that the plan holds is carried out, and once", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.deleteGuide(weft);
  const all = { deleteRemoved: true, maxDeletions: { share: 1 } } as const;
  const file = await savedPlan(pair, all);
  expect(await applied(pair, file, all)).toMatchObject({ failed: 0, deletedAtSource: { deleted: 1 } });
  expect(pair.target.state().guides.map(({ title }) => title)).toEqual(["Warp"]);
  expect(await applied(pair, file, all)).toMatchObject({ failed: 0, writes: 0 });
});

test("what somebody deleted at the target is planned anew, and made when the plan is carried out", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(weft, { prerequisites: [warp] });
  await pair.run();
  pair.target.edit.deleteGuide(pair.guide("Warp").guideid);
  const file = await savedPlan(pair);
  expect(await rowsIn(file)).toContainEqual(
    expect.objectContaining({
      key: "guide/1",
      action: "create",
      issues: expect.arrayContaining([expect.objectContaining({ code: "deleted-at-target" })]),
    }),
  );
  expect(await applied(pair, file)).toMatchObject({ failed: 0, recreated: 1 });
  expect((await pair.verify()).differences).toEqual([]);
});

test.each(["adopt", "update"] as const)(
  "a guide of the same title that is there already is planned as %s says, and refused when it moved",
  async (onExisting) => {
    const pair = await twoGuides();
    pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
    const theirs = pair.target.edit.createGuide({ category: "Looms", type: "how-to", subject: "Warp", title: "Warp" });
    const options = { match: "title", onExisting } as const;
    const file = await savedPlan(pair, options);
    const action = onExisting === "adopt" ? "adopt" : "change";
    expect(await rowsIn(file)).toContainEqual(
      expect.objectContaining({ key: "guide/1", action, places: [expect.objectContaining({ id: String(theirs) })] }),
    );
    pair.target.edit.guide(theirs, { summary: "Theirs." });
    await expectRefused(pair, file, /guide\/1 "Warp" changed/, options);
    expect(await applied(pair, await savedPlan(pair, options), options)).toMatchObject({ failed: 0 });
    expect(pair.target.state().guides.filter(({ title }) => title === "Warp")).toHaveLength(1);
  },
);
