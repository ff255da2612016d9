import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromMarkdown } from "../../../transforms/markdown/from-markdown.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { paragraph } from "../../../transforms/wiki/build.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { shapeOf } from "../../../transforms/wiki/shape.js";
import type { TextContext, Tree } from "../../../transforms/wiki/tree.js";
import { soup } from "./markup-soup.js";

const contexts: fc.Arbitrary<TextContext> = fc.constantFrom("page", "line");

function shapeOfTree(tree: Tree): string {
  return shapeOf(tree.type === "page" ? tree.children : [paragraph(tree.children)]);
}

describe("wiki text in Markdown", () => {
  it("loses nothing, whatever the text", () => {
    fc.assert(
      fc.property(soup, contexts, (given, context) => {
        // A line of a step is one line.
        const text = context === "line" ? given.replaceAll(/[\r\n]+/g, " ") : given;
        const { tree } = parse(text, { context });
        const { markdown, issues } = toMarkdown(tree);
        expect(issues.filter(({ level }) => level !== "note")).toEqual([]);
        expect(shapeOfTree(fromMarkdown(markdown, { context }).tree), markdown).toBe(shapeOfTree(tree));
      }),
      { numRuns: 200 },
    );
  });
});

describe("Markdown as wiki text", () => {
  it("reads, when the wiki text is parsed, as what was made of it", () => {
    fc.assert(
      fc.property(soup, contexts, (markdown, context) => {
        const { tree, issues } = fromMarkdown(markdown, { context });
        expect(issues.filter(({ code }) => code === "reads-differently")).toEqual([]);
        expect(shapeOfTree(parse(print(tree), { context }).tree)).toBe(shapeOfTree(tree));
      }),
      { numRuns: 200 },
    );
  });

  it("is made of any string, with issues that point into it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), contexts, (markdown, context) => {
        const { issues } = fromMarkdown(markdown, { context });
        expect(issues.filter(({ start, end }) => start < 0 || start > end || end > markdown.length)).toEqual([]);
      }),
    );
  });
});
