import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divide } from "../../../transforms/fit/shorten.js";
import { tokenize, tokenizePlain } from "../../../transforms/fit/tokenize.js";
import { inlineText } from "./arbitrary.js";

/** The parts of a text that is divided into pieces of a length. */
function parts(text: string, length: number): readonly string[] {
  return divide(tokenize(text), (piece) => piece.length <= length).pieces;
}

/** Text without what a division may add or leave out: markers and spaces. */
function bare(text: string): string {
  return text.replace(/[\s'+~^,`]/g, "");
}

describe("divide", () => {
  it("leaves text that fits as it is, but for spaces at its ends", () => {
    expect(parts(" Warp it. ", 20)).toEqual(["Warp it."]);
    expect(parts("  ", 20)).toEqual([]);
  });

  it("prefers the end of a sentence in the second half, then a space", () => {
    expect(parts("Warp the loom. Then beat it.", 20)).toEqual(["Warp the loom.", "Then beat it."]);
    expect(parts("Yes. Warp the whole loom now", 22)).toEqual(["Yes. Warp the whole", "loom now"]);
    expect(parts('He said "warp it." Then left', 22)).toEqual(['He said "warp it."', "Then left"]);
  });

  it("takes an abbreviation before a small letter for no end of a sentence", () => {
    expect(parts("Take approx. nine threads", 20)).toEqual(["Take approx. nine", "threads"]);
  });

  it("ends a sentence without a space where the script has none", () => {
    expect(parts("糸を巻く。機を織る。布を切る", 12)).toEqual(["糸を巻く。機を織る。", "布を切る"]);
  });

  it("divides text without spaces between words, else between characters", () => {
    expect(parts("weft-threading-combs", 12)).toEqual(["weft-", "threading-", "combs"]);
    expect(parts("aaaaaaaaaa", 4)).toEqual(["aaaa", "aaaa", "aa"]);
  });

  it("divides between the words of a script without spaces", () => {
    expect(parts("A 織機の糸を巻く織機の糸", 10)).toEqual(["A 織機の糸を巻く", "織機の糸"]);
  });

  it("takes an early space rather than the middle of a long word", () => {
    expect(parts("An incomprehensibility", 18)).toEqual(["An", "incomprehensibilit", "y"]);
  });

  it("keeps a number and its unit together at a no-break space", () => {
    expect(parts("Drill it to 5\u00a0mm now", 14)).toEqual(["Drill it to", "5\u00a0mm now"]);
  });

  it("closes marks at a cut and opens them again behind it", () => {
    expect(parts("'''warp ++the loom++ well'''", 20)).toEqual(["'''warp ++the++'''", "'''++loom++ well'''"]);
    expect(parts("'''''the'' loom'''", 14)).toEqual(["'''''the'''''", "'''loom'''"]);
    expect(parts("'''''warp the'' loom'''", 20)).toEqual(["'''''warp the'''''", "'''loom'''"]);
  });

  it("never leaves an empty pair of markers behind", () => {
    expect(parts("warp '''the''' loom", 9)).toEqual(["warp", "'''the'''", "loom"]);
    expect(parts("warp ''' the loom'''", 11)).toEqual(["warp", "''' the'''", "'''loom'''"]);
    expect(parts("'''warp ''' it", 10)).toEqual(["'''war'''", "'''p '''", "it"]);
  });

  it("doesn't part a combining sign from the marker that it stands on", () => {
    expect(parts("'''warp'''\u0301it", 10)).toEqual(["'''war'''", "'''p'''\u0301it"]);
  });

  it("takes a marker without a partner as text", () => {
    expect(parts("a 3/4'' rod of '''oak'''", 14)).toEqual(["a 3/4'' rod of", "'''oak'''"]);
  });

  it("reads runs of quotes as the syntax advises", () => {
    expect(parts("''''tis''' so", 10)).toEqual(["''''tis'''", "so"]);
    expect(parts("''''''tip''' so", 12)).toEqual(["''''''tip'''", "so"]);
  });

  it("doesn't cut beside a quote that would lengthen a marker", () => {
    expect(parts("'''a 1/2'' b''' c", 14)).toEqual(["'''a'''", "'''1/2'' b'''", "c"]);
  });

  it.each([
    ["a link", "[https://e.example/a b|two words]"],
    ["a wiki link", "[[Hand Looms|looms and more]]"],
    ["a macro", "[guide|12|warp the loom|stepid=3]"],
    ["a link whose label holds brackets", "[https://e.example|see [2] there]"],
    ["a link whose label holds brackets in brackets", "[guide|3|see [2 [b]] there]"],
    ["a link whose label holds half a bracket", "[guide|3|see [2 there]"],
    ["an address", "https://e.example/a,b++c"],
    ["a block of code", "[code]a b\n\nc[/code]"],
    ["a macro without a bar", "[br]"],
  ])("never cuts %s", (_, atom) => {
    expect(parts(`see ${atom} now`, atom.length)).toEqual(["see", atom, "now"]);
  });

  it("cuts brackets that are no macro", () => {
    expect(parts("[a note to self]", 8)).toEqual(["[a note", "to self]"]);
    expect(parts("[[a note to self]", 9)).toEqual(["[[a note", "to self]"]);
    expect(parts("[a note [guide|3|it] to self", 12)).toEqual(["[a note", "[guide|3|it]", "to self"]);
  });

  it("ends an address before the markers that close behind it", () => {
    expect(parts("++see https://e.example/a++ now", 23)).toEqual(["++see++", "++https://e.example/a++", "now"]);
  });

  it("tells what cannot be divided", () => {
    const division = divide(tokenize("see [https://e.example|the page]"), (piece) => piece.length <= 10);
    expect(division).toEqual({ pieces: ["see"], stuck: "[https://e.example|the page]" });
  });

  it("sees no markup in plain text", () => {
    const division = divide(tokenizePlain("[a|b c] '''d e"), (piece) => piece.length <= 8);
    expect(division.pieces).toEqual(["[a|b c]", "'''d e"]);
  });

  it("makes pieces that fit and, together, are the text", () => {
    fc.assert(
      fc.property(inlineText(80), fc.integer({ min: 20, max: 90 }), (text, length) => {
        const { pieces, stuck } = divide(tokenize(text), (piece) => piece.length <= length);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(length);
          expect(piece.trim()).not.toBe("");
        }
        expect(bare(pieces.join("") + stuck)).toBe(bare(text));
      }),
      { numRuns: 600 },
    );
  });

  it("never adds or takes a character when nothing is marked, beside the space at a cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 40, max: 90 }), (text, length) => {
        const { pieces, stuck } = divide(tokenizePlain(text), (piece) => piece.length <= length);
        let rest = text;
        for (const piece of [...pieces, ...(stuck === "" ? [] : [stuck])]) {
          expect(rest.trimStart().startsWith(piece.trimStart())).toBe(true);
          rest = rest.trimStart().slice(piece.trimStart().length);
        }
        expect(rest.trim()).toBe("");
      }),
    );
  });

  it("cuts no character as readers see it, and no surrogate pair", () => {
    const ends = (text: string) =>
      new Set([...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].map(({ index }) => index));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 20, maxLength: 120 }), (text) => {
        const { pieces } = divide(tokenizePlain(text), (piece) => piece.length <= 16);
        let from = 0;
        for (const piece of pieces) {
          const at = text.indexOf(piece, from);
          expect(ends(text).has(at)).toBe(true);
          from = at + piece.length;
        }
      }),
    );
  });
});
