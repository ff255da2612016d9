import { describe, expect, it } from "vitest";
import { guideList, link, text } from "../../../transforms/wiki/build.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { opensNewWindow, parameterOf, readWikiTarget } from "../../../transforms/wiki/read-tree.js";

describe("parameterOf", () => {
  it("finds a parameter before and behind the label, in any letter case and with blanks", () => {
    const [first, , second] = parse("[guide|1|stepid = 2|a] [guide|1|a| STEPID=3 ]", { context: "line" }).tree.children;
    if (first?.type !== "link" || second?.type !== "link") throw new Error("The text must be read as links.");
    expect([parameterOf(first, "stepid"), parameterOf(second, "stepid")]).toEqual(["2", "3"]);
  });

  it("gives nothing for a parameter that is not written", () => {
    expect(parameterOf(guideList({ tags: "a" }), "type")).toBeUndefined();
  });
});

describe("opensNewWindow", () => {
  it("tells whether a link asks for a new window", () => {
    const label = [text("a")];
    expect(opensNewWindow(link("guide", "1", { label, newWindow: true }))).toBe(true);
    expect(opensNewWindow(link("guide", "1", { label }))).toBe(false);
  });
});

describe("readWikiTarget", () => {
  it.each([
    ["Topic:Mac mini#Section_Tools", { prefix: "Topic", title: "Mac mini", section: "Section_Tools" }],
    ["Mac_mini", { prefix: undefined, title: "Mac_mini", section: undefined }],
    ["Page#a:b", { prefix: undefined, title: "Page", section: "a:b" }],
  ])("takes %j apart", (target, parts) => {
    expect(readWikiTarget(target)).toEqual(parts);
  });
});
