import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { byteRange } from "../../../../src/web/reader/server/start-reader.js";

describe("a range of bytes", () => {
  it.each([
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=0-", { start: 0, end: 1000 }],
    ["bytes=10-19", { start: 10, end: 20 }],
    ["bytes=990-5000", { start: 990, end: 1000 }],
    ["bytes=-10", { start: 990, end: 1000 }],
    ["bytes=-5000", { start: 0, end: 1000 }],
    ["bytes= 10 - 19", { start: 10, end: 20 }],
    ["bytes=1000-", "none"],
    ["bytes=-0", "none"],
    ["bytes=20-10", "all"],
    ["bytes=0-1,5-6", "all"],
    ["items=0-1", "all"],
    ["bytes=-", "all"],
    ["bytes=a-b", "all"],
    ["bytes=99999999999999999999-", "all"],
    [undefined, "all"],
  ])("of %s", (header, expected) => {
    expect(byteRange(header, 1000)).toEqual(expected);
  });

  it("lies in the content, whatever is asked for", () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => `bytes=${from}-${to}`),
    );
    fc.assert(
      fc.property(header, fc.nat(), (text, size) => {
        const range = byteRange(text, size);
        if (range === "all" || range === "none") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThan(range.end);
        expect(range.end).toBeLessThanOrEqual(size);
      }),
    );
  });
});
