import fc from "fast-check";
import { expect, it } from "vitest";
import { type NestedLine, nestedLines } from "../../../../src/web/reader/pages/steps.js";

const byLevel = (level: number): number => level;

function inOrder(lines: readonly NestedLine<number>[]): readonly number[] {
  return lines.flatMap(({ line, below }) => [line, ...inOrder(below)]);
}

function shape(lines: readonly NestedLine<number>[]): unknown {
  return lines.map(({ line, below }) => (below.length === 0 ? line : [line, shape(below)]));
}

it("hangs a line below the last one before it that is indented less", () => {
  expect(shape(nestedLines([0, 1, 2, 1, 0, 2, 1, 0], byLevel))).toEqual([[0, [[1, [2]], 1]], [0, [2, 1]], 0]);
  expect(shape(nestedLines([2, 1, 0], byLevel))).toEqual([2, 1, 0]);
});

it("keeps all lines in their order, each below one that is indented less", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 })), (levels) => {
      const nested = nestedLines(levels, byLevel);
      expect(inOrder(nested)).toEqual(levels);
      const isDeeper = ({ line, below }: NestedLine<number>): boolean =>
        below.every((each) => each.line > line && isDeeper(each));
      expect(nested.every(isDeeper)).toBe(true);
    }),
  );
});
