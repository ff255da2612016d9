import { expect, it } from "vitest";
import { references } from "../../../transforms/references/references.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { growthOf, MOST_GROWTH } from "./growth.js";
import { OLD, optionsFor } from "./sites.js";

const HOSTILE: readonly string[] = [
  "[",
  "]",
  "|",
  "[[",
  "[[a",
  "[[a|",
  "[[[a]]]",
  "[guide|1|",
  "[guide|1]",
  "[guide|",
  "[guide ",
  "[guide|1 ",
  "[guide|1|stepid=1|[x",
  "[image|5|size=",
  "[product|a ",
  "http://",
  "http://''",
  "http://a''",
  "http://.,",
  "[guide\n|1|",
  "[guide\n|1|x]",
  "== [guide|1|a ==\n",
  "[soldering|[guide|1|",
  "[image|5|x|",
  "[summary_image|5|[",
  "http://old.example/",
  "https://old.example/c/",
  "[http://old.example/a ",
  "[link|/",
  "[code]\n",
  "\n[/code]",
  "[[http://old.example/Guide/x/1|",
  "'",
  ").",
  "| ",
  "|stepid=1",
  "[guide|1|[[a|[image|5|",
];

/**
 * Brackets count only where one closes after them, so that there is one at the end, and one that
 * closes nothing.
 */
const TAILS = ["]]", " "];

function find(text: string): void {
  references(text, OLD, "page");
  references(text, OLD, "line");
}

function rewrite(text: string): void {
  rewriteReferences(text, optionsFor({}, { dangling: "label" }));
}

it.each(HOSTILE)("references in very many %j are found in time in proportion to its length", (piece) => {
  for (const tail of TAILS) expect(growthOf(find, piece, tail)).toBeLessThan(MOST_GROWTH);
});

it.each(["[[a|", "[guide|1]", "[guide|1|stepid=1|[x", "http://old.example/c/a "])(
  "a text of very many %j is rewritten in time in proportion to its length",
  (piece) => {
    expect(growthOf(rewrite, piece, "]]")).toBeLessThan(MOST_GROWTH);
  },
);
