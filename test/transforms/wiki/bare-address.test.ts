import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareAddressesIn } from "../../../transforms/wiki/parse/inlines.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { childrenOf, type Node } from "../../../transforms/wiki/read-tree.js";

function addressesOf(node: Node): readonly string[] {
  if (node.type === "link" && node.kind === "bare") return [node.target];
  return childrenOf(node).flatMap(addressesOf);
}

const pieces = fc.constantFrom(
  ..."http:// https:// HTTP:// a.example /b ? ( ) . , ' '' + ¦ \u00a0 \" < é".split(" "),
  " ",
  "\n",
);
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

describe("the addresses in a text", () => {
  it("are those that the parser finds in it where no mark and no bracket is", () => {
    const plain = texts.map((text) => text.replaceAll(/(['+,`])\1/g, "$1"));
    fc.assert(
      fc.property(plain, (text) => {
        const found = bareAddressesIn(text).map(({ start, end }) => text.slice(start, end));
        expect(found).toEqual(addressesOf(parse(text, { context: "line" }).tree));
      }),
      { numRuns: 1000 },
    );
  });

  it("end before punctuation, which still belongs to the run of characters", () => {
    expect(bareAddressesIn("see http://a.example/b). c")).toEqual([{ start: 4, end: 22, run: 24 }]);
  });

  it("go over marks that nothing has opened, but not over apostrophes", () => {
    expect(bareAddressesIn("https://a.example/b++c''d")).toEqual([{ start: 0, end: 22, run: 22 }]);
  });

  it("are none where nothing but punctuation follows the scheme", () => {
    expect(bareAddressesIn("http://... https://")).toEqual([]);
  });
});
