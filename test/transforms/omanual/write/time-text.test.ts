import { expect, it } from "vitest";
import type { Finding } from "../../../../transforms/omanual/write/print-element.js";
import { NO_CONTEXT } from "../../../../transforms/omanual/write/write-context.js";
import { timeText } from "../../../../transforms/omanual/write/write-item.js";

function text(min: number, max: number): readonly [text: string, codes: readonly string[]] {
  const found: Finding[] = [];
  const writing = { context: NO_CONTEXT, uses: new Map(), report: (finding: Finding) => void found.push(finding) };
  return [timeText({ min, max }, writing), found.map(({ code }) => code)];
}

it.each([
  [0, 0, ""],
  [3600, 3600, "1 hour"],
  [1800, 3600, "30 - 60 minutes"],
  [0, 7200, "0 - 2 hours"],
  [90, 90, "90 seconds"],
  [86_400, 259_200, "1 - 3 days"],
  [604_800, 1_209_600, "1 - 2 weeks"],
])("writes %i to %i seconds in words that read back exactly", (min, max, words) => {
  expect(text(min, max)).toEqual([words, []]);
});

it("says when words cannot be exact", () => {
  expect(text(7200, 3600)).toEqual(["2 - 1 hour", ["time-required"]]);
  expect(text(0, 1_000_001)).toEqual(["0 - 1000001 seconds", ["time-required"]]);
});
