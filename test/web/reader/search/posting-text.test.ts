import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { postingOf, postingText } from "../../../../src/web/reader/search/search-index.js";
import { browserSearch } from "./helpers/browser-search.js";

const ITEMS = 100_000;
const postings = fc.uniqueArray(
  fc.record({ item: fc.integer({ min: 0, max: ITEMS - 1 }), impact: fc.integer({ min: 0, max: 63 }) }),
  { selector: ({ item }) => item, maxLength: 50 },
);

describe("the postings of a term as a text", () => {
  const { match } = browserSearch();

  it("are read by a page as they were", () => {
    fc.assert(
      fc.property(postings, (given) => {
        const sorted = given.toSorted((one, other) => one.item - other.item);
        const text = postingText(sorted.map(({ item, impact }) => postingOf(item, impact)));
        expect(text).toMatch(/^[A-Za-z0-9_-]*$/);
        const probe = { from: "warp", to: "warp", weight: () => 1 };
        const found = match({ items: ITEMS }, [probe], new Map([[0, [["warp"], [text]]]]));
        expect(found.count).toBe(given.length);
        for (const { item, impact } of given) {
          // Places are worth 0.3, 1, 2 and 4, and what counts there up to as much.
          const worth = (([0.3, 1, 2, 4][impact >> 4] ?? 0) * ((impact % 16) + 1)) / 16;
          expect(found.worth[item]).toBeCloseTo(worth, 5);
          expect(found.titled[item]).toBe(impact >= 32 ? 1 : 0);
        }
      }),
    );
  });
});
