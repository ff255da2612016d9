import { expect, it } from "vitest";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { cpuTime, workOf } from "../../helpers/cpu-time.js";

const SMALL = 5_000;
const LARGE = 40_000;

/** Squared time would grow 64-fold from small to large; 24 leaves room for a busy machine. */
const MOST_GROWTH = 24;

/** For a hundred thousand elements: far more than they take. */
const MOST_WORK = 2000;

const HOSTILE: readonly string[] = [
  ..."<p>x <b> <b>x</b> <div> <li>x <ul><li>x <td>x <dl><dt>x<dd>y <br>x <pre>x</pre>".split(" "),
  ..."<table> <table><tr><td>x <table><td>x</table> <blockquote>x < &amp; '''x [[x <i>'x".split(" "),
  "<a href='/Guide/-/1/1'>x",
  "<p><img src=x>",
  "<p>http://e.org</p>",
  "<b><p>x",
  "<span style='font-weight:700'>x</span>",
  "<![CDATA[x",
];

function timeOf(html: string): number {
  const start = cpuTime();
  fromHtml(html, { context: "page" });
  return cpuTime() - start;
}

/** What is done in a few milliseconds measures the clock, not the work. */
function growth(make: (size: number) => string): number {
  const small = timeOf(make(SMALL));
  const large = timeOf(make(LARGE));
  return large / Math.max(small, 5);
}

/**
 * Other work on the machine can spoil a measurement, but makes no squared time look linear: the
 * best of five counts.
 */
function leastGrowth(make: (size: number) => string): number {
  let least = growth(make);
  for (let attempt = 1; attempt < 5 && least > MOST_GROWTH; attempt += 1) least = Math.min(least, growth(make));
  return least;
}

it.each(HOSTILE)("HTML that is %j over and over is read in time in proportion to its length", (piece) => {
  expect(leastGrowth((size) => piece.repeat(Math.ceil(size / piece.length)))).toBeLessThan(MOST_GROWTH);
});

it.each([
  ["an address", (size: number) => `<a href="${"x".repeat(size)}">x</a>`],
  ["a class", (size: number) => `<p class="${"x ".repeat(size / 2)}">x</p>`],
  ["a style", (size: number) => `<span style="${"a:;".repeat(size / 3)}">x</span>`],
  ["a title", (size: number) => `<a href="/" title="${"[&amp;".repeat(size / 6)}">x</a>`],
  ["a description", (size: number) => `<img data-imageid="1" alt="${"[".repeat(size)}">`],
])("a single tag with %s of any length is read in time in proportion to it", (_, make) => {
  expect(leastGrowth(make)).toBeLessThan(MOST_GROWTH);
});

it("a hundred thousand elements in each other are read, and the words in them kept", async () => {
  const html = `${"<b>".repeat(100_000)}deep${"</b>".repeat(100_000)}`;
  expect(await workOf(() => fromHtml(html, { context: "line" }), MOST_WORK)).toBeLessThan(MOST_WORK);
  expect(fromHtml(html, { context: "line" }).tree.children).toMatchObject([{ type: "strong" }]);
});
