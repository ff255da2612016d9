import { expect, it } from "vitest";
import { references } from "../../../transforms/wiki/references.js";
import { rewriteReferences } from "../../../transforms/wiki/rewrite-references.js";
import { cpuTime } from "../../helpers/cpu-time.js";
import { OLD, optionsFor } from "./sites.js";

const SMALL = 125_000;
const LARGE = 1_000_000;

/** Squared time would grow 64-fold from small to large; 24 leaves room for a busy machine. */
const MOST_GROWTH = 24;

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

/** Brackets count only where one closes after them, so that there is one at the end, and one that closes nothing. */
const TAILS = ["]]", " "];

function find(text: string): void {
  references(text, OLD, "page");
}

function rewrite(text: string): void {
  rewriteReferences(text, optionsFor({}, { dangling: "label" }));
}

/** Milliseconds of processor time. */
function timeOf(work: (text: string) => void, text: string): number {
  const start = cpuTime();
  work(text);
  return cpuTime() - start;
}

/** How many times longer the large text takes. What is done in a few milliseconds measures the clock, not the work. */
function growth(work: (text: string) => void, piece: string, tail: string): number {
  const [small, large] = [SMALL, LARGE].map((size) =>
    timeOf(work, piece.repeat(Math.ceil(size / piece.length)) + tail),
  );
  return (large ?? 0) / Math.max(small ?? 0, 5);
}

/** Other work on the machine can spoil a measurement, but makes no squared time look linear: the best of five counts. */
function leastGrowth(work: (text: string) => void, piece: string, tail: string): number {
  let least = growth(work, piece, tail);
  for (let attempt = 1; attempt < 5 && least > MOST_GROWTH; attempt += 1) {
    least = Math.min(least, growth(work, piece, tail));
  }
  return least;
}

it.each(HOSTILE)("references in a megabyte of %j are found in time in proportion to its length", (piece) => {
  for (const tail of TAILS) expect(leastGrowth(find, piece, tail)).toBeLessThan(MOST_GROWTH);
});

it.each(["[[a|", "[guide|1]", "[guide|1|stepid=1|[x", "http://old.example/c/a "])(
  "a megabyte of %j is rewritten in time in proportion to its length",
  (piece) => {
    expect(leastGrowth(rewrite, piece, "]]")).toBeLessThan(MOST_GROWTH);
  },
);
