import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextReader } from "../../../transforms/references/text-reader.js";
import { canonicalText as canonicalTextOf } from "../../../transforms/steps/normalise-syntax.js";
import { paragraph } from "../../../transforms/wiki/build.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { shapeOf } from "../../../transforms/wiki/shape.js";
import { cpuTime } from "../../helpers/cpu-time.js";
import { guideItem, step, wikiItem } from "../../helpers/items.js";
import { markerSoup } from "../wiki/marker-soup.js";
import { runTransform } from "./run-transform.js";

const reader = new TextReader({ origin: "https://old.example", hosts: [] });
const canonicalText = (text: string, where: "page" | "line") => canonicalTextOf(text, where, reader);

/** The table of docs/design/transforms.md. */
const PAGES: readonly (readonly [string, string])[] = [
  ["*one\n*   two", "* one\n* two"],
  ["* one\n#* two", "* one\n** two"],
  ["==Tools==", "== Tools =="],
  ["===  Tools ===", "=== Tools ==="],
  ["one\n\n\n\ntwo", "one\n\ntwo"],
  ["== Tools ==\nSaw", "== Tools ==\n\nSaw"],
  ["one\r\n\r\ntwo", "one\n\ntwo"],
  ["\n\none\n\n", "one"],
  ["a[BR]b", "a[br]b"],
  ["[CODE]x[/CODE]", "[code]\nx\n[/code]"],
  ["[quote|Ann|format=long]So.[/quote]", "[quote|Ann]\nSo.\n\n[/quote]"],
  ["[Image | 5 | size=medium | align=left]", "[image|5|align=left|size=medium]"],
  ["x[br]\r\ny [foo|a\r\nb]", "x[br]\ny [foo|a\nb]"],
  ["* [guide|1| '''a''' b ]", "* [guide|1|'''a''' b]"],
  ["[Image|5|A caption]", "[image|5|A caption]"],
  ["*one\n\n * no list", "* one\n\n * no list"],
  ["[guide|12|New_Window=TRUE]", "[guide|12|new_window=true]"],
];

const LINES: readonly (readonly [string, string])[] = [
  ["[link|https://e.org/x|label]", "[https://e.org/x|label]"],
  ["[Guide | 12 | the guide | stepid = 5]", "[guide|12|the guide|stepid=5]"],
  ["[guide|12|stepid=5|the guide]", "[guide|12|the guide|stepid=5]"],
  ["[/info/x|label]", "[link|/info/x|label]"],
  ["[MAILTO|a@e.org]", "[mailto|a@e.org]"],
  ["a[BR]b", "a[br]b"],
];

/** They have one spelling only, or the other one could mean something else. */
const KEPT = [
  "[CODE][guide|1|x][/CODE]",
  "[link|/info/x|label]",
  "'''''both'''''",
  "a <br> b",
  "[[Mac_mini|x]]",
  "[title|X]",
  " * no list",
];

describe("normalise-syntax", () => {
  it.each(PAGES)("writes %j on a page as %j", (given, wanted) => {
    expect(canonicalText(given, "page")).toBe(wanted);
  });

  it.each(LINES)("writes %j in a line as %j", (given, wanted) => {
    expect(canonicalText(given, "line")).toBe(wanted);
  });

  it.each(KEPT)("leaves %j as it is", (text) => {
    expect(canonicalText(text, "page")).toBe(text);
  });

  it("changes how a text is spelled and never what it means", () => {
    fc.assert(
      fc.property(markerSoup, (text) => {
        expect(pageShape(canonicalText(text, "page"))).toBe(pageShape(text));
        expect(lineShape(canonicalText(text, "line"))).toBe(lineShape(text));
      }),
      { numRuns: 300 },
    );
  });

  it("gives for its own result that result again", () => {
    fc.assert(
      fc.property(markerSoup, fc.constantFrom("page" as const, "line" as const), (text, context) => {
        const once = canonicalText(text, context);
        expect(canonicalText(once, context)).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it("takes time in proportion to the text", () => {
    const text = (length: number) => "*one\n==A==\n[Guide | 1 | x ]\n'''''a\n\n".repeat(length);
    const cpuFor = (length: number) =>
      Math.min(...[1, 2, 3].map(() => cpuOf(() => canonicalText(text(length), "page"))));
    const short = cpuFor(500);
    // Eight times the text: 64 times the work if it were not in proportion.
    expect(cpuFor(4000)).toBeLessThan(40 * short + 50);
  });

  it("reports each text that it spelled anew, and gives the very same item when there is none", () => {
    const modern = guideItem(1, { introduction: "* one", steps: [step(1, ["[guide|2|x]"])] });
    expect(runTransform("normalise-syntax", {}, modern)).toEqual({ items: [modern], issues: [] });
    expect(runTransform("normalise-syntax", {}, modern).items[0]).toBe(modern);
    const old = guideItem(1, { conclusion: "*one", steps: [step(1, ["x", "[Guide|2|x]"])] });
    const { items, issues } = runTransform("normalise-syntax", {}, { ...old, raw: { kept: true } });
    expect(items).toEqual([
      {
        ...old,
        raw: { kept: true },
        body: { ...old.body, conclusion: "* one", steps: [step(1, ["x", "[guide|2|x]"])] },
      },
    ]);
    expect(issues.map(({ code, key, path }) => [code, key, path])).toEqual([
      ["syntax-normalised", "guide/1", "conclusion"],
      ["syntax-normalised", "guide/1", "steps[0].lines[1].text"],
    ]);
    expect(
      runTransform("normalise-syntax", {}, wikiItem("WIKI", "Sheds", { contents: "*one" })).items[0],
    ).toMatchObject({
      body: { contents: "* one" },
    });
  });
});

/** Milliseconds of processor time. */
function cpuOf(work: () => void): number {
  const before = cpuTime();
  work();
  return cpuTime() - before;
}

function pageShape(text: string): string {
  return shapeOf(parse(text, { context: "page" }).tree.children);
}

function lineShape(text: string): string {
  return shapeOf([paragraph(parse(text, { context: "line" }).tree.children)]);
}
