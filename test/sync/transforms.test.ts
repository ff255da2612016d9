import { describe, expect, it } from "vitest";
import type { Transform } from "../../src/core/formats.js";
import type { Item } from "../../src/core/model/item.js";
import { inspectWorkspace } from "../../src/storage/workspace/inspect.js";
import { issuesOf, planAt } from "../helpers/migration.js";
import { type Pair, twoGuides } from "../helpers/small-sites.js";

/** Gives the category of the sample another title. */
const renamed =
  (title: string): Transform =>
  (item) => [item.key === "category/Looms" && item.kind === "category" ? withTitle(item, title) : item];

function withTitle<I extends Extract<Item, { readonly kind: "category" }>>(item: I, title: string): I {
  return { ...item, body: { ...item.body, title } };
}

/** Goes wrong on the guide of this title. */
const failing =
  (title: string): Transform =>
  (item) => {
    if (item.kind === "guide" && item.body.title === title) throw new Error("no idea what to do");
    return [item];
  };

const without =
  (title: string): Transform =>
  (item) =>
    item.kind === "guide" && item.body.title === title ? [] : [item];

/** The categories of the target's guides, and of the pages there. */
function stands({ target }: Pair) {
  const { guides, wikis } = target.state();
  const categories = wikis.filter((wiki) => wiki["namespace"] === "CATEGORY").map((wiki) => wiki["title"]);
  return { of: [...new Set(guides.map((guide) => guide["category"]))], categories };
}

describe("an item that a transform fails on", () => {
  it("is a listed failure and the only one, and goes when the transform is mended", async () => {
    const pair = await twoGuides();
    const summary = await pair.run({ transforms: [failing("Warp")] });
    expect(summary).toMatchObject({ failed: 1, refused: 0 });
    expect(pair.target.state().guides.map((guide) => guide["title"])).toEqual(["Weft"]);
    const listed = async () => (await inspectWorkspace(pair.workspace)).failures.list();
    expect(await listed()).toMatchObject([{ stage: "load", key: "guide/1", reason: expect.stringMatching(/no idea/) }]);
    const planned = await planAt(pair.target, pair.workspace, { transforms: [failing("Warp")] });
    expect(planned.items.filter(({ action }) => action === "refuse")).toMatchObject([
      { key: "guide/1", issues: [{ code: "transform-failed", message: "no idea what to do" }] },
    ]);
    expect((await pair.verify({ transforms: [failing("Warp")] })).differences).toMatchObject([
      { key: "guide/1", actual: "no idea what to do" },
    ]);
    expect(await pair.run()).toMatchObject({ failed: 0 });
    expect(await listed()).toEqual([]);
    expect(pair.target.state().guides).toHaveLength(2);
  });
});

describe("an item that a transform leaves out", () => {
  it("is not sent and told so, and what refers to it leads to the old site", async () => {
    const pair = await twoGuides();
    pair.source.edit.guide(2, { introduction: "[guide|1|Warp]" });
    expect(await pair.run({ transforms: [without("Warp")] })).toMatchObject({ failed: 0, refused: 0 });
    expect(pair.target.state().guides.map((guide) => guide["title"])).toEqual(["Weft"]);
    expect(String(pair.guide("Weft")["introduction"])).toMatch(/^\[http.*\|Warp\]$/);
    expect(await issuesOf(pair, "guide/1")).toMatchObject([{ code: "left-out", level: "note" }]);
    expect((await pair.verify({ transforms: [without("Warp")] })).differences).toEqual([]);
  });
});

describe("an item that a transform splits", () => {
  const split: Transform = (item) => {
    if (item.kind !== "guide" || item.body.title !== "Warp") return [item];
    const [first, ...rest] = item.body.steps;
    const half = (steps: readonly (typeof first)[]) => steps.filter((step) => step !== undefined);
    return [
      { ...item, body: { ...item.body, steps: half([first]) } },
      { ...item, key: `${item.key}+2`, body: { ...item.body, title: "Warp, continued", steps: half(rest) } },
    ];
  };

  it("goes in its pieces, once", async () => {
    const pair = await twoGuides();
    await pair.run({ transforms: [split] });
    expect(pair.guide("Warp").steps).toHaveLength(1);
    expect(pair.guide("Warp, continued").steps).toHaveLength(1);
    expect(await pair.run({ transforms: [split] })).toMatchObject({ writes: 0 });
    expect((await pair.verify({ transforms: [split] })).differences).toEqual([]);
  });
});

describe("a transform that is taken up, changed or left out", () => {
  const summed: Transform = (item) => [
    item.kind === "guide" && item.body.title === "Warp" ? { ...item, body: { ...item.body, summary: "Sum." } } : item,
  ];

  it("makes only those writes anew that it touches", async () => {
    const pair = await twoGuides();
    await pair.run();
    const { guideid } = pair.guide("Warp");
    const before = pair.writes().length;
    await pair.run({ transforms: [summed] });
    expect(pair.writes().slice(before)).toEqual([`PATCH /guides/${guideid}`]);
    expect(pair.guide("Warp")["summary"]).toBe("Sum.");
    expect(await pair.run({ transforms: [summed] })).toMatchObject({ writes: 0 });
    expect((await pair.verify({ transforms: [summed] })).differences).toEqual([]);
    expect((await pair.verify()).differences.map(({ path }) => path)).toEqual(["summary"]);
    expect(await pair.run()).toMatchObject({ writes: 1 });
    expect(pair.guide("Warp")["summary"]).toBe("");
  });
});

describe("a page that a transform gives another title", () => {
  it("is made under that one, and all that names it follows", async () => {
    const pair = await twoGuides();
    pair.source.edit.guide(1, { introduction: "[[Category:Looms|all looms]]" });
    const transforms = [renamed("Weaving")];
    await pair.run({ transforms });
    expect(stands(pair)).toEqual({ of: ["Weaving"], categories: ["Weaving"] });
    expect(pair.guide("Warp")["introduction"]).toBe("[[Category:Weaving|all looms]]");
    expect(await pair.run({ transforms })).toMatchObject({ writes: 0 });
    expect((await pair.verify({ transforms })).differences).toEqual([]);
  });

  it("is made anew when it stands under its old one, which the report names, and found again on the way back", async () => {
    const pair = await twoGuides();
    pair.source.edit.guide(1, { introduction: "[[Category:Looms|all looms]]" });
    await pair.run();
    const transforms = [renamed("Weaving")];
    const steps = (await planAt(pair.target, pair.workspace, { transforms })).items.flatMap((item) => item.steps);
    expect(steps).toHaveLength(3);
    expect(await pair.run({ transforms })).toMatchObject({ writes: 3, failed: 0 });
    expect(stands(pair)).toEqual({ of: ["Weaving"], categories: ["Looms", "Weaving"] });
    expect(pair.guide("Warp")["introduction"]).toBe("[[Category:Weaving|all looms]]");
    expect((await issuesOf(pair, "category/Looms")).map(({ code }) => code)).toContain("old-title-left");
    expect(await pair.run({ transforms })).toMatchObject({ writes: 0 });
    const before = pair.writes().length;
    await pair.run();
    expect(pair.writes().slice(before)).toContain("PATCH /wikis/CATEGORY/Looms");
    expect(stands(pair)).toEqual({ of: ["Looms"], categories: ["Looms", "Weaving"] });
    expect((await pair.verify()).differences).toEqual([]);
    pair.source.edit.wiki("CATEGORY", "Looms", { contents: "More on looms." });
    await pair.run();
    expect((await pair.verify()).differences).toEqual([]);
  });

  it("is looked for under its new title when the answer to its creation was lost", async () => {
    const pair = await twoGuides();
    pair.target.faults.inject({ kind: "reset", applied: true }, { method: "POST", path: "/wikis" });
    const transforms = [renamed("Weaving")];
    expect(await pair.run({ transforms })).toMatchObject({ failed: 0, adopted: 0 });
    expect(stands(pair)).toEqual({ of: ["Weaving"], categories: ["Weaving"] });
    expect((await pair.verify({ transforms })).differences).toEqual([]);
  });

  it("leaves a guide waiting for it where it could not be made, and the next run moves the guide", async () => {
    const pair = await twoGuides();
    await pair.run();
    pair.target.faults.inject({ kind: "status", status: 403 }, { method: "POST", path: "/wikis" });
    const transforms = [renamed("Weaving")];
    expect(await pair.run({ transforms })).toMatchObject({ failed: 1 });
    expect(stands(pair)).toEqual({ of: ["Looms"], categories: ["Looms"] });
    expect(await pair.run({ transforms })).toMatchObject({ failed: 0 });
    expect(stands(pair)).toEqual({ of: ["Weaving"], categories: ["Looms", "Weaving"] });
    expect(await pair.run({ transforms })).toMatchObject({ writes: 0 });
  });

  it("joins a page of that title that was there before, as --on-existing says", async () => {
    const pair = await twoGuides();
    pair.target.edit.createWiki({ namespace: "CATEGORY", title: "Weaving", contents: "Theirs." });
    const transforms = [renamed("Weaving")];
    expect(await pair.run({ transforms })).toMatchObject({ adopted: 1 });
    expect(stands(pair)).toEqual({ of: ["Weaving"], categories: ["Weaving"] });
    expect(await pair.run()).toMatchObject({ adopted: 0 });
    expect(stands(pair)).toEqual({ of: ["Looms"], categories: ["Looms", "Weaving"] });
    expect((await issuesOf(pair, "category/Looms")).map(({ code }) => code)).not.toContain("old-title-left");
  });
});
