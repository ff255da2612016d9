import { describe, expect, it } from "vitest";
import {
  bandwidthSchema,
  choicesSchema,
  failureLimitSchema,
  rateSchema,
  refreshShareSchema,
  switchSchema,
  timeSchema,
  wholeSchema,
  wordsSchema,
} from "../../../src/commands/options/values.js";

describe("the values of options", () => {
  it.each([
    ["10/s", 10],
    ["600/min", 10],
    ["36000/h", 10],
    ["10", 10],
    [10, 10],
    ["0.5/s", 0.5],
    ["6/min", 0.1],
  ])("reads the rate %s as %d a second", (given, expected) => {
    expect(rateSchema.parse(given)).toBe(expected);
  });

  it.each(["0", "-1", "10/day", "ten", "", "1e3", 0, -5, null, "Infinity"])("refuses the rate %s", (given) => {
    expect(rateSchema.safeParse(given).error?.issues[0]?.message).toMatch(/^expected a rate/);
  });

  it.each([
    ["2M", 2_000_000],
    ["500k", 500_000],
    ["1G", 1e9],
    ["1.5MB/s", 1_500_000],
    ["8MiB", 8 * 2 ** 20],
    ["250000", 250_000],
    [250_000, 250_000],
  ])("reads the bandwidth %s as %d bytes a second", (given, expected) => {
    expect(bandwidthSchema.parse(given)).toBe(expected);
  });

  it.each(["2", "0", "0.5k", "-1M", "2Mbit", "2T", "fast", "", 999, null])("refuses the bandwidth %s", (given) => {
    const message = bandwidthSchema.safeParse(given).error?.issues[0]?.message;
    expect(message).toBe("expected bytes a second such as 2M or 500k, at least 1k");
  });

  it.each([
    ["1/14", 14],
    ["1/1", 1],
    ["all", 1],
    [14, 14],
  ])("reads the share %s as %d nights", (given, expected) => {
    expect(refreshShareSchema.parse(given)).toBe(expected);
  });

  it.each(["0", "14", "1/0", "2/14", "1/14 ", "", 0, -1, 1.5, null, "1/99999"])("refuses the share %s", (given) => {
    expect(refreshShareSchema.safeParse(given).error?.issues[0]?.message).toBe("expected a share such as 1/14, or all");
  });

  it.each([
    ["2026-11-01", Date.UTC(2026, 10, 1) / 1000],
    ["2026-11-01T08:30:00Z", Date.UTC(2026, 10, 1, 8, 30) / 1000],
    ["2026-11-01T08:30+02:00", Date.UTC(2026, 10, 1, 6, 30) / 1000],
  ])("reads the time %s", (given, expected) => {
    expect(timeSchema.parse(given)).toBe(expected);
  });

  it.each([
    ["7d", 7 * 86_400],
    ["12h", 12 * 3600],
    ["2w", 14 * 86_400],
    ["30min", 1800],
  ])("counts the time %s back from now", (given, seconds) => {
    const before = Math.floor(Date.now() / 1000) - seconds;
    const parsed = timeSchema.parse(given);
    expect(parsed).toBeGreaterThanOrEqual(before);
    expect(parsed).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) - seconds);
  });

  it.each(["yesterday", "2026-13-01", "2026", "7", "01.11.2026", 7, ""])("refuses the time %s", (given) => {
    expect(timeSchema.safeParse(given).success).toBe(false);
  });

  it.each([
    ["50", { inARow: 50, share: 1 }],
    [50, { inARow: 50, share: 1 }],
    ["20%", { inARow: Number.POSITIVE_INFINITY, share: 0.2 }],
    ["50,20%", { inARow: 50, share: 0.2 }],
    ["0.5%", { inARow: Number.POSITIVE_INFINITY, share: 0.005 }],
  ])("reads the limit of failures %s", (given, expected) => {
    expect(failureLimitSchema.parse(given)).toEqual(expected);
  });

  it.each(["", "0", "101%", "%", "50,60", "20%,50", "1.5", "many"])("refuses the limit of failures %s", (given) => {
    expect(failureLimitSchema.safeParse(given).success).toBe(false);
  });

  it("splits words at commas, and takes an array as it is", () => {
    expect(wordsSchema.parse(" guide/1* , Looms ,")).toEqual(["guide/1*", "Looms"]);
    expect(wordsSchema.parse(["Looms, large"])).toEqual(["Looms, large"]);
    expect(wordsSchema.safeParse(" , ").success).toBe(false);
    expect(wordsSchema.safeParse([1]).success).toBe(false);
  });

  it("takes only words of a list, and says which there are", () => {
    const schema = choicesSchema(["guide", "wiki"]);
    expect(schema.parse("wiki,guide")).toEqual(["wiki", "guide"]);
    expect(schema.safeParse("guides").error?.issues[0]?.message).toBe(
      "expected one or more of guide, wiki, separated by commas",
    );
  });

  it.each([
    ["true", true],
    ["1", true],
    ["yes", true],
    ["off", false],
    ["0", false],
    [false, false],
  ])("reads the switch %s", (given, expected) => {
    expect(switchSchema.parse(given)).toBe(expected);
  });

  it("keeps whole numbers within their range", () => {
    expect(wholeSchema(1, 64).parse("64")).toBe(64);
    for (const wrong of ["0", "65", "1.5", "x", 0]) expect(wholeSchema(1, 64).safeParse(wrong).success).toBe(false);
  });
});
