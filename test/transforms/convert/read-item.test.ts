import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../helpers/seed.js";
import { jsonFault, readItem } from "../../../transforms/convert/convert-document.js";
import { guideItem, mediaItem, step, wikiItem } from "../../helpers/items.js";

describe("the JSON of an item", () => {
  it("is read as the item that it was written from", () => {
    for (const item of [guideItem(5, { steps: [step(1)] }), wikiItem("CATEGORY", "Looms"), wikiItem("ITEM", "Comb")])
      expect(readItem(JSON.stringify(item), "item.json")).toEqual(item);
  });

  it("is refused with the fields that are wrong, or with what it is", () => {
    const wrong = JSON.stringify({ ...guideItem(5), body: { ...guideItem(5).body, steps: 7, title: null } });
    expect(() => readItem(wrong, "a.json")).toThrow(
      /a\.json .* body\.title: .*expected string.*; body\.steps: .*expected array/,
    );
    expect(() => readItem(JSON.stringify(mediaItem("image", 5)), "a.json")).toThrow(
      /JSON of image\/5; guides, categories and wikis/,
    );
    expect(() => readItem("[1]", "a.json")).toThrow(/neither the JSON of a guide/);
  });

  it("may be what somebody else knows how to read", () => {
    expect(readItem('{"guideid": 5}', "a.json", () => guideItem(5))).toEqual(guideItem(5));
  });
});

describe("a text that is no JSON", () => {
  it.each([
    ["", 1, 1, "", "a value"],
    ['{"a": 1,}', 1, 9, "}", "a field's name in double quotes"],
    ['{"a": 1\n "b": 2}', 2, 2, '"', "a comma or }"],
    ["[1, 2", 1, 6, "", "a comma or ]"],
    ["[1,\n\n  nul]", 3, 3, "nul", "a value"],
    ['{"a" 1}', 1, 6, "1", "a colon"],
    ["{a: 1}", 1, 2, "a", "a field's name in double quotes or }"],
    ['{"a": "line\nend"}', 1, 7, '"', "a value"],
    ['"\\x"', 1, 1, '"', "a value"],
    ["01", 1, 1, "01", "a value"],
    ["{} {}", 1, 4, "{", "the end of the text"],
    ["[1}", 1, 3, "}", "a comma or ]"],
  ])("%j is at fault where a person would look", (text, line, column, found, expected) => {
    expect(jsonFault(text)).toEqual({ line, column, found, expected });
  });

  it("is one exactly where the engine says so", () => {
    const piece = fc.constantFrom(
      ...'{}[]:,"\\ \n',
      "1",
      "-0.5e+3",
      "true",
      "nul",
      '"a"',
      '"\\u00e9"',
      '{"a":1}',
      "[[]]",
      "\u007f",
      "é",
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      fc.json(),
      fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, more]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + more + json.slice(place);
      }),
    );
    fc.assert(
      fc.property(text, (source) => {
        expect(jsonFault(source) === undefined).toBe(isJson(source));
      }),
      { numRuns: 2000 },
    );
  });

  it("is found at any depth and length", () => {
    expect(jsonFault(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)).toBeUndefined();
    expect(jsonFault(`["${"a\\n".repeat(500_000)}", x]`)).toMatchObject({ line: 1, found: "x" });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
