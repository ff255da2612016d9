import { expect, it } from "vitest";
import type { Catalogue, Entry } from "../../../../src/web/reader/catalogue.js";
import { guidesBelow, latestGuides } from "../../../../src/web/reader/pages/entry-lists.js";

function entry(kind: "category" | "guide", name: string): Entry {
  return {
    key: `${kind}/${name}`,
    kind,
    title: name,
    path: `${name}.html`,
    category: null,
    modified: 1,
    more: undefined,
  };
}

/** A and B lie in each other; each has a guide. */
const CIRCLE: Pick<Catalogue, "categoriesIn" | "guidesIn"> = {
  categoriesIn: (parent) => [entry("category", parent === "A" ? "B" : "A")],
  guidesIn: (category) => (category === null ? [] : [entry("guide", category === "A" ? "1" : "2")]),
};

it("counts each category once where they go round in a circle", () => {
  expect(guidesBelow(CIRCLE, entry("category", "A"))).toBe(2);
});

it("finds each guide once where they go round in a circle", () => {
  expect(latestGuides(CIRCLE, 10).map(({ title }) => title)).toEqual(["1", "2"]);
});
