import { expect, test } from "vitest";
import { withCommas } from "../../../src/core/util/printable-text.js";

test("a number has commas and at most three decimals, as English writes it", () => {
  for (const value of [0, 7, 999, 1000, 12345, 123456, 1234567, 20_000_000_000, 0.5, 1234.5678, 0.1 + 0.2, -12345])
    expect(withCommas(value)).toBe(value.toLocaleString("en-US"));
});
