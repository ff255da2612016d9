import { expect, test } from "vitest";
import { mappingTransforms } from "../../../src/commands/session/transforms.js";
import type { Transform } from "../../../src/core/formats.js";
import { issuesOf, planAt } from "../../helpers/migration.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";
import { SOURCE } from "../../transforms/steps/run-transform.js";

type Pairs = Readonly<Record<string, string>>;

/** What the flags come to at a source whose categories are called so. */
function mapped(
  pair: Pair,
  { types = {}, categories = {} }: { types?: Pairs; categories?: Pairs },
): readonly Transform[] {
  const titles = new Set(pair.source.state().wikis.map((wiki) => `category/${String(wiki["title"])}`));
  const origin = pair.source.url.replace(/\/api.*/, "");
  const source = { ...SOURCE, root: pair.source.url, origin, hosts: [new URL(origin).host] };
  const titleOf = (key: string) => (titles.has(key) ? key.slice("category/".length) : undefined);
  return mappingTransforms({ typeMap: types, categoryMap: categories }).map((make) => make({ source, titleOf }));
}

function guides(pair: Pair): readonly (readonly unknown[])[] {
  return pair.target
    .state()
    .guides.map((guide) => [guide["title"], guide["category"], guide["type"]])
    .toSorted();
}

test.each(["dozuki", "ifixit"] as const)(
  "a type that a %s site is not set to is refused with what to do, and goes by a map",
  async (dialect) => {
    const pair = await twoGuides({ target: { dialect, guideTypes: ["technique"] } });
    expect(await pair.run({ fit: "refuse" })).toMatchObject({ refused: 2 });
    expect(await issuesOf(pair, "guide/1")).toContainEqual(
      expect.objectContaining({ code: "guide-type", remedy: expect.stringContaining('--type-map "how-to=technique"') }),
    );
    const transforms = mapped(pair, { types: { "how-to": "technique" } });
    const planned = await planAt(pair.target, pair.workspace, { transforms, fit: "refuse" });
    expect(planned.items.find(({ key }) => key === "guide/1")).toMatchObject({
      action: "create",
      issues: expect.arrayContaining([
        expect.objectContaining({ code: "type-renamed", message: expect.stringContaining("technique") }),
      ]),
    });
    await pair.run({ transforms, fit: "refuse" });
    expect(guides(pair)).toEqual([
      ["Warp", "Looms", "technique"],
      ["Weft", "Looms", "technique"],
    ]);
    expect((await pair.run({ transforms, fit: "refuse" })).writes).toBe(0);
    expect((await pair.verify({ transforms, fit: "refuse" })).differences).toEqual([]);
  },
);

test("a changed type map writes again those guides that it touches, and nothing else", async () => {
  const pair = await twoGuides();
  pair.source.edit.guide(2, { type: "technique" });
  await pair.run({ transforms: mapped(pair, { types: { "how-to": "repair" } }) });
  const before = pair.writes().length;
  await pair.run({ transforms: mapped(pair, { types: { "how-to": "teardown" } }) });
  expect(pair.writes().slice(before)).toEqual([`PATCH /guides/${pair.guide("Warp").guideid}`]);
  expect(guides(pair)).toEqual([
    ["Warp", "Looms", "teardown"],
    ["Weft", "Looms", "technique"],
  ]);
});

test("categories of a map take their guides, children and links along, and the plan tells each guide's new one", async () => {
  const pair = await twoGuides();
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Hand Looms", contents: "See [[Category:Looms|all]]." });
  pair.source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  pair.source.edit.moveGuide(2, "Hand Looms");
  const transforms = mapped(pair, { categories: { Looms: "Weaving" } });
  await pair.run({ transforms });
  expect(guides(pair).map(([title, category]) => [title, category])).toEqual([
    ["Warp", "Weaving"],
    ["Weft", "Hand Looms"],
  ]);
  const page = pair.target.state().wikis.find((wiki) => wiki["title"] === "Hand Looms");
  expect(page).toMatchObject({ contents: "See [[Category:Weaving|all]].", parent: "Weaving" });
  expect(await issuesOf(pair, "guide/1")).toContainEqual(
    expect.objectContaining({
      code: "category-renamed",
      path: "category",
      message: expect.stringContaining("Weaving"),
    }),
  );
  expect((await pair.run({ transforms })).writes).toBe(0);
  expect((await pair.verify({ transforms })).differences).toEqual([]);
});

test("two categories of one new title: guides of both go into it, and the second one's page is left out and listed", async () => {
  const pair = await twoGuides();
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "Spindles", contents: "On spindles." });
  pair.source.edit.moveGuide(2, "Spindles");
  const transforms = mapped(pair, { categories: { Looms: "Weaving", Spindles: "Weaving" } });
  await pair.run({ transforms });
  expect(guides(pair).map(([, category]) => category)).toEqual(["Weaving", "Weaving"]);
  const pages = pair.target.state().wikis.filter((wiki) => wiki["namespace"] === "CATEGORY");
  expect(pages).toMatchObject([{ title: "Weaving", contents: "On looms." }]);
  expect(await issuesOf(pair, "category/Spindles")).toContainEqual(
    expect.objectContaining({ code: "category-merged", level: "loss", message: expect.stringContaining("Weaving") }),
  );
  expect((await pair.run({ transforms })).writes).toBe(0);
});

test("a title that no category can have is refused by the name of the flag", () => {
  expect(() => mappingTransforms({ typeMap: {}, categoryMap: { Looms: "a/b" } })).toThrow(/^--category-map: "Looms"/);
});
