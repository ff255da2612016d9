import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  codeBlock,
  heading,
  line,
  link,
  list,
  listItem,
  page,
  paragraph,
  text,
} from "../../../transforms/wiki/build.js";
import type { TextPlace } from "../../../transforms/wiki/neutralise.js";
import { neutralise } from "../../../transforms/wiki/neutralise.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import type { Tree } from "../../../transforms/wiki/tree.js";
import { bare } from "./bare-tree.js";
import { markerSoup } from "./marker-soup.js";

const G = "\u200B";

/** A tree with a text in each place. */
const PLACES: Readonly<Record<TextPlace, (value: string) => Tree>> = {
  paragraph: (value) => page([paragraph([text(value)])]),
  heading: (value) => page([heading(2, [text(value)])]),
  item: (value) => page([list(false, [listItem([text(value)])])]),
  label: (value) => line([link("guide", "1", { label: [text(value)] })]),
  line: (value) => line([text(value)]),
  code: (value) => page([codeBlock(value)]),
};

/**
 * A place keeps no blanks at its edges, addresses become links of themselves, and a text of blanks
 * is none.
 */
const plain = markerSoup.map((soup) => `a${soup.replaceAll(/http/gi, "").replaceAll("\r", "")}z`);

describe("neutralise", () => {
  it.each(Object.entries(PLACES))("makes every text one that is read as text, in the place %s", (name, treeWith) => {
    const place = name as TextPlace;
    const read = (value: string) => {
      const tree = treeWith(neutralise(value, { place }).text);
      const context = tree.type;
      expect(bare(parse(print(tree), { context }).tree)).toEqual(bare(tree));
    };
    fc.assert(fc.property(plain, read), { numRuns: 1000 });
    fc.assert(
      fc.property(markerSoup, (soup) => read(`${soup.replaceAll(/http/gi, "").trim()}z`)),
      { numRuns: 1000 },
    );
  });

  it.each<[TextPlace, string, string]>([
    ["paragraph", "3/4'' C++ a,b", `3/4'${G}' C+${G}+ a,b`],
    ["paragraph", "* x", `${G}* x`],
    ["paragraph", "== x ==", `${G}== x ==`],
    ["line", "* x", "* x"],
    ["line", "[guide|1] [[T]] [2] [see below]", `[${G}guide|1] [${G}[T]] [2] [see below]`],
    ["line", "[https://e.org]", `[${G}https://e.org]`],
    ["line", "[https://e.org|x]", `[${G}https://e.org|x]`],
    ["item", "[code]x[/CODE] [br]", `[${G}code]x[${G}/CODE] [${G}br]`],
    ["heading", "one\r\n\ttwo", "one two"],
    ["heading", "a[/\n\n|b]", `a[${G}/ |b]`],
    ["label", "see [1] | x", "see (1) ¦ x"],
    ["label", "size = 3", `${G}size = 3`],
    ["code", "''[/code]\nx", `''[${G}/code]\nx`],
  ])("in the place %s makes of %j %j", (place, given, expected) => {
    expect(neutralise(given, { place }).text).toBe(expected);
  });

  it("says where something was changed, and whether it can still be seen", () => {
    const { issues } = neutralise("a '' [b]", { place: "label" });
    expect(issues.map(({ code, level, start, end }) => [code, level, start, end])).toEqual([
      ["neutralised", "note", 2, 3],
      ["neutralised", "loss", 5, 6],
      ["neutralised", "loss", 7, 8],
    ]);
    expect(issues.map(({ message }) => message)).toContain("Plain text would be read as a mark. It was divided.");
  });

  it("leaves text alone that means nothing", () => {
    for (const place of ["paragraph", "heading", "item", "label", "line", "code"] as const) {
      expect(neutralise("It's 3' - 6\" (a, b) = c*d #1", { place })).toEqual({
        text: "It's 3' - 6\" (a, b) = c*d #1",
        issues: [],
      });
    }
  });

  it("looks at what is written beside the text", () => {
    expect(neutralise("'tis", { place: "line", before: "'''" }).text).toBe(`${G}'tis`);
    expect(neutralise("dogs'", { place: "line", after: "'''" }).text).toBe(`dogs'${G}`);
    expect(neutralise("* x", { place: "paragraph", before: "a" }).text).toBe("* x");
    expect(neutralise(" x", { place: "paragraph", before: "a=" }).text).toBe(" x");
    expect(neutralise("* x", { place: "paragraph", before: "\n" }).text).toBe(`${G}* x`);
  });
});
