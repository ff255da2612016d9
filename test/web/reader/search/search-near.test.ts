import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { browserSearch } from "./helpers/browser-search.js";

const word = fc.string({ unit: fc.constantFrom("a", "b", "ä", "한"), minLength: 1, maxLength: 9 });

describe("terms like a word", () => {
  const { near } = browserSearch();

  it("are those that a table of all beginnings finds", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), word, fc.integer({ min: 1, max: 2 }), (words, typed, limit) => {
        const terms = [...new Set(words)].toSorted();
        const expected = terms.filter((term) => distanceOf(term, typed) <= limit);
        const found = near(terms.join(" "), typed, limit, 99);
        expect(found.map(({ term }) => term).toSorted()).toEqual(expected);
        for (const { term, distance } of found) expect(distance).toBe(distanceOf(term, typed));
      }),
    );
  });

  it.each([
    ["heddel", ["heddle"]],
    ["shutle", ["shuttle"]],
    ["warp", ["warp", "warps"]],
    ["x".repeat(32), []],
    ["", []],
  ])("%s", (typed, expected) => {
    const found = near(`heddle shuttle warp warps ${"x".repeat(32)}`, typed, 1, 2);
    expect(found.map(({ term }) => term)).toEqual(expected);
  });
});

/** The distance of optimal string alignment, by its definition. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= other.length; column += 1) {
      const [letter, above] = [one[row - 1], other[column - 1]];
      const isSwapped = row > 1 && column > 1 && letter === other[column - 2] && one[row - 2] === above;
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (letter === above ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
