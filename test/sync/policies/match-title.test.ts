import { expect, test } from "vitest";
import type { MigrationOptions } from "../../helpers/migration.js";
import { issuesOf } from "../../helpers/migration.js";
import { type Pair, stepBody, stepIds, twoGuides } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";

const MATCH: MigrationOptions = { match: "title" };

/**
 * The target has a guide of the title of one of the two, with three steps; the category is there
 * too.
 */
async function withTheirs(titles: readonly string[] = ["Warp"]): Promise<Pair & { readonly theirs: number }> {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Theirs." });
  const ids = titles.map((title) => {
    const id = pair.target.edit.createGuide({ category: "Looms", type: "how-to", subject: "Their subject", title });
    for (const [index, text] of ["One.", "Two.", "Three."].entries())
      pair.target.edit.addStep(id, stepBody(index + 1, text));
    return id;
  });
  return { ...pair, theirs: ids[0] ?? 0 };
}

const textsOf = (pair: Pair, title: string): readonly unknown[] =>
  pair.guide(title).steps.map(({ lines }) => lines[0]?.text);

test("without --match a guide is made beside one of the same title", async () => {
  const pair = await withTheirs();
  await pair.run();
  expect(
    pair.target
      .state()
      .guides.map(({ title }) => title)
      .toSorted(),
  ).toEqual(["Warp", "Warp", "Weft"]);
});

test("the one guide of the title is adopted untouched, named with its differences, and referred to; nothing is written below it", async () => {
  const pair = await withTheirs();
  pair.source.edit.guide(2, { prerequisites: [1] });
  pair.source.edit.setGuideTags(1, ["wool"]);
  const before = JSON.stringify(pair.guide("Warp"));
  expect(await pair.run(MATCH)).toMatchObject({ failed: 0, adopted: 2 });
  expect(JSON.stringify(pair.guide("Warp"))).toBe(before);
  expect(pair.guide("Weft")).toMatchObject({ prerequisites: [pair.theirs], public: true });
  expect(await issuesOf(pair, "guide/1")).toMatchObject([
    {
      code: "existing-adopted",
      level: "note",
      message: expect.stringMatching(
        /subject: "Their subject" on the target, "Warp" at the source; difficulty: .* Its steps \(3\) were not compared\./,
      ),
    },
    { code: "private-at-target", level: "loss" },
  ]);
  expect((await pair.verify(MATCH)).differences).toEqual([]);
  pair.source.edit.guide(1, { summary: "Changed." });
  pair.source.edit.step(1, stepIds(pair.source, 1)[0] ?? 0, { title: "Changed" });
  expect(await pair.run(MATCH)).toMatchObject({ failed: 0, writes: 0 });
});

test("the one guide of the title is written over with --on-existing update: fields, steps by their place, and no step more", async () => {
  const pair = await withTheirs();
  pair.target.edit.setPublic(pair.theirs, true);
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0, adopted: 0, heldBack: [] });
  expect(pair.target.state().guides).toHaveLength(2);
  expect(pair.guide("Warp")).toMatchObject({ guideid: pair.theirs, subject: "Warp", public: true });
  expect(textsOf(pair, "Warp")).toEqual(["First.", "Second."]);
  expect((await pair.verify(MATCH)).differences).toEqual([]);
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0, writes: 0 });
  pair.source.edit.step(1, stepIds(pair.source, 1)[1] ?? 0, { lines: [{ text: "New.", bullet: "black", level: 0 }] });
  await pair.run();
  expect(textsOf(pair, "Warp")).toEqual(["First.", "New."]);
});

test("a public guide that is written over with one that is private at the source is private from the first write on", async () => {
  const pair = await withTheirs();
  pair.target.edit.setPublic(pair.theirs, true);
  pair.source.edit.setPublic(1, false);
  const seen: unknown[] = [];
  pair.target.faults.decide(({ method, path }) => {
    if (method === "PATCH" && path.startsWith(`/guides/${pair.theirs}`)) seen.push(pair.guide("Warp")["public"]);
    return undefined;
  });
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0 });
  expect(new Set(seen)).toEqual(new Set([false]));
  expect(pair.guide("Warp")).toMatchObject({ subject: "Warp", public: false });
  expect((await pair.verify(MATCH)).differences).toEqual([]);
  await undoAt(pair.target, pair.workspace);
  expect(pair.guide("Warp")).toMatchObject({ subject: "Their subject", public: true });
  expect(textsOf(pair, "Warp")).toEqual(["One.", "Two.", "Three."]);
});

test("what was adopted is written over by a later run with --on-existing update, with more steps than it had", async () => {
  const pair = await withTheirs();
  await pair.run(MATCH);
  pair.source.edit.addStep(1, stepBody(3, "Third."));
  pair.source.edit.addStep(1, stepBody(4, "Fourth."));
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0, heldBack: [] });
  expect(textsOf(pair, "Warp")).toEqual(["First.", "Second.", "Third.", "Fourth."]);
  expect((await pair.verify(MATCH)).differences).toEqual([]);
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0, writes: 0 });
});

test("a step more than ours that somebody edits meanwhile stays and is listed", async () => {
  const pair = await withTheirs();
  const surplus = stepIds(pair.target, pair.theirs)[2] ?? 0;
  let once = true;
  pair.target.faults.decide(({ method, path }) => {
    if (once && method === "PATCH" && /\/steps\//.test(path)) {
      once = false;
      pair.target.edit.step(pair.theirs, surplus, { title: "Theirs" });
    }
    return undefined;
  });
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0 });
  expect(textsOf(pair, "Warp")).toEqual(["First.", "Second.", "Three."]);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({ code: "conflict-skipped", path: "steps.others" }),
  );
  expect((await pair.verify(MATCH)).differences).toEqual([]);
});

test("a step whose revision changes with each request is not deleted for ever: it stays and is listed", async () => {
  const pair = await withTheirs();
  const surplus = stepIds(pair.target, pair.theirs)[2] ?? 0;
  let tries = 0;
  pair.target.faults.decide(({ method, path }) => {
    if (method !== "DELETE" || !path.endsWith(`/steps/${surplus}`)) return undefined;
    tries += 1;
    if (tries > 30) return undefined;
    for (const title of ["Another", ""]) pair.target.edit.step(pair.theirs, surplus, { title });
    return undefined;
  });
  expect(await pair.run({ ...MATCH, onExisting: "update" })).toMatchObject({ failed: 0 });
  expect(tries).toBeLessThanOrEqual(5);
  expect(textsOf(pair, "Warp")).toEqual(["First.", "Second.", "Three."]);
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({ code: "conflict-skipped", path: "steps.others" }),
  );
});

test("--on-existing fail and several guides of the title fail the item, name them, and make nothing", async () => {
  const one = await withTheirs();
  expect(await one.run({ ...MATCH, onExisting: "fail" })).toMatchObject({ failed: 2 });
  expect(one.target.state().guides.map(({ title }) => title)).toEqual(["Warp", "Weft"]);
  expect(textsOf(one, "Warp")).toEqual(["One.", "Two.", "Three."]);
  const several = await withTheirs(["Warp", "Warp"]);
  expect(await several.run(MATCH)).toMatchObject({ failed: 1 });
  expect(
    several.target
      .state()
      .guides.map(({ title }) => title)
      .toSorted(),
  ).toEqual(["Warp", "Warp", "Weft"]);
});

test("a guide that stands for another one of the source already is no candidate, nor is one of another category or type", async () => {
  const pair = await withTheirs(["Warp"]);
  pair.source.edit.createGuide({ category: "Looms", type: "how-to", subject: "Twin", title: "Warp" });
  pair.target.edit.createGuide({ category: "Looms", type: "repair", subject: "x", title: "Weft" });
  expect(await pair.run({ ...MATCH, concurrency: 1 })).toMatchObject({ failed: 0, adopted: 2 });
  expect(
    pair.target
      .state()
      .guides.map(({ title }) => title)
      .toSorted(),
  ).toEqual(["Warp", "Warp", "Weft", "Weft"]);
  expect(await pair.run(MATCH)).toMatchObject({ failed: 0, writes: 0 });
});
