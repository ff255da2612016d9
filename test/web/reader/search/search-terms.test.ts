import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { termsOf } from "../../../../transforms/search.js";
import { browserSearch } from "./helpers/browser-search.js";

const piece = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "Käse",
    "ﬁlter",
    "İstanbul",
    "Straße",
    "½ mm",
    "M3×10",
    "织布机的",
    "ใส่เส้นด้าย",
    "テスト",
    "ｶﾞｽ",
    "한국어",
    "שָׁלוֹם",
    "\u0301x",
    "ー",
  ),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(" "));

describe("the terms of a text", () => {
  const { terms } = browserSearch();

  it("are the same for the index and for a page", () => {
    fc.assert(
      fc.property(text, (words) => {
        expect([...terms.placed(words)].map(({ term }) => term)).toEqual(termsOf(words));
      }),
    );
  });

  it("stand in the text where the page says", () => {
    fc.assert(
      fc.property(text, (words) => {
        for (const { term, start, end } of terms.placed(words)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(words.length);
          expect(termsOf(words.slice(start, end))).toContain(term);
        }
      }),
    );
  });

  it("hold everything that can be typed of a text", () => {
    fc.assert(
      fc.property(text, (words) => {
        const known = termsOf(words);
        for (const term of terms.typed(words)) expect(known).toContain(term);
      }),
    );
  });

  it("hold the whole of writing without blanks, however long it is", () => {
    expect(termsOf("织".repeat(99))).toHaveLength(99);
    expect(terms.typed("ใส่เส้นด้าย".repeat(9))).toEqual([...new Set(termsOf("ใส่เส้นด้าย".repeat(9)).slice(0, -1))]);
  });

  it("of Korean begin with what is typed while a syllable is not complete", () => {
    for (const typed of ["하", "한", "한구", "한국"])
      expect(termsOf("한국어").some((term) => term.startsWith(terms.typed(typed)[0] ?? "?"))).toBe(true);
  });

  it.each([
    ["Käse GARN", ["kase", "garn"]],
    ["Straße, smörgåsbord & Łódź", ["strasse", "smorgasbord", "lodz"]],
    ["don't M3x10 90°", ["don", "t", "m3x10", "90"]],
    ["织布机", ["织布", "布机", "机"]],
    ["ガーゼ", ["ガー", "ーゼ", "ゼ"]],
    ["ｶﾞｰｾﾞ", ["ガー", "ーゼ", "ゼ"]],
    ["か\u3099く", ["がく", "く"]],
    ["バ⺀", ["バ"]],
    ["x".repeat(100), ["x".repeat(40)]],
    ["… – !", []],
  ])("%s", (words, expected) => {
    expect(termsOf(words)).toEqual(expected);
  });
});
