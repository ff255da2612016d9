import { describe, expect, it } from "vitest";
import type { Resolution, RewriteOptions } from "../../../transforms/references/rewrite-options.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { optionsFor } from "./sites.js";

const HOME: Readonly<Record<string, Resolution>> = {
  "guide/12": { id: "901" },
  "image/5": { id: "77" },
};

function rewrite(text: string, options: RewriteOptions): string {
  return rewriteReferences(text, options).text;
}

describe("references in and around each other", () => {
  it("keeps the text well-formed where references nest", () => {
    expect(rewrite("[guide|12|see [[Saws|s]] and [b]]", optionsFor({}))).toBe(
      "[https://old.example/Guide/-/12|see [https://old.example/Wiki/Saws|s] and [b]]",
    );
    expect(rewrite("[guide|12|see [[Saws|s]] and [b]]", optionsFor({}, { dangling: "label" }))).toBe(
      "(guide|12|see (s) and [b]]",
    );
  });

  it.each([
    ["[guide|12|a [image|5]|stepid=5]", "[https://old.example/Guide/-/12#s5|a (image 5)]", "(guide|12|a (image 5)]"],
    ["[[Topic:A|x [image|5]]]", "[https://old.example/c/A|x (image 5)]]", "((Topic:A|x (image 5)]]"],
    ["[link|/c/A|x [image|5]]", "[link|https://old.example/c/A|x (image 5)]", "(link|/c/A|x (image 5)]"],
    ["[//old.example/c/A|x [image|5]]", "[//old.example/c/A|x (image 5)]", "(old.example/c/A|x (image 5)]"],
    ["[product|A|x [image|5]]", "[product|A|x (image 5)]", "(product|A|x (image 5)]"],
    ["a [summary_image|9| x [image|5]]", "a (summary_image|9| x (image 5)]", "a (summary_image|9| x (image 5)]"],
  ])("keeps the words of what is text in the tree's reading: %s", (text, absolute, label) => {
    expect(rewrite(text, optionsFor({}))).toBe(absolute);
    expect(rewrite(text, optionsFor({}, { dangling: "label" }))).toBe(label);
  });

  it("loses no word of a picture that goes", () => {
    const text = "[image|5|size=medium|a saw|of 1890|align=left] [image|5||]";
    expect(rewrite(text, optionsFor({}, { addressOf: (key) => `https://cdn.example/${key}` }))).toBe(
      "[https://cdn.example/image/5|a saw|of 1890] [https://cdn.example/image/5|image 5]",
    );
    expect(rewrite(text, optionsFor({}))).toBe("a saw|of 1890 image 5");
  });

  it("points home what stands in a macro that shows nothing, and takes it away with that", () => {
    const text = "[summary_image|5| x [image|5]]a";
    expect(rewrite(text, optionsFor(HOME))).toBe("[summary_image|77| x [image|77]]a");
    expect(rewrite(text, optionsFor({}))).toBe("a");
  });

  it("changes once what two readings have in common", () => {
    const text = "== [link|https://old.example/Guide/x/12|b ==\nc]";
    expect(rewrite(text, optionsFor(HOME))).toBe("== [link|https://new.example/Guide/x/901|b ==\nc]");
    expect(rewrite(text, optionsFor({}, { dangling: "label" }))).toBe("== b ==\nc");
  });

  it("lets what a removed field refers to go with it", () => {
    expect(rewrite("[guide|12|size=https://old.example/c/A]", optionsFor({}, { dangling: "label" }))).toBe("guide 12");
  });

  it("cannot make a macro out of what stood around a reference", () => {
    const options = optionsFor(HOME, { resolve: () => ({ never: true }), dangling: "label" });
    expect(rewrite("[guide|[document|5|12]]", options)).toBe("[guide|(12)]");
    expect(rewrite("[gui[guide|5|de|12]", options)).toBe("[gui(de|12)");
    expect(rewrite("[gui[guide|5|de|12|[x]", options)).toBe("[gui(de|12|[x]");
    expect(rewrite("[guide|12|a [guide|stepid=5|13]", optionsFor({ "guide/12": { id: "1" } }))).toBe(
      "[guide|1|a [guide||13]",
    );
  });
});
