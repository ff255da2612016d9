import { describe, expect, it } from "vitest";
import type { Item } from "../../../src/core/model/item.js";
import { guideItem, mediaItem, wikiItem } from "../../helpers/items.js";
import { contextOf, runTransform, specOf } from "./run-transform.js";

const CONTEXT = contextOf({ "category/Looms": "Looms", "category/Winding": "Winding", "category/Old": "Old" });

function rename(titles: Readonly<Record<string, string>>, item: Item) {
  return runTransform("rename-category", { titles }, item, CONTEXT);
}

describe("rename-category", () => {
  it("gives the category another title and keeps its key, by which all that names it follows", () => {
    const looms = wikiItem("CATEGORY", "Looms", { displayTitle: "Looms", pageTitle: "Looms", parent: "Winding" });
    const done = runTransform("rename-category", { from: "Looms", to: "Weaving" }, looms, CONTEXT);
    expect(done.items).toEqual([
      { ...looms, body: { ...looms.body, title: "Weaving", displayTitle: "Weaving", pageTitle: null } },
    ]);
    expect(done.issues).toMatchObject([
      { code: "category-renamed", level: "note", key: "category/Looms", path: "title" },
    ]);
  });

  it("leaves names of its own, and everything else, as it is", () => {
    const named = wikiItem("CATEGORY", "Looms", { displayTitle: "All looms", pageTitle: "Looms of today" });
    expect(rename({ Looms: "Weaving" }, named).items).toMatchObject([
      { body: { displayTitle: "All looms", pageTitle: "Looms of today" } },
    ]);
    const others = [
      guideItem(1, { category: "Looms", introduction: "[[Category:Looms]]" }),
      wikiItem("CATEGORY", "Winding", { parent: "Looms" }),
      wikiItem("WIKI", "Looms"),
      mediaItem("image", 1),
    ];
    for (const item of others) expect(rename({ Looms: "Weaving" }, item).items[0]).toBe(item);
  });

  it("lets two categories change their titles, and one take the title that another gives up", () => {
    const titleOf = (titles: Readonly<Record<string, string>>, title: string) =>
      rename(titles, wikiItem("CATEGORY", title)).items.map((item) => item.kind === "category" && item.body.title);
    expect(titleOf({ Looms: "Winding", Winding: "Looms" }, "Looms")).toEqual(["Winding"]);
    expect(titleOf({ Looms: "Winding", Winding: "Looms" }, "Winding")).toEqual(["Looms"]);
    expect(titleOf({ Old: "Looms", Looms: "New" }, "Old")).toEqual(["Looms"]);
  });

  describe("onto the title of another category", () => {
    const MERGE = { Old: "Looms" };

    it("leaves its own page out, and reports it as a loss", () => {
      const { items, issues } = rename(MERGE, wikiItem("CATEGORY", "Old"));
      expect(items).toEqual([]);
      expect(issues).toMatchObject([{ code: "category-merged", level: "loss", key: "category/Old" }]);
      expect(issues[0]?.message).toMatch(/The category Looms exists already, so Old is merged into it/);
    });

    it("sends guides, children and links there", () => {
      const guide = guideItem(1, {
        category: "Old",
        introduction: "[[Category:Old#Section_A|o]] [guide|2|x] [image|5]",
      });
      expect(rename(MERGE, guide).items).toMatchObject([
        { body: { category: "Looms", introduction: "[[Category:Looms#Section_A|o]] [guide|2|x] [image|5]" } },
      ]);
      expect(rename(MERGE, wikiItem("CATEGORY", "Winding", { parent: "Old" })).items).toMatchObject([
        { body: { parent: "Looms" } },
      ]);
      const page = wikiItem("WIKI", "Sheds", { contents: "[[Topic:Old]] https://old.example/c/Old" });
      expect(rename(MERGE, page).items).toMatchObject([
        { body: { contents: "[[Topic:Looms]] https://old.example/c/Looms" } },
      ]);
    });

    it("puts a category that would be its own parent at the top, and says so", () => {
      const { items, issues } = rename(MERGE, wikiItem("CATEGORY", "Looms", { parent: "Old" }));
      expect(items).toMatchObject([{ body: { parent: null } }]);
      expect(issues).toMatchObject([{ code: "parent-merged", level: "loss", path: "parent" }]);
    });

    it("names the one that it joins as it is at the source when that one is renamed too", () => {
      const titles = { Looms: "Weaving", Old: "Weaving" };
      expect(rename(titles, guideItem(1, { category: "Old" })).items).toMatchObject([{ body: { category: "Looms" } }]);
      expect(rename(titles, wikiItem("CATEGORY", "Old")).issues[0]?.message).toMatch(/Weaving \(Looms at the source\)/);
    });
  });

  it("changes the title in guides and children where the category itself is not in the workspace", () => {
    expect(rename({ Gone: "Here" }, guideItem(1, { category: "Gone" })).items).toMatchObject([
      { body: { category: "Here" } },
    ]);
    expect(rename({ Gone: "Looms" }, guideItem(1, { category: "Gone" })).items).toMatchObject([
      { body: { category: "Looms" } },
    ]);
    const other = guideItem(1, { category: "Elsewhere" });
    expect(rename({ Gone: "Here" }, other).items[0]).toBe(other);
    expect(rename({ Gone: "Here" }, guideItem(1, { category: "" })).items).toMatchObject([{ body: { category: "" } }]);
  });

  it("gives for its own result that result again", () => {
    for (const titles of [{ Looms: "Weaving" }, { Old: "Looms" }]) {
      for (const item of [
        wikiItem("CATEGORY", "Looms"),
        guideItem(1, { category: "Old", introduction: "[[Category:Old]]" }),
      ]) {
        const [once] = rename(titles, item).items;
        expect(once === undefined ? undefined : rename(titles, once).items).toEqual([once]);
      }
    }
  });

  it.each([
    [{}, /expected from and to, or titles/],
    [{ from: "Looms" }, /expected from and to, or titles/],
    [{ from: "Looms", to: "A/B" }, /to.*category without/],
    [{ from: "Looms", to: " " }, /to.*expected the title/],
    [{ titles: ["Looms"] }, /titles.*expected an object of titles/],
  ])("wants titles, not %j", (options, message) => {
    const parsed = specOf("rename-category").options.safeParse(options);
    expect(JSON.stringify(parsed.error?.issues.map((issue) => [issue.path, issue.message]))).toMatch(message);
  });
});
