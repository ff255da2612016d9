import { expect, test } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import { isSilent } from "../../helpers/conflicts.js";
import { issuesOf, type MigrationOptions } from "../../helpers/migration.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";

const SHEDS: Key = "wiki/WIKI/Sheds";
const MERGE: MigrationOptions = { onConflict: "merge" };

async function loaded(): Promise<Pair> {
  const pair = await twoGuides();
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "By hand." });
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Tools", contents: "All." });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  await pair.run();
  return pair;
}

function page(pair: Pair, title: string): Readonly<Record<string, unknown>> | undefined {
  return pair.target.state().wikis.find((wiki) => wiki["title"] === title);
}

async function codesOf(pair: Pair, key: Key): Promise<readonly Issue[]> {
  return (await issuesOf(pair, key)).filter(({ code }) => code.startsWith("merge-") || code === "conflict-skipped");
}

test("fields of a page that only one side changed come together, and the next run writes nothing", async () => {
  const pair = await loaded();
  pair.target.edit.wiki("WIKI", "Sheds", { description: "Theirs." });
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "Ours." });
  await pair.run(MERGE);
  expect(page(pair, "Sheds")).toMatchObject({ description: "Theirs.", contents: "Ours." });
  expect(await codesOf(pair, SHEDS)).toMatchObject([{ code: "merge-kept-theirs", path: "description" }]);
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "Ours again." });
  await pair.run({ onConflict: "skip" });
  expect(page(pair, "Sheds")).toMatchObject({ description: "Theirs.", contents: "Ours again." });
});

test("contents that both changed are a clash with the three texts until the sides are equal", async () => {
  const pair = await loaded();
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "Ours.", display_title: "The sheds" });
  pair.target.edit.wiki("WIKI", "Sheds", { contents: "Theirs." });
  await pair.run(MERGE);
  expect(page(pair, "Sheds")).toMatchObject({ contents: "Theirs.", displayTitle: "The sheds" });
  expect(await codesOf(pair, SHEDS)).toMatchObject([
    { code: "merge-clash", path: "contents", texts: { base: "On sheds.", theirs: "Theirs.", ours: "Ours." } },
  ]);
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
  pair.target.edit.wiki("WIKI", "Sheds", { contents: "Ours." });
  await pair.run(MERGE);
  expect(await codesOf(pair, SHEDS)).toEqual([]);
  await isSilent(pair);
});

test("flags and the page's own title merge beside a clash of contents, which outlives them", async () => {
  const pair = await loaded();
  pair.target.edit.wiki("WIKI", "Sheds", { contents: "Theirs." });
  pair.source.edit.wiki("WIKI", "Sheds", { contents: "Ours." });
  await pair.run(MERGE);
  pair.source.edit.wiki("WIKI", "Sheds", { flags: ["WIKI_STUB"] });
  await pair.run(MERGE);
  expect(page(pair, "Sheds")).toMatchObject({ contents: "Theirs." });
  expect(await codesOf(pair, SHEDS)).toMatchObject([
    { code: "merge-clash", path: "contents", texts: { base: "On sheds.", theirs: "Theirs.", ours: "Ours." } },
  ]);
  await isSilent(pair);
  expect((await pair.verify()).differences).toEqual([]);
});

test("a category that they moved stays there, and is a clash where it is to go elsewhere", async () => {
  const pair = await loaded();
  const key: Key = "category/Hand Looms";
  pair.target.edit.setParent("CATEGORY", "Hand Looms", null);
  pair.source.edit.wiki("CATEGORY", "Hand Looms", { contents: "Ours." });
  await pair.run(MERGE);
  expect(page(pair, "Hand Looms")).toMatchObject({ contents: "Ours." });
  expect(pair.target.state().hierarchy["Looms"] ?? []).toEqual([]);
  expect(await codesOf(pair, key)).toMatchObject([{ code: "merge-kept-theirs", path: "parent" }]);
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Tools");
  await pair.run(MERGE);
  expect(pair.target.state().hierarchy["Tools"]).toBeUndefined();
  expect(await codesOf(pair, key)).toContainEqual(expect.objectContaining({ code: "merge-clash", path: "parent" }));
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
  await isSilent(pair, "skip");
});

test("a category moves by us although they changed its text", async () => {
  const pair = await loaded();
  pair.target.edit.wiki("CATEGORY", "Hand Looms", { contents: "Theirs." });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Tools");
  await pair.run(MERGE);
  expect(pair.target.state().hierarchy).toMatchObject({ Tools: ["Hand Looms"] });
  expect(page(pair, "Hand Looms")).toMatchObject({ contents: "Theirs." });
  expect((await pair.verify()).differences).toEqual([]);
  await isSilent(pair);
});

test("an adopted page is named with its differences", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs.", description: "Of sheds." });
  expect(await pair.run()).toMatchObject({ adopted: 1 });
  expect(await issuesOf(pair, SHEDS)).toMatchObject([
    {
      code: "existing-adopted",
      message: expect.stringMatching(/contents: "Theirs\." on the target, "On sheds\." at the source/),
    },
  ]);
});
