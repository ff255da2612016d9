import { describe, expect, it } from "vitest";
import { codeMeaning, fieldInWords, isActionable } from "../../../src/web/components/issue-words.js";
import { CODE_AREAS } from "../../helpers/issue-code-tables.js";

describe("an issue in words", () => {
  it.each([
    ["", ""],
    ["dates", "dates"],
    ["steps[3].lines[0].text", "step 4, line 1"],
    ["steps[0].title", "step 1, title"],
    ["steps[1].lines[3].bulletStyle", "step 2, line 4, bullet style"],
    ["prerequisites[0]", "prerequisite 1"],
    ["attachedQuiz", "attached quiz"],
    ["intro_video", "intro video"],
    ["viewers.users", "viewers, users"],
    ["step/214.lines[0].text", "step with id 214, line 1"],
    ["a strange (path)", "a strange (path)"],
  ])("counts from 1: %s is %s", (path, words) => {
    expect(fieldInWords(path)).toBe(words);
  });

  it("has a sentence for each code, apart from those of transforms", () => {
    const { transforms: _, ...areas } = CODE_AREAS;
    const codes = Object.values(areas).flatMap((area) => Object.keys(area.codes));
    expect(codes.filter((code) => codeMeaning(code) === "")).toEqual([]);
    expect(codeMeaning("of-my-own")).toBe("");
  });

  it("tells values that somebody can act on from those that the service cannot take", () => {
    expect(isActionable({ code: "quiz", remedy: "Attach a quiz by hand." })).toBe(true);
    expect(isActionable({ code: "dates" })).toBe(false);
    expect(isActionable({ code: "releases", remedy: "The workspace has it as a record." })).toBe(false);
  });
});
