import { expect, it } from "vitest";
import { parseHtml } from "../../../transforms/html/from/parse-html.js";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { print } from "../../../transforms/wiki/print.js";

/** Longer than what is parsed at once. */
const MANY = 5000;

it("long HTML is parsed piece by piece", () => {
  expect([...parseHtml("<p>x</p>".repeat(MANY)).trees].length).toBeGreaterThan(1);
  expect([...parseHtml(`<div>${"<p>x</p>".repeat(MANY)}</div>`).trees].length).toBe(1);
});

it("words between elements stay where they are, wherever a piece ends", () => {
  const numbers = Array.from({ length: MANY }, (_, number) => number);
  const html = numbers.map((number) => `a <b>${number}</b>\n<i>b</i> c`).join("");
  const words = numbers.map((number) => `a '''${number}''' ''b'' c`).join("");
  expect(print(fromHtml(html, { context: "page" }).tree)).toBe(words);
});

it("no piece begins with a part of a table, which would then be read otherwise than in a short text", () => {
  const short = "<p>x</p><tr><td>y</td></tr>";
  const [, row] = print(fromHtml(short, { context: "page" }).tree).split("\n\n");
  const long = fromHtml("<p>x</p>".repeat(MANY) + short.repeat(MANY), { context: "page" }).tree;
  expect(new Set(print(long).split("\n\n"))).toEqual(new Set(["x", row]));
});

it("tells the place of an element in the whole text, however far behind it stands", () => {
  const html = `${"<p>x</p>".repeat(MANY)}<p>y<hr>z`;
  const { issues } = fromHtml(html, { context: "page" });
  expect(issues.map(({ code, start, end }) => [code, html.slice(start, end)])).toEqual([["rule-dropped", "<hr>"]]);
});

it.each(["<td>x", "<th>x</th><td>y</td>", "<tr><td>x</td><td>y</td></tr>"])(
  "%s again and again is parsed piece by piece, and read as in a short text",
  (html) => {
    const read = (text: string) => print(fromHtml(text, { context: "page" }).tree).split(/\n+/);
    expect([...parseHtml(html.repeat(MANY)).trees].length).toBeGreaterThan(1);
    expect(read(html.repeat(MANY))).toEqual(Array.from({ length: MANY / 2 }, () => read(html.repeat(2))).flat());
  },
);
