import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { markerSoup } from "./marker-soup.js";
import { positionErrors } from "./positions.js";

const CONTEXTS = ["page", "line"] as const;

describe.each(CONTEXTS)("parse and print of a %s", (context) => {
  const same = (text: string) => {
    const { tree } = parse(text, { context });
    expect(print(tree)).toBe(text);
    expect(positionErrors(tree, text)).toEqual([]);
  };

  it("gives back every string", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), same), { numRuns: 2000 });
  });

  it("gives back every mixture of markup, finished or not, and says where each node stood", () => {
    fc.assert(fc.property(markerSoup, same), { numRuns: 5000 });
  });

  it("reports places inside of the text only", () => {
    fc.assert(
      fc.property(markerSoup, (text) => {
        for (const { start, end } of parse(text, { context }).issues) {
          expect(start >= 0 && start < end && end <= text.length).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
