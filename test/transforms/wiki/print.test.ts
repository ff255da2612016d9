import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineBreak, list, listItem, mark, page, paragraph, quote, text } from "../../../transforms/wiki/build.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import type { Inline, Page } from "../../../transforms/wiki/tree.js";
import { lines, pages } from "./arbitrary-trees.js";
import { bare } from "./bare-tree.js";

describe("print", () => {
  it("writes pages that are read as the trees that they were written from", () => {
    fc.assert(
      fc.property(pages, (tree) => {
        expect(bare(parse(print(tree), { context: "page" }).tree)).toEqual(bare(tree));
      }),
      { numRuns: 500 },
    );
  });

  it("writes lines that are read as the trees that they were written from", () => {
    fc.assert(
      fc.property(lines, (tree) => {
        expect(bare(parse(print(tree), { context: "line" }).tree)).toEqual(bare(tree));
      }),
      { numRuns: 500 },
    );
  });

  it("changes the text of a block that was replaced and no other", () => {
    fc.assert(
      fc.property(pages, pages, fc.nat(), (one, other, pick) => {
        const written = print(one);
        const { tree } = parse(written, { context: "page" });
        const index = pick % Math.max(tree.children.length, 1);
        const old = tree.children[index];
        const [replacement] = other.children;
        if (old?.position === undefined || old.before === undefined || replacement === undefined) return;
        const children = tree.children.with(index, { ...replacement, before: old.before });
        const expected = written.slice(0, old.position.start) + print(replacement) + written.slice(old.position.end);
        expect(print({ ...tree, children })).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("changes the text of an inline that was replaced and no other", () => {
    const source = "*  a ''b''\r\n**c\n\n== ++d++  ==\n\n\n";
    const { tree } = parse(source, { context: "page" });
    const replaceText = <Node extends object>(node: Node): Node =>
      Object.fromEntries(Object.entries(node).map(([name, value]) => [name, replaceIn(value)])) as Node;
    const replaceIn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(replaceIn);
      if (typeof value !== "object" || value === null) return value;
      return "value" in value && value.value === "d" ? text("'''new'''") : replaceText(value);
    };
    expect(print(replaceText<Page>(tree))).toBe("*  a ''b''\r\n**c\n\n== ++'''new'''++  ==\n\n\n");
  });

  it("writes the marker of a built item as its neighbours have it", () => {
    const { tree } = parse("** a\n### b", { context: "page" });
    const [read] = tree.children;
    if (read?.type !== "list") throw new Error("The text must be read as a list.");
    const [first] = read.children;
    if (first === undefined) throw new Error("The list must have an item.");
    expect(print({ ...read, children: [first, listItem([text("c")])] })).toBe("** a\n### b\n** c");
  });

  it("writes a line end behind a break in a paragraph, and none where it would end the line of an item", () => {
    const children: readonly Inline[] = [text("a"), mark("strong", [lineBreak()]), text("b")];
    expect(print(page([paragraph(children), list(true, [listItem(children)])]))).toBe(
      "a'''[br]\n'''b\n\n# a'''[br]'''b",
    );
  });

  it("writes an empty quote, and an inline on its own", () => {
    expect(print(quote([]))).toBe("[quote]\n[/quote]");
    expect(print(lineBreak())).toBe("[br]");
  });

  it("writes trees that are deeper than the engine's own stack, and pages of very many blocks", () => {
    let deep: Inline = text("x");
    for (let depth = 0; depth < 100_000; depth += 1) deep = mark("strong", [deep]);
    expect(print(deep).length).toBe(600_001);
    expect(print(page(Array.from({ length: 300_000 }, () => paragraph([text("x")])))).length).toBe(899_998);
  });
});
