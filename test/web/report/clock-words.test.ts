import { expect, it } from "vitest";
import { clockWords } from "../../../src/web/report/rate-charts.js";

it.each([
  [60_000, "03:04:05"],
  [8 * 3_600_000, "03:04"],
  [60 * 3_600_000, "7 Nov 03:04"],
])("is as fine as an axis of %d milliseconds needs", (length, words) => {
  expect(clockWords(Date.parse("2026-11-07T03:04:05Z"), length)).toBe(words);
});
