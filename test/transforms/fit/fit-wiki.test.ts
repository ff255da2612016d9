import { describe, expect, it } from "vitest";
import { fitWiki } from "../../../transforms/fit/fit.js";
import { contextOf, wiki, wikiItem } from "./make.js";

describe("fitWiki", () => {
  it("gives back the very same item when nothing breaks a limit", () => {
    const item = wikiItem({
      contents: "x\n".repeat(900),
      tags: ["looms"],
      image: "image/1",
      documents: ["document/1"],
    });
    expect(fitWiki(item, contextOf()).item).toBe(item);
  });

  it("leaves out tags that are too long and media that is refused", () => {
    const item = wikiItem({ tags: ["t".repeat(33)], image: "image/1", documents: ["document/1", "document/2"] });
    const context = contextOf({ mediaRefused: (key) => key.endsWith("/1") });
    const { item: fitted, issues } = fitWiki(item, context);
    expect(fitted?.body).toEqual(wiki({ documents: ["document/2"] }));
    expect(issues.map((issue) => `${issue.level} ${issue.key} ${issue.code} ${issue.path}`)).toEqual([
      "loss category/Looms media-refused image",
      "loss category/Looms media-refused documents[0]",
      "loss category/Looms tag-too-long tags[0]",
    ]);
  });

  it("refuses the page under the policy refuse", () => {
    const item = wikiItem({ tags: ["t".repeat(33)], pageTitle: "p".repeat(256) });
    const { item: fitted, refused } = fitWiki(item, contextOf({ policy: "refuse" }));
    expect(fitted).toBeUndefined();
    expect(refused.map((issue) => issue.code)).toEqual(["tag-too-long", "page-title-too-long"]);
  });
});
