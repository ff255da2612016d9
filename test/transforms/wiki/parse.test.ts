import { describe, expect, it } from "vitest";
import { DEEPEST_LIST } from "../../../transforms/wiki/parse/blocks.js";
import { closingTag, lineFrom, sourceOf } from "../../../transforms/wiki/parse/source.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { childrenOf, type Node } from "../../../transforms/wiki/read-tree.js";
import { outline } from "./outline.js";

function depthOf(node: Node): number {
  return 1 + childrenOf(node).reduce((deepest, child) => Math.max(deepest, depthOf(child)), 0);
}

function codesOf(text: string): readonly string[] {
  return parse(text, { context: "page" }).issues.map(({ code }) => code);
}

describe("parse", () => {
  it("gives an empty page and an empty line for an empty text", () => {
    const position = { start: 0, end: 0 };
    expect(parse("", { context: "page" }).tree).toEqual({ type: "page", children: [], after: "", position });
    expect(parse("", { context: "line" }).tree).toEqual({ type: "line", children: [], position });
  });

  it("reads carriage returns as parts of line ends and reports them once", () => {
    const text = "== A ==\r\n\r\n* b\r\n* c\r\n[code]\r\n\r\nx\r\n[/code]\r\n[quote]\r\nd[br]\r\ne\r\n[/quote]\r\n";
    const { tree, issues } = parse(text, { context: "page" });
    expect(outline(tree).split("\n")).toEqual([
      "page",
      "  heading 2",
      '    text "A"',
      "  bullet list",
      "    item",
      '      text "b"',
      "    item",
      '      text "c"',
      '  code block "\\r\\nx"',
      "  quote of 0 and 1",
      "    paragraph",
      '      text "d"',
      "      break",
      '      text "e"',
    ]);
    expect(issues.map(({ code }) => code)).toEqual(["carriage-return"]);
    expect(print(tree)).toBe(text);
  });

  it("counts list markers that are longer than lists can be deep as the deepest level", () => {
    const text = Array.from({ length: 40 }, (_, index) => `${"*".repeat(index + 1)} a`).join("\n");
    const { tree, issues } = parse(text, { context: "page" });
    expect(depthOf(tree)).toBe(2 * DEEPEST_LIST + 2);
    expect(issues.filter(({ code }) => code === "deep-list").length).toBe(40 - DEEPEST_LIST);
    expect(print(tree)).toBe(text);
  });

  it("nests marks at most once in each kind, whatever their order", () => {
    const text = "'''''++~~^^,,``".repeat(3);
    expect(depthOf(parse(text, { context: "line" }).tree)).toBeLessThan(10);
  });

  it("reports text that follows a block in its line or the next, and none behind a blank line", () => {
    expect(codesOf("[code]a[/code] b")).toEqual(["text-after-block"]);
    expect(codesOf("[code]a[/code]\n b")).toEqual(["text-after-block"]);
    expect(codesOf("[code]a[/code]\n \nb")).toEqual([]);
  });

  it("says in each issue what the text contains and how it is read", () => {
    const { issues } = parse("a ''b", { context: "line" });
    const message = "A marker has no partner in its block. It is read as text.";
    expect(issues).toEqual([{ code: "unpaired-mark", level: "note", message, start: 2, end: 4 }]);
  });
});

describe("the searches of the parser", () => {
  it("find what is before the place that they were asked about last", () => {
    const source = sourceOf("[/code]\n[/code]\n", "page");
    expect([8, 9, 10, 0, 1, 5].map((from) => closingTag(source, "code", from))).toEqual([8, -1, -1, 0, 8, 8]);
    expect([9, 3].map((from) => lineFrom(source, from, 16).next)).toEqual([16, 8]);
  });
});
