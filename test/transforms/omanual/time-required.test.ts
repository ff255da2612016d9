import { describe, expect, it } from "vitest";
import { parseTime } from "../../../transforms/omanual/items/time-required.js";

describe("the time that a text names", () => {
  it.each([
    ["", 0, 0],
    ["No estimate", 0, 0],
    ["One Hour", 3600, 3600],
    ["15 to30 minutes", 900, 1800],
    ["2 - 3 hours", 7200, 10_800],
    ["30 minutes - 1 hour", 1800, 3600],
    ["1 week", 604_800, 604_800],
    ["1.5 hours", 5400, 5400],
    ["half an hour", 1800, 1800],
    ["an hour", 3600, 3600],
    ["about 20 mins", 1200, 1200],
    ["3 – 2 days", 172_800, 259_200],
    ["45 seconds", 45, 45],
  ])("%j is %i to %i seconds", (text, min, max) => {
    expect(parseTime(text)).toEqual({ min, max });
  });

  it.each(["soon", "5", "hours", "5 parsecs", "2 hours and a bit", "1 to 2", "a".repeat(100_000)])(
    "%j is none",
    (text) => {
      expect(parseTime(text)).toBeUndefined();
    },
  );
});
