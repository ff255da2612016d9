import { describe, expect, it } from "vitest";
import { parseTime } from "../../../transforms/omanual/values.js";

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
    ["1 hour 30 minutes", 5400, 5400],
    ["2 hours, 15 minutes", 8100, 8100],
    ["1 hour and 5 minutes", 3900, 3900],
    ["1h 30m", 5400, 5400],
    ["1h30m", 5400, 5400],
    ["PT1H30M", 5400, 5400],
    ["P2D", 172_800, 172_800],
    ["10-15 min.", 600, 900],
    ["1.5 hrs.", 5400, 5400],
    ["1½ hours", 5400, 5400],
    ["½ hour", 1800, 1800],
    ["one and a half hours", 5400, 5400],
    ["an hour and a half", 5400, 5400],
    ["One to two hours", 3600, 7200],
    ["45 min - 1 hour 15 min", 2700, 4500],
    ["up to 2 hours", 0, 7200],
    ["less than an hour", 0, 3600],
    ["2 months", 5_184_000, 5_184_000],
  ])("%j is %i to %i seconds", (text, min, max) => {
    expect(parseTime(text)).toEqual({ min, max });
  });

  it.each([
    "soon",
    "5",
    "hours",
    "5 parsecs",
    "2 hours and a bit",
    "1 to 2",
    "1 hour 5",
    "1 - 2 - 3 hours",
    "P",
    "PT",
    "a".repeat(100_000),
  ])("%j is none", (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});
