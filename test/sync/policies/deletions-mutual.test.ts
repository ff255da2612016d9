import { expect, test } from "vitest";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";
import { undoAt } from "../../helpers/undo.js";
import { contentsOf } from "../undo/contents.js";

const ALL = { deleteRemoved: true, maxDeletions: { share: 1 } } as const;

test("--delete-removed deletes two guides that need each other: what the site itself takes out of the second is nobody's edit", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(2, { prerequisites: [1] });
  pair.source.edit.guide(1, { prerequisites: [2] });
  await pair.run();
  for (const id of [1, 2]) pair.source.edit.deleteGuide(id);
  const before = contentsOf(pair.target);
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { listed: 2, deleted: 2 } });
  expect(pair.target.state().guides).toEqual([]);
  await undoAt(pair.target, pair.workspace);
  expect(contentsOf(pair.target)).toEqual(before);
  // Then the run that made them can be undone too.
  expect((await undoAt(pair.target, pair.workspace)).refusals).toEqual([]);
  expect(pair.target.state()).toMatchObject({ guides: [], wikis: [] });
});

test("--delete-removed leaves a guide that somebody gave another prerequisite, or none", async () => {
  for (const prerequisites of [[], [2, 3]]) {
    const pair = await twoGuides();
    pair.source.edit.createGuide({
      category: "Looms",
      type: "how-to",
      subject: "T",
      title: "Third",
      difficulty: "Easy",
    });
    pair.source.edit.guide(1, { prerequisites: [2] });
    await pair.run();
    const ids = Object.fromEntries(["Weft", "Third"].map((title, at) => [at + 2, pair.guide(title).guideid]));
    pair.target.edit.guide(pair.guide("Warp").guideid, { prerequisites: prerequisites.map((id) => ids[id] ?? 0) });
    for (const id of [1, 2]) pair.source.edit.deleteGuide(id);
    expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { listed: 2 } });
    expect(pair.target.state().guides.map(({ title }) => title)).toContain("Warp");
  }
});

test.each([
  ["commented on", (pair: Pair) => void pair.target.edit.comment("wiki", pageId(pair), "A comment of theirs.")],
  ["translated", ({ target }: Pair) => target.edit.translateWiki("WIKI", "Sheds", "de", { contents: "Über Fächer." })],
])("--delete-removed leaves a page that somebody %s", async (_what, edit) => {
  const pair = await twoGuides({ target: { languages: ["en", "de"] } });
  await pair.run();
  edit(pair);
  pair.source.edit.deleteWiki("WIKI", "Sheds");
  expect(await pair.run(ALL)).toMatchObject({ failed: 0, deletedAtSource: { listed: 1, deleted: 0 } });
  expect(pair.target.state().wikis.map(({ title }) => title)).toContain("Sheds");
});

function pageId({ target }: Pair): number {
  return Number(target.state().wikis.find(({ title }) => title === "Sheds")?.["wikiid"]);
}
