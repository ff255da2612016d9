/*
 * Counts the work of conversions (work-counter.mjs), in a process of its own.
 * Prints JSON: `{ "<shape>": [work at n, at 2n] }`.
 */
import { countWork } from "./work-counter.mjs";

const { workOf } = await countWork();

const dist = new URL("../../dist/transforms/", import.meta.url);
const { convert } = await import(new URL("convert/convert.js", dist).href);
const { convertDocument } = await import(new URL("convert/convert-document.js", dist).href);
const { isCostly } = await import(new URL("markdown/is-costly.js", dist).href);
const { tokenize } = await import(new URL("fit/tokenize.js", dist).href);
const { divide } = await import(new URL("fit/shorten.js", dist).href);

const repeated = (piece, n) => piece.repeat(Math.ceil(n / piece.length));
const from =
  (format, to, context = "page") =>
  (text) =>
    convert(text, { from: format, to, context });
const split = (text) => divide(tokenize(text), (piece) => piece.length <= 350);

const WIKI = [
  "[quote]\na\n\n[/quote]\n",
  "[guide|1|",
  "* a\n\n",
  "* a\n",
  "'''a ''b",
  "a\n\n",
  "[[a|",
  "== a ==\n",
  "[code]\na\n[/code]\n",
  "++",
  "]",
];
const MARKDOWN = [
  "a\n=\n",
  "> a\na\na\n",
  "> a\n\n",
  "- a\n\n",
  "1. a\n",
  "*a_ ",
  "[a](",
  "`",
  "# a\n\n",
  "<!-- ",
  "| a\n",
  "\\[a",
  "a\n\n",
  "# A\n\n- [b]\n\n[b]: c\n\n",
];
const HTML = [
  "<p>x",
  "<b>x</b>",
  "<div>",
  "<li>x",
  "&lt</b>;x",
  "<a href='https://e.org/a++b'>https://e.org/a++b</a> ",
  "<td>x",
  "<pre>x\n</pre>",
];
const LINES = ["word ", "]", "[", "[[a] ", "[code] ", "[code x", "http://a++", "''a", "糸を巻く", " ", ".]]]"];

const guide = (steps) =>
  JSON.stringify({
    ...JSON.parse(convertDocument(GUIDE, { from: "omanual", to: "json", name: "guide-1.xml" }).text),
    raw: null,
  }).replace(
    /"steps":\[(\{.*?"comments":\[\]\})\]/s,
    (_, step) => `"steps":[${Array.from({ length: steps }, () => step).join(",")}]`,
  );
const GUIDE = `<guide xmlns="http://omanual.com/" locale="en"><title>Oil</title><steps><step number="1" title="A"><lines>
<line bullet="black" level="0">Turn the <em>screw</em> to the left.</line></lines></step></steps></guide>`;

/** Shapes that are refused at a limit, or read in chunks, below this size: up to there the work may grow faster. */
const REFUSED = new Map([
  ["| a\n", 24_000],
  ["[guide|1|", 50_000],
  [" ", 9_000],
  // Several chunks, of which each refers to a definition in the first.
  ["# A\n\n- [b]\n\n[b]: c\n\n", 8_000],
]);

/** Below this size a Markdown text is one chunk or few, and the work jumps where another chunk begins. */
const CHUNKED = 8_000;

/** What is done, what is repeated, how, and the smallest size. */
const SHAPES = [
  ...WIKI.flatMap((piece) => [
    ["wiki to markdown", piece, from("wiki", "markdown"), CHUNKED],
    ["wiki to html", piece, from("wiki", "html"), 3_000],
    ["wiki to document-tree", piece, from("wiki", "document-tree"), 3_000],
  ]),
  ...MARKDOWN.map((piece) => ["markdown to wiki", piece, from("markdown", "wiki"), CHUNKED]),
  ...HTML.map((piece) => ["html to wiki", piece, from("html", "wiki"), 3_000]),
  ...LINES.map((piece) => ["a line is split", piece, split, 3_000]),
  ["the guard of the Markdown reader", " ", (text) => isCostly(`${text}a`), 3_000],
].map(([name, piece, run, n]) => [
  `${name}: ${JSON.stringify(piece)}`,
  (size) => run(repeated(piece, size)),
  /guard/.test(name)
    ? (REFUSED.get(piece) ?? n)
    : /markdown/.test(name)
      ? Math.max(CHUNKED, REFUSED.get(piece) ?? 0)
      : n,
]);

const results = {};
for (const [name, run, n] of [
  ...SHAPES,
  [
    "a guide of many steps to a Markdown page",
    (steps) => convertDocument(guide(steps), { from: "json", to: "markdown", name: "guide-1.json" }),
    150,
  ],
]) {
  run(20); // What is done once only.
  results[name] = [await workOf(() => run(n)), await workOf(() => run(2 * n))];
}
process.stdout.write(JSON.stringify(results));
