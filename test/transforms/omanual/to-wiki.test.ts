import { describe, expect, it } from "vitest";
import { itemSchema } from "../../../src/core/model/item.js";
import { categoryItemOf, codesOf } from "./item-of.js";

const ancestors = (...names: readonly string[]) =>
  `<title>Looms</title><ancestors>${names.map((name) => `<ancestor>${name}</ancestor>`).join("")}</ancestors>`;

describe("a category of a manual as an item", () => {
  it("has the fields of the model", () => {
    const item = categoryItemOf(
      '<category_info manufacturer="Ashford" introduced="1934" discontinued="">Looms</category_info><title>Hand looms</title><description>For &lt;b&gt;cloth&lt;/b&gt;</description>' +
        '<contents><h2>Parts</h2><p>A &amp; B</p></contents><flags><flag id="STUB" title="">x</flag></flags>',
    );
    expect(itemSchema.parse(item)).toEqual(item);
    expect(item).toMatchObject({
      key: "category/Looms",
      kind: "category",
      body: {
        namespace: "CATEGORY",
        title: "Looms",
        displayTitle: "Hand looms",
        description: "For cloth",
        contents: "== Parts ==\n\nA & B",
        flags: ["STUB"],
        info: [
          { name: "Manufacturer", value: "Ashford" },
          { name: "Introduced", value: "1934" },
        ],
        parent: null,
      },
      issues: [],
    });
  });

  it("is called by its title, else by its file, where it has no name", () => {
    expect(categoryItemOf("<title>Looms</title>").key).toBe("category/Looms");
    expect(categoryItemOf("<description>A</description>").key).toBe("category/guide");
  });

  it("stands below the nearest ancestor, at whichever end Root is", () => {
    expect(categoryItemOf(ancestors("Hand looms", "Textile", "Root")).body.parent).toBe("Hand looms");
    expect(categoryItemOf(ancestors("Root", "Textile", "Hand looms")).body.parent).toBe("Hand looms");
    expect(categoryItemOf(ancestors("Root")).body.parent).toBeNull();
    expect(categoryItemOf(ancestors("Textile")).issues).toEqual([]);
  });

  it("stands below the first one where no Root says which end is the top, which is noted", () => {
    const item = categoryItemOf(ancestors("Hand looms", "Textile"));
    expect(item.body.parent).toBe("Hand looms");
    expect(codesOf(item)).toEqual(["ancestors-order"]);
  });

  it("loses its parts and tools, since sites take none", () => {
    const item = categoryItemOf('<title>A</title><parts><part name="Reed"/></parts><tools><tool name="Hook"/></tools>');
    expect(codesOf(item)).toEqual(["category-parts", "category-tools"]);
  });
});
