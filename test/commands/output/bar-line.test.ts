import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barLine, cut, lineWidth } from "../../../src/commands/output/progress.js";
import type { ProgressEvent } from "../../../src/sync/control.js";

const EVENT: ProgressEvent = { stage: "extract", done: 1204, total: 3000, failed: 2 };
const PACE = { rate: 4.25, left: 423 };
const bar = (size: number): string => "=".repeat(size);

describe("the line of a stage", () => {
  it.each([
    [200, `extract ${bar(30)} 1204/3000  4.3/s  7:03 left  2 failed`],
    [80, `extract ${bar(30)} 1204/3000  4.3/s  7:03 left  2 failed`],
    [60, `extract ${bar(10)} 1204/3000  4.3/s  7:03 left  2 failed`],
    [40, "extract 1204/3000  7:03 left  2 failed"],
    [30, "extract 1204/3000  2 failed"],
    [18, "extract 1204/3000"],
    [10, "extract …"],
  ])("tells what fits into %d columns", (columns, line) => {
    expect(barLine(EVENT, PACE, columns, bar)).toBe(line);
  });

  it("has no bar where the total is not known, and keeps its place", () => {
    const line = barLine({ ...EVENT, total: null, failed: 0 }, { rate: 0.25, left: null }, 80, bar);
    expect(line).toBe(`extract ${" ".repeat(30)} 1204  15/min`);
  });

  it("never is as long as a row, so that no terminal breaks it", () => {
    const number = fc.nat(10_000_000);
    fc.assert(
      fc.property(number, number, number, fc.integer({ min: 2, max: 300 }), (done, total, failed, columns) => {
        const line = barLine({ stage: "publish", done, total, failed }, { rate: done, left: total }, columns, bar);
        expect(line.length).toBeLessThanOrEqual(lineWidth(columns));
        expect(lineWidth(columns)).toBeLessThan(columns);
        expect(cut(line, columns)).toBe(line);
      }),
    );
  });
});
