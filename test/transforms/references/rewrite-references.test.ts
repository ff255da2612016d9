import { describe, expect, it } from "vitest";
import type { Resolution, RewriteOptions } from "../../../transforms/references/rewrite-options.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { NEW, OLD, optionsFor, sameName } from "./sites.js";

const LATER: Resolution = { later: true };

/** Everything is at the target, under these names. */
const HOME: Readonly<Record<string, Resolution>> = {
  "guide/12": { id: "901" },
  "guide/13": { id: "902" },
  "step/5": { id: "5001" },
  "image/5": { id: "77" },
  "document/9": { id: "88" },
  "document/ab12": { id: "cd34" },
  "video/7": { id: "66" },
  "category/Hand Looms": { id: "Table Looms" },
  "wiki/WIKI/Saws": { id: "Saws" },
  "wiki/WIKI/C": { id: "C [new] | #1" },
  "wiki/USER/5": { id: "31" },
};

function rewrite(text: string, options: RewriteOptions): string {
  return rewriteReferences(text, options).text;
}

describe("a goal that is at the target", () => {
  it.each([
    ["[guide|12|label]", "[guide|901|label]"],
    ["[guide|12]", "[guide|901]"],
    ["[guide | 012 | label ]", "[guide | 901 | label ]"],
    ["[guide|12|label|stepid=5|new_window=true]", "[guide|901|label|stepid=5001|new_window=true]"],
    ["[guide|12|stepid=5|label]", "[guide|901|stepid=5001|label]"],
    ["[guide|12|see [guide|13|x]]", "[guide|901|see [guide|902|x]]"],
    ["[guide|12|a [b|stepid=5] c", "[guide|901|a [b|stepid=5001] c"],
    ["[image|5|align=left|size=medium]", "[image|77|align=left|size=medium]"],
    ["[summary_image|5]", "[summary_image|77]"],
    ["[document|9|a.pdf]", "[document|88|a.pdf]"],
    ["[video|7]", "[video|66]"],
    ["[[Saws#Section_A|x]]", "[[Saws#Section_A|x]]"],
    ["[[Topic:Hand_Looms#Section_A|x]]", "[[Topic:Table Looms#Section_A|x]]"],
    ["[[User:5|Ann]]", "[[User:31|Ann]]"],
    [
      "[[C#Section_A|x|new_window=true]]",
      "[https://new.example/Wiki/C_%5Bnew%5D_%7C_%231#Section_A|x|new_window=true]",
    ],
    ["[[C]]", "[https://new.example/Wiki/C_%5Bnew%5D_%7C_%231|C]"],
    ["http://old.example:8080/Guide/A+Loom/12/2?x=1#s5", "https://new.example/Guide/A+Loom/901/2?x=1#s5001"],
    ["[https://old.example/Guide/x/12|label]", "[https://new.example/Guide/x/901|label]"],
    ["[//old.example/Guide/x/12|label]", "[https://new.example/Guide/x/901|label]"],
    ["[link|/Guide/x/12#s5|label]", "[link|/Guide/x/901#s5001|label]"],
    ["https://old.example/c/Hand_Looms#Section_A", "https://new.example/c/Table_Looms#Section_A"],
    ["[/Wiki/Saws|x]", "[/Wiki/Saws|x]"],
    ["https://old.example/Document/ab12/a.pdf", "https://new.example/Document/cd34/a.pdf"],
    ["https://old.example/api/2.0/guides/12", "https://new.example/api/2.0/guides/901"],
    [
      "[https://old.example/Guide/x/12|https://old.example/Guide/x/12]",
      "[https://new.example/Guide/x/901|https://new.example/Guide/x/901]",
    ],
  ])("is pointed to: %s", (text, expected) => {
    expect(rewriteReferences(`a ${text} b`, optionsFor(HOME))).toEqual({
      text: `a ${expected} b`,
      missing: [],
      dangling: [],
    });
  });

  it("keeps the link to the guide without its step while the step has no id", () => {
    const options = optionsFor({ ...HOME, "step/5": LATER });
    const text =
      "[guide|12|label|stepid=5|new_window=true] https://old.example/Guide/x/12/2#s5 [guide|12|a [b|stepid=5] c";
    expect(rewriteReferences(text, options)).toEqual({
      text: "[guide|901|label|new_window=true] https://new.example/Guide/x/901/2 [guide|901|a [b|] c",
      missing: ["step/5"],
      dangling: [],
    });
  });

  it("keeps the link to the guide when its step never moves, and says so", () => {
    const { "step/5": _, ...answers } = HOME;
    expect(rewriteReferences("[guide|12|label|stepid=5]", optionsFor(answers))).toEqual({
      text: "[guide|901|label]",
      missing: [],
      dangling: [{ key: "step/5", reference: "[guide|12|label|stepid=5]", written: "guide" }],
    });
    expect(rewriteReferences("[guide|12|label|stepid=5]", optionsFor(answers, { dangling: "fail" }))).toEqual({
      text: "[guide|12|label|stepid=5]",
      missing: [],
      dangling: [{ key: "step/5", reference: "[guide|12|label|stepid=5]", written: "failed" }],
    });
  });
});

/** Form by form: the reference, as an absolute link, as a label. */
const AWAY: readonly (readonly [string, string, string])[] = [
  ["[guide|12|label|stepid=5]", "[https://old.example/Guide/-/12#s5|label]", "label"],
  ["[guide|12|stepid=5|label]", "[https://old.example/Guide/-/12#s5|label]", "label"],
  ["[guide|12]", "[https://old.example/Guide/-/12|guide 12]", "guide 12"],
  ["[guide|12| ]", "[https://old.example/Guide/-/12|guide 12]", "guide 12"],
  ["[guide|12||stepid=5]", "[https://old.example/Guide/-/12#s5|guide 12]", "guide 12"],
  ["[guide|12|new_window=true]", "[https://old.example/Guide/-/12|guide 12|new_window=true]", "guide 12"],
  ["[guide|12|a|b|new_window=true]", "[https://old.example/Guide/-/12|a|b|new_window=true]", "a|b"],
  ["[guide|12|a [b] c]", "[https://old.example/Guide/-/12|a [b] c]", "a [b] c"],
  ["[guide|12|a = b]", "[https://old.example/Guide/-/12|a = b]", "a = b"],
  ["[image|5|align=left|size=medium]", "[https://cdn.example/image/5|image 5]", "image 5"],
  ["[video|7]", "[https://cdn.example/video/7|video 7]", "video 7"],
  ["[document|9|a.pdf]", "[https://cdn.example/document/9|a.pdf]", "a.pdf"],
  ["[[Saws]]", "[https://old.example/Wiki/Saws|Saws]", "Saws"],
  ["[[2009_Subaru_X#Section_A |here]]", "[https://old.example/Wiki/2009_Subaru_X#Section_A|here]", "here"],
  ["[[Topic:Loom 15%|l|new_window=true]]", "[https://old.example/c/Loom_15%25|l|new_window=true]", "l"],
  ["[[Item:Shuttle]]", "[https://old.example/Item/Shuttle|Shuttle]", "Shuttle"],
  ["[[Info:Safety]]", "[https://old.example/Info/Safety|Safety]", "Safety"],
  ["[[User:5|Ann]]", "[https://old.example/User/5|Ann]", "Ann"],
  ["[[Team:3|Us]]", "[https://old.example/Team/3|Us]", "Us"],
  ["[link|/Guide/x/12#s5|label]", "[link|https://old.example/Guide/x/12#s5|label]", "label"],
  ["[/Guide/x/12|label]", "[https://old.example/Guide/x/12|label]", "label"],
  ["[link|/Guide/x/12]", "[link|https://old.example/Guide/x/12]", "/Guide/x/12"],
  ["[http://old.example/Guide/x/12|l]", "[http://old.example/Guide/x/12|l]", "l"],
  ["[http://old.example/Guide/x/12]", "[http://old.example/Guide/x/12]", "old.example/Guide/x/12"],
  ["http://old.example/Guide/x/12#s5", "http://old.example/Guide/x/12#s5", "old.example/Guide/x/12#s5"],
];

function cdn(key: string): string | undefined {
  return /^(?:image|video|document)/.test(key) ? `https://cdn.example/${key}` : undefined;
}

describe("a goal that has no id yet", () => {
  it.each(AWAY)("stands as an absolute link to the old site: %s", (text, absolute) => {
    const options = optionsFor({}, { resolve: () => LATER, addressOf: cdn });
    const rewritten = rewriteReferences(`a ${text} b`, options);
    expect(rewritten.text).toBe(`a ${absolute} b`);
    expect(rewritten.dangling).toEqual([]);
  });

  it("is listed once, with its steps that have no id either", () => {
    const options = optionsFor({ "guide/12": LATER, "step/5": LATER, "step/6": { id: "1" }, "image/5": LATER });
    const text = "[guide|12|a|stepid=5] [guide|12|a|stepid=6] [image|5] [guide|12]";
    expect(rewriteReferences(text, options).missing).toEqual(["guide/12", "step/5", "image/5"]);
  });

  it("becomes its label where no address at the old site is known, and stays listed", () => {
    const options = optionsFor({}, { resolve: () => LATER });
    expect(rewriteReferences("[image|5] [document|9|a.pdf] [summary_image|6]x", options)).toEqual({
      text: "image 5 a.pdf x",
      missing: ["image/5", "document/9", "image/6"],
      dangling: [],
    });
  });

  it.each(AWAY)("can stand as its label: %s", (text, _, label) => {
    expect(rewrite(`a ${text} b`, optionsFor({}, { resolve: () => LATER, later: "label" }))).toBe(`a ${label} b`);
  });
});

describe("a goal that does not move", () => {
  it.each(AWAY)("is written and listed as the policy says: %s", (text, absolute, label) => {
    const outcome = (dangling: "absolute" | "label" | "fail") => {
      const rewritten = rewriteReferences(text, optionsFor({}, { dangling, addressOf: cdn }));
      return [rewritten.text, rewritten.missing, rewritten.dangling.map((entry) => [entry.reference, entry.written])];
    };
    expect(outcome("absolute")).toEqual([absolute, [], [[text, "absolute"]]]);
    expect(outcome("label")).toEqual([label, [], [[text, "label"]]]);
    expect(outcome("fail")).toEqual([text, [], [[text, "failed"]]]);
  });

  it("names key, reference and outcome, products and pages of the old site included", () => {
    const text =
      "[guide|12|a] [product|AB-1|Spudger] [product|AB-2] [link|/Search?q=1|find] https://old.example [image|5]";
    expect(rewriteReferences(text, optionsFor({}))).toEqual({
      text: "[https://old.example/Guide/-/12|a] [product|AB-1|Spudger] [product|AB-2] [link|https://old.example/Search?q=1|find] https://old.example image 5",
      missing: [],
      dangling: [
        { key: "guide/12", reference: "[guide|12|a]", written: "absolute" },
        { key: "product/AB-1", reference: "[product|AB-1|Spudger]", written: "kept" },
        { key: "product/AB-2", reference: "[product|AB-2]", written: "kept" },
        { key: "page/Search?q=1", reference: "[link|/Search?q=1|find]", written: "absolute" },
        { key: "page/", reference: "https://old.example", written: "absolute" },
        { key: "image/5", reference: "[image|5]", written: "label" },
      ],
    });
  });

  it("takes the address that the caller knows, with the step's anchor, in a form that wiki syntax can hold", () => {
    const addressOf = (key: string) =>
      key === "guide/13" ? "https://old.example/Guide/B/13#top" : "https://old.example/Guide/A [1] | x/12";
    expect(rewrite("[guide|12|l|stepid=5] [guide|13|l|stepid=5]", optionsFor({}, { addressOf }))).toBe(
      "[https://old.example/Guide/A%20%5B1%5D%20%7C%20x/12#s5|l] [https://old.example/Guide/B/13#top|l]",
    );
  });

  it("gets the folder that categories have in the site's dialect, and an origin without a path", () => {
    const source = { ...OLD, origin: "https://old.example/", dialect: "ifixit" as const };
    expect(rewrite("[[Topic:Hand Looms]]", optionsFor({}, { source }))).toBe(
      "[https://old.example/Device/Hand_Looms|Hand Looms]",
    );
    expect(rewrite("[guide|12|l]", optionsFor({}, { source: { ...OLD, origin: "odd" } }))).toBe("[odd/Guide/-/12|l]");
  });

  it("survives a title with half a character", () => {
    expect(rewrite("[[A\ud83d]]", optionsFor({}))).toBe("[https://old.example/Wiki/A%EF%BF%BD|A\ud83d]");
  });
});

/**
 * By title, or by an address of the old site: no number in them means another thing at the target.
 */
const HARMLESS: readonly string[] = [
  "[[Missing page|label]]",
  "[[Topic:Missing_page#Section_A|label|new_window=true]]",
  "[[Item:No such part]]",
  "[link|/c/Missing|label]",
  "[/Wiki/Missing|label]",
  "[https://old.example/Info/Missing|label]",
  "https://old.example/c/Missing",
  "https://old.example/Guide/x/12#s5",
  "[https://old.example/User/5|Ann]",
  "((see [[Missing page]] (and [[Topic:Other|b]]))",
];

describe("a goal that is not at the source either", () => {
  it.each(HARMLESS)("stays byte for byte where it holds no bare id, and is noted: %s", (text) => {
    for (const dangling of ["absolute", "label", "fail"] as const) {
      const rewritten = rewriteReferences(text, optionsFor({}, { dangling, resolve: () => ({ absent: true }) }));
      expect(rewritten.text).toBe(text);
      expect(rewritten.missing).toEqual([]);
      expect(new Set(rewritten.dangling.map(({ written }) => written))).toEqual(new Set(["kept"]));
    }
  });

  it.each([
    ["[guide|12|label]", "[https://old.example/Guide/-/12|label]", "label"],
    ["[image|5|size=medium]", "image 5", "image 5"],
    ["[link|/Guide/x/12|label]", "[link|https://old.example/Guide/x/12|label]", "label"],
    ["[[User:5|Ann]]", "[https://old.example/User/5|Ann]", "Ann"],
    ["[link|/Team/5|Us]", "[link|https://old.example/Team/5|Us]", "Us"],
  ])("never leaves a bare id: %s", (text, absolute, label) => {
    const absent = () => ({ absent: true }) as const;
    expect(rewrite(text, optionsFor({}, { resolve: absent }))).toBe(absolute);
    expect(rewrite(text, optionsFor({}, { resolve: absent, dangling: "label" }))).toBe(label);
    const [failed] = rewriteReferences(text, optionsFor({}, { resolve: absent, dangling: "fail" })).dangling;
    expect(failed?.written).toBe("failed");
  });
});

describe("a product of the shop", () => {
  const text = "a [product|IF145-002|Spudger] and [product|AB-2] b";

  it.each(["absolute", "fail"] as const)("keeps its catalogue number under %s, and is noted", (dangling) => {
    const rewritten = rewriteReferences(text, optionsFor({}, { dangling }));
    expect(rewritten.text).toBe(text);
    expect(rewritten.dangling.map(({ key, written }) => [key, written])).toEqual([
      ["product/IF145-002", "kept"],
      ["product/AB-2", "kept"],
    ]);
  });

  it("is text where labels are asked for", () => {
    expect(rewrite(text, optionsFor({}, { dangling: "label" }))).toBe("a Spudger and product AB-2 b");
  });
});

describe("documents, which have no site", () => {
  it("have no address to lead to, so that a reference becomes its label", () => {
    const options = optionsFor({}, { source: { origin: "", hosts: [] } });
    expect(rewrite("[guide|12|a] [[Saws|b]] [product|AB-1|c]", options)).toBe("a b [product|AB-1|c]");
    const later = optionsFor({}, { source: { origin: "", hosts: [] }, resolve: () => LATER });
    expect(rewrite("[guide|12|a] [[Saws|b]]", later)).toBe("a b");
  });
});

describe("one site as source and target", () => {
  it("leaves what is at home already, whatever it is", () => {
    const text = "[guide|12|a] [product|AB-1] [link|/Search|x] http://guides.old.example:8080/Guide/x/12 [[Saws]]";
    expect(rewriteReferences(text, optionsFor({}, { target: OLD, resolve: sameName }))).toEqual({
      text,
      missing: [],
      dangling: [],
    });
  });

  it("still gives other ids", () => {
    expect(rewrite("[link|http://old.example/Guide/x/12]", optionsFor(HOME, { target: OLD }))).toBe(
      "[link|http://old.example/Guide/x/901]",
    );
  });
});

it("does not take addresses of the target for references", () => {
  const text = `${NEW.origin}/Guide/x/12 [${NEW.origin}/Guide/x/12|label]`;
  expect(rewriteReferences(text, optionsFor({}))).toEqual({ text, missing: [], dangling: [] });
});

it("reads step lines without blocks and pages with them", () => {
  const text = "[code]\n[guide|12]\n[/code]";
  expect(rewrite(text, optionsFor(HOME, { context: "page" }))).toBe(text);
  expect(rewrite(text, optionsFor(HOME, { context: "line" }))).toBe("[code]\n[guide|901]\n[/code]");
});
