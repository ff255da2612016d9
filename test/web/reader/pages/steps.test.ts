import type { Element } from "hast";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../../src/core/model/item.js";
import { guideItem, line, step } from "../../../helpers/items.js";
import { attribute, elementsOf, madePage, ofClass, wordsOf } from "./helpers/made-page.js";

function pageOf({ steps }: { readonly steps: readonly Step[] }) {
  return madePage([{ items: [guideItem(1, { steps })] }], "guide/1.html");
}

describe("the steps of a guide", () => {
  it("gives each step the number and the name that the site's links know", async () => {
    const page = await pageOf({ steps: [step(7, [], { title: "Warp" }), step(9)] });
    const steps = ofClass(page, "step");
    expect(steps.map((each) => attribute(each, "id"))).toEqual(["s7", "s9"]);
    expect(steps.map((each) => wordsOf(each).replace(/\s+/g, " ").trim())).toEqual([
      "Step 1 Warp",
      "Step 2 Line of step 9",
    ]);
    expect(page.all("a").map((link) => attribute(link, "href"))).toEqual(expect.arrayContaining(["#s7", "#s9"]));
  });

  it("tells a bullet's colour by a letter and a word too, and its icon by a word", async () => {
    const bullets = ["red", "light_blue", "icon_caution", "black", "constructor"].map((bullet) =>
      line({ text: bullet, bullet }),
    );
    const page = await pageOf({
      steps: [step(1, [...bullets, line({ text: "deep", bullet: "icon_note", level: 7 })])],
    });
    const lines = ofClass(page, "line");
    expect(lines.map((each) => wordsOf(each).replace(/\s+/g, " ").trim())).toEqual([
      "R Red: red",
      "L Light blue: light_blue",
      "Caution: icon_caution",
      "black",
      "constructor",
      "Note: deep",
    ]);
    expect(lines.map((each) => String(each.properties["className"]))).toEqual([
      "line,level-0",
      "line,level-0",
      "line,callout,icon_caution,level-0",
      "line,level-0",
      "line,level-0",
      "line,callout,icon_note,level-2",
    ]);
  });

  it("has lines below lines in lists of their own", async () => {
    const lines = [0, 1, 1, 0, 2].map((level, at) => line({ text: `L${at}`, level }));
    const page = await pageOf({ steps: [step(1, lines)] });
    const items = (list: Element): readonly Element[] => list.children.filter((each) => each.type === "element");
    const told = (list: Element): unknown =>
      items(list).map((item) => {
        const [own, below] = items(item);
        const words = own && wordsOf(own).trim();
        return below === undefined ? words : [words, told(below)];
      });
    const [list] = ofClass(page, "lines");
    expect(list && told(list)).toEqual([
      ["L0", ["L1", "L2"]],
      ["L3", ["L4"]],
    ]);
    expect(ofClass(page, "lines").map((each) => attribute(each, "role"))).toEqual(["list", "list", "list"]);
  });

  it("names each step once in the list of steps", async () => {
    const page = await pageOf({ steps: [step(7, [], { title: "Warp" }), step(9)] });
    const links = page.all("a").filter((link) => /^#s/.test(attribute(link, "href") ?? ""));
    const heard = (link: Element): string =>
      elementsOf(link)
        .filter((each) => attribute(each, "ariaHidden") !== "true" && each.tagName === "span")
        .filter((each) => attribute(each, "className") !== "unseen")
        .map((each) => wordsOf(each).replace(/\s+/g, " ").trim())
        .join(", ");
    expect(links.map(heard)).toEqual(["Step 1, Warp", "Step 2"]);
  });
});
