import { describe, expect, it } from "vitest";
import { guideItem, step } from "../../helpers/items.js";
import { contextOf, runTransform } from "./run-transform.js";

const CONTEXT = contextOf({
  "guide/2": "Weft",
  "category/Looms": "Looms",
  "wiki/WIKI/Sheds": "Sheds",
  "image/5": "a.png",
});

function inIntroduction(introduction: string) {
  const { items, issues } = runTransform("strip-dead-references", {}, guideItem(1, { introduction }), CONTEXT);
  return { text: items[0]?.kind === "guide" ? items[0].body.introduction : undefined, issues, items };
}

describe("strip-dead-references", () => {
  it.each([
    ["See [guide|12|the *other* one].", "See the *other* one."],
    ["See [[Category:Gone|gone]].", "See gone."],
    ["[https://old.example/Guide/Slug/12|so]", "so"],
    ["[guide|12] and [image|6]", "guide 12 and image 6"],
    ["[document|9|a.pdf]", "a.pdf"],
  ])("puts the label in the place of %s", (given, wanted) => {
    expect(inIntroduction(given).text).toBe(wanted);
    expect(inIntroduction(wanted).text).toBe(wanted);
  });

  it.each([
    "[guide|2|Weft] [guide|002|x|stepid=77] [Guide | 2 | odd]",
    "[[Category:Looms|l]] [[Sheds]] [[Wiki:Sheds#Section_A|s]]",
    "[image|5|size=medium] https://old.example/Guide/Slug/2#s7",
    "[https://other.example/Guide/x/12|elsewhere] [product|AB-1|Reed] https://old.example/Help",
  ])("leaves what is in the workspace, products, and what is no item of the site: %s", (text) => {
    const { items, issues } = inIntroduction(text);
    expect([items[0], issues]).toEqual([guideItem(1, { introduction: text }), []]);
  });

  it("reports each as a loss, with the place, and leaves the very same item alone where nothing is dead", () => {
    const item = guideItem(1, { steps: [step(1, ["[guide|12|a] [guide|13|b] [guide|2|c]"])] });
    const { items, issues } = runTransform("strip-dead-references", {}, item, CONTEXT);
    expect(items).toMatchObject([{ body: { steps: [{ lines: [{ text: "a b [guide|2|c]" }] }] } }]);
    expect(issues).toMatchObject([
      { code: "reference-stripped", level: "loss", key: "guide/1", path: "steps[0].lines[0].text" },
      {
        message: "The reference [guide|13|b] leads to guide/13, which is not in the workspace. Its label replaces it.",
      },
    ]);
    const alive = guideItem(1, { introduction: "[guide|2|c]" });
    expect(runTransform("strip-dead-references", {}, alive, CONTEXT).items[0]).toBe(alive);
  });
});
