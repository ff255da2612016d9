import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, lineWidth, stageLine } from "../../../src/commands/output/progress.js";
import type { ProgressEvent } from "../../../src/sync/control.js";

const EVENT: ProgressEvent = { stage: "extract", done: 1204, total: 3000, failed: 2 };
const PACE = { rate: 4.25, left: 423 };

describe("the line of a stage", () => {
  it.each([
    [200, "extract  1204 of 3000    4.3/s  2 failed"],
    [80, "extract  1204 of 3000    4.3/s  2 failed"],
    [36, "extract  1204 of 3000    2 failed"],
    [30, "extract  1204 of 3000"],
    [10, "extract …"],
  ])("shows what fits into %d columns", (columns, line) => {
    expect(stageLine(EVENT, PACE, columns, null)).toBe(line);
  });

  it("shows the time of a stage that is over, and nothing left, also where the total was estimated", () => {
    const media: ProgressEvent = { stage: "media", done: 36, total: null, estimate: 235, failed: 0, bytes: 4200 };
    expect(stageLine(media, PACE, 80, null)).toBe("media    36 of about 235  4.2 kB  4.3/s");
    expect(stageLine(media, PACE, 80, 13.2)).toBe("media    36              done in 0:14  4.2 kB");
    expect(stageLine({ ...media, stage: "check", failed: 3 }, PACE, 80, 1)).toMatch(
      /^prepare .* done in 0:01 .*3 left out$/,
    );
  });

  it("is never as long as a row, so that no terminal breaks it", () => {
    const number = fc.nat(10_000_000);
    fc.assert(
      fc.property(number, number, number, fc.integer({ min: 2, max: 300 }), (done, total, failed, columns) => {
        const line = stageLine({ stage: "publish", done, total, failed }, { rate: done, left: total }, columns, null);
        expect(line.length).toBeLessThanOrEqual(lineWidth(columns));
        expect(lineWidth(columns)).toBeLessThan(columns);
        expect(cut(line, columns)).toBe(line);
      }),
    );
  });
});
