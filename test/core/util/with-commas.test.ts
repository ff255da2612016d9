import { expect, test } from "vitest";
import { withCommas } from "../../../src/core/util/printable-text.js";

test("a count has a comma before each three digits from the end, as English writes it", () => {
  for (const count of [0, 7, 999, 1000, 12345, 123456, 1234567, 20_000_000_000])
    expect(withCommas(count)).toBe(count.toLocaleString("en-US"));
});
