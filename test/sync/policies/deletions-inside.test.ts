import { expect, test } from "vitest";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";

const warp = 1;
const ALL = { deleteRemoved: true, maxDeletions: { share: 1 } } as const;

const INSIDE: readonly (readonly [string, (pair: Pair) => void])[] = [
  ["a tag", (pair) => pair.target.edit.setGuideTags(pair.guide("Warp").guideid, ["wool", "theirs"])],
  ["a comment", (pair) => void pair.target.edit.comment("guide", pair.guide("Warp").guideid, "Where is the shuttle?")],
  [
    "a comment on a step",
    (pair) => void pair.target.edit.comment("step", pair.guide("Warp").steps[0]?.stepid ?? 0, "Which hook is it?"),
  ],
];

test.each(INSIDE)(
  "a guide that is gone at the source and into which somebody put %s is left, and listed",
  async (_what, put) => {
    const pair = await twoGuides();
    pair.source.edit.setGuideTags(warp, ["wool"]);
    await pair.run();
    pair.source.edit.deleteGuide(warp);
    put(pair);
    expect(await pair.run(ALL)).toMatchObject({ deletedAtSource: { listed: 1, deleted: 0 }, failed: 0 });
    expect(pair.guide("Warp")).toMatchObject({ public: true });
  },
);

test("a guide with nothing but our own tags goes", async () => {
  const pair = await twoGuides();
  pair.source.edit.setGuideTags(warp, ["wool"]);
  await pair.run();
  pair.source.edit.deleteGuide(warp);
  expect(await pair.run(ALL)).toMatchObject({ deletedAtSource: { listed: 1, deleted: 1 }, failed: 0 });
  expect(pair.target.state().guides).toHaveLength(1);
});

test("a category that is gone at the source and in which somebody has a guide is left, and listed", async () => {
  const pair = await twoGuides();
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Spindles", contents: "On spindles." });
  await pair.run();
  pair.source.edit.deleteWiki("CATEGORY", "Spindles");
  const theirs = pair.target.edit.createGuide({
    category: "Spindles",
    type: "how-to",
    title: "Whorls",
    subject: "whorls",
  });
  pair.target.edit.setPublic(theirs, true);
  expect(await pair.run(ALL)).toMatchObject({ deletedAtSource: { listed: 1, deleted: 0 } });
  expect(pair.target.state().wikis.map(({ title }) => title)).toContain("Spindles");
});
