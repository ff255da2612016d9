import { describe, expect, it } from "vitest";
import { plainWords, UntrustedLines, UntrustedText } from "../../../src/web/components/untrusted-text.js";
import { countWords, dayWords, momentWords, sizeWords } from "../../../src/web/components/words.js";
import { timeWords } from "../../../src/web/reader/pages/guide-page.js";

describe("words", () => {
  it.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1000, "1.0 KB"],
    [123_456, "123 KB"],
    [9_500_000, "9.5 MB"],
    [2e15, "2000 TB"],
  ])("of a size: %d", (bytes, words) => {
    expect(sizeWords(bytes)).toBe(words);
  });

  it("of a number of things", () => {
    expect([countWords(0, "guide"), countWords(1, "guide"), countWords(1200, "category", "categories")]).toEqual([
      "0 guides",
      "1 guide",
      "1,200 categories",
    ]);
  });

  it("of a time, and none for what is no time", () => {
    expect(momentWords(1_700_000_000)).toBe("14 November 2023, 22:13 UTC");
    expect([dayWords(0), dayWords(1e18), dayWords(Number.NaN)]).toEqual(["", "", ""]);
  });

  it.each([
    [0, 0, ""],
    [0, 600, "10 minutes"],
    [600, 600, "10 minutes"],
    [3600, 7200, "1 – 2 hours"],
    [1800, 5400, "30 minutes – 1 hour 30 minutes"],
    [7200, 0, "at least 2 hours"],
    [0, 90_061, "1 day 1 hour"],
  ])("of the time that a guide takes: %d to %d seconds", (min, max, words) => {
    expect(timeWords({ min, max })).toBe(words);
  });
});

describe("foreign text", () => {
  it("is shown as it is, what nobody sees by its number, and turns nothing around it", () => {
    expect(String(UntrustedText({ text: "a<b>\u202Egnp\u0000\uD800" }))).toBe(
      '<bdi>a&lt;b&gt;<span class="mark">U+202E</span>gnp<span class="mark">U+0000</span><span class="mark">U+D800</span></bdi>',
    );
  });

  it("keeps its lines, each for itself", () => {
    expect(String(UntrustedLines({ text: "a\n\nb", longest: 10 }))).toBe("<bdi>a</bdi>\n\n<bdi>b</bdi>");
  });

  it("is cut where it is longer than anything people write", () => {
    expect(String(UntrustedText({ text: "x".repeat(9000), longest: 5 }))).toBe("<bdi>xxxxx…</bdi>");
    expect(plainWords(` a\u202E \n b${"x".repeat(300)}`, 6)).toBe("a bxx…");
  });
});
