import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heading, list, listItem, mark, paragraph, quote, text } from "../../../transforms/wiki/build.js";
import { joinNeighbours, normalisePage } from "../../../transforms/wiki/normalise.js";
import { bareAddressesIn } from "../../../transforms/wiki/parse/inlines.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { childrenOf, type Node } from "../../../transforms/wiki/read-tree.js";
import type { Block, Inline } from "../../../transforms/wiki/tree.js";

// No opening brackets: an address behind one that never closes is read as a part of the macro that
// it would have been.
const PIECES = "https://a.example/b|http://c.example/?d=e|x|.|,|+|'|''|++|,,|~~|`|^|(|)|]|=|* |\n|¦| ".split("|");
const texts = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((parts) => text(parts.join("")));
const marked = fc
  .tuple(fc.constantFrom("strong", "emphasis", "underline", "subscript"), texts)
  .map(([type, inner]) => mark(type, [inner]));
const inlines = fc
  .array(fc.oneof(texts, marked), { minLength: 1, maxLength: 4 })
  .map((all): readonly Inline[] => joinNeighbours(all));

const PLACES: readonly ((inlines: readonly Inline[]) => Block)[] = [
  paragraph,
  (all) => heading(2, all),
  (all) => list(false, [listItem(all)]),
  (all) => quote([paragraph([text("x")])], { attribution: all }),
];

function addressesIn(node: Node): readonly string[] {
  if (node.type === "text") return bareAddressesIn(node.value).map(({ start, end }) => node.value.slice(start, end));
  return childrenOf(node).flatMap(addressesIn);
}

/** What the site makes links of. */
function linkedIn(node: Node): readonly string[] {
  return node.type === "link" ? [node.target] : childrenOf(node).flatMap(linkedIn);
}

describe("a settled page", () => {
  it("leads where the addresses in its texts lead, whatever marks and guards stand beside them", () => {
    fc.assert(
      fc.property(inlines, fc.constantFrom(...PLACES), (all, place) => {
        const levels: string[] = [];
        const tell = (_: string, level: string) => void levels.push(level);
        const block = place(all);
        const written = print(normalisePage([{ block, tell }], tell));
        if (levels.some((level) => level !== "note")) return;
        expect(linkedIn(parse(written, { context: "page" }).tree), written).toEqual(addressesIn(block));
      }),
      { numRuns: 500 },
    );
  });
});
