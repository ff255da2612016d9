import { expect, it } from "vitest";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { cpuTime, workOf } from "../../helpers/cpu-time.js";

const SMALL = 6_250;
const LARGE = 50_000;

/** Squared time would grow 64-fold from small to large; 24 leaves room for a busy machine. */
const MOST_GROWTH = 24;

/** For 1 MB of list markers: far more than they take. */
const MOST_WORK = 500;

const HOSTILE: readonly string[] = [
  ..."' '' '''' '''a ''a '''''a ++ +++a ++a''b~~ ,, `` [ ] | = * # : \n".split(" "),
  ..."[[ [[a [[a| [[[a]]] [[a]b [a| [a|b] [a|[b|c] [guide|1| [guide|1] [guide|1|[x [image|5|size= [foo|[bar| ]]".split(
    " ",
  ),
  ..."http:// http://x http://'' http://a++ http://). [http://e.org/a| [http://e.org| [br] [code] [/code] [quote] [/quote]".split(
    " ",
  ),
  ..."[flag|a] [flag| [image|1] [video|1] [summary] [title|a] [info| [def_flag| [code][/code] [quote]a[/quote] [quote|a".split(
    " ",
  ),
  "a\n",
  "a\n\n",
  " ",
  " \n",
  "\t\n ",
  "[code]\n",
  "\n[/code]",
  "\n[quote|",
  "[quote]\n",
  "\n[info|",
  "\n[title|",
  "\n[summary]",
  "\n* a",
  "\n*",
  "\n== a ==",
  "\n= a",
  "\n[image|1] x",
  "[guide|1|a [b] ",
  "[https://e.org|a = ",
  "|a",
  "\r\n",
  "x [video|1] ",
  "'''a ++b''' c++",
];

/** Brackets count only where one closes after them. */
function tailsOf(piece: string): readonly string[] {
  return piece.includes("[") ? ["]]", " "] : [" "];
}

function timeOf(piece: string, tail: string, size: number): number {
  const text = piece.repeat(Math.ceil(size / piece.length)) + tail;
  const start = cpuTime();
  const { tree } = parse(text, { context: "page" });
  const time = cpuTime() - start;
  expect(print(tree) === text).toBe(true);
  return time;
}

/** What is done in a few milliseconds measures the clock, not the work. */
function growth(piece: string, tail: string): number {
  const small = timeOf(piece, tail, SMALL);
  const large = timeOf(piece, tail, LARGE);
  return large / Math.max(small, 2.5);
}

/**
 * Other work on the machine can spoil a measurement, but makes no squared time look linear: the
 * best of five counts.
 */
function leastGrowth(piece: string, tail: string): number {
  let least = growth(piece, tail);
  for (let attempt = 1; attempt < 5 && least > MOST_GROWTH; attempt += 1) least = Math.min(least, growth(piece, tail));
  return least;
}

it.each(HOSTILE)("50 kB of %j is read in time in proportion to its length, and given back", (piece) => {
  for (const tail of tailsOf(piece)) expect(leastGrowth(piece, tail)).toBeLessThan(MOST_GROWTH);
});

it("markers of lists that grow line by line are read in time in proportion to their length", async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${"*".repeat(index + 1)} a`).join("\n");
  const text = lines(1400);
  const readAndPrint = () => expect(print(parse(text, { context: "page" }).tree) === text).toBe(true);
  expect(await workOf(readAndPrint, MOST_WORK)).toBeLessThan(MOST_WORK);
});
