import { describe, expect, it } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import { groupLosses, sourceText, targetText } from "../../../src/web/report/loss-groups.js";
import { guideItem, step, wikiItem } from "../../helpers/items.js";

const guide = guideItem(1, {
  title: "Warp",
  introduction: "At home.",
  steps: [step(5, ["One.", "Two that is long."], { title: "Begin" }), step(6, ["Three."])],
});

describe("the text of the source", () => {
  it.each([
    ["introduction", "At home."],
    ["steps[0].lines[1].text", "Two that is long."],
    ["steps[0].title", "Begin"],
    ["steps[7].title", null],
    ["steps", null],
    ["id", null],
    ["constructor.name", null],
    ["", null],
  ])("of %j", (path, text) => {
    expect(sourceText(guide, path)).toBe(text);
  });
});

describe("the text of the target, as we left it", () => {
  const left = (bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => (key: string) => bodies[key];

  it("is that of the line where the lines are as many, else all of the step's", () => {
    const same = left({ "step/5": { title: "Begin", lines: [{ text: "One." }, { text: "Two." }] } });
    expect(targetText(guide, "steps[0].lines[1].text", same)).toBe("Two.");
    const divided = left({ "step/5": { lines: [{ text: "One." }, { text: "Two that" }, { text: "is long." }] } });
    expect(targetText(guide, "steps[0].lines[1].text", divided)).toBe("One.\nTwo that\nis long.");
  });

  it("has the names of writing", () => {
    const page = wikiItem("INFO", "Sheds");
    expect(targetText(page, "displayTitle", left({ "wiki/INFO/Sheds": { display_title: "All sheds" } }))).toBe(
      "All sheds",
    );
    expect(targetText(guide, "introduction", left({ "guide/1": { introduction: "There." } }))).toBe("There.");
    expect(targetText(guide, "steps[0].title", left({ "step/5": { title: "Start" } }))).toBe("Start");
  });

  it("is nothing where nothing is known", () => {
    for (const path of ["steps[9].lines[0].text", "steps[0].lines[0].text", "steps[0].title", "introduction"])
      expect(targetText(guide, path, () => undefined)).toBeNull();
  });
});

describe("losses by kind", () => {
  const issue = (code: Issue["code"], level: Issue["level"], more: Partial<Issue> = {}): Issue => ({
    code,
    level,
    key: "guide/1",
    path: "introduction",
    message: "Lost.",
    ...more,
  });

  it("has errors first, then what is most frequent, with the texts of both sides", async () => {
    const issues = [
      issue("dates", "loss"),
      issue("reference-kept", "note"),
      ...Array.from({ length: 30 }, () => issue("author", "loss")),
      issue("merge-clash", "error", { texts: { base: "b", theirs: "t", ours: "o" } }),
    ];
    const groups = await groupLosses(issues, {
      item: async () => guide,
      left: () => ({ introduction: "There." }),
    });
    expect(groups.map(({ code, count, examples }) => [code, count, examples.length])).toEqual([
      ["merge-clash", 1, 1],
      ["author", 30, 10],
      ["dates", 1, 1],
      ["reference-kept", 1, 1],
    ]);
    expect(groups[0]?.examples[0]).toMatchObject({ title: "Warp", atSource: "o", atTarget: "t" });
    expect(groups[1]?.examples[0]).toMatchObject({ atSource: "At home.", atTarget: "There." });
  });
});
