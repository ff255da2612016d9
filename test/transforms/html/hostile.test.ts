import { describe, expect, it } from "vitest";
import { parseHtml } from "../../../transforms/html/from/parse-html.js";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { print } from "../../../transforms/wiki/print.js";

const WHOLE_LENGTH = 100_000;
const MANY_LENGTH = 25_000;

function repeated(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length));
}

function numbered(part: (index: number) => string, length: number): string {
  let text = "";
  for (let index = 0; text.length < length; index += 1) text += part(index);
  return text;
}

/**
 * HTML that takes squared time, or a stack as deep as the text is long, where a reader is not made
 * for it.
 */
const WHOLE: readonly (readonly [string, string])[] = [
  ["elements that never end", repeated("<div>", WHOLE_LENGTH)],
  ["tables in tables", repeated("<table><tr><td><b><i>", WHOLE_LENGTH)],
  ["a table of what no table holds", `<table>${repeated("<b>x</b>", WHOLE_LENGTH)}`],
  ["a tag of thousands of attributes", `<a ${numbered((index) => `x${index} `, WHOLE_LENGTH)}>`],
  ["attributes whose quotes never end", repeated('<a href="', WHOLE_LENGTH)],
  ["brackets that open nothing", repeated("<", WHOLE_LENGTH)],
  ["comments that never end", repeated("<!--", WHOLE_LENGTH)],
  ["choices that never end", repeated("<select>", WHOLE_LENGTH)],
  ["blanks", `${repeated(" ", WHOLE_LENGTH)}x`],
  ["line ends", `${repeated("\n", WHOLE_LENGTH)}x`],
  ["queries of nothing", `<a href="/x${repeated("?&", WHOLE_LENGTH)}y">x</a>`],
];

/**
 * The same where each piece becomes a block of its own, which takes time, but no more for each the
 * more there are.
 */
const MANY: readonly (readonly [string, string])[] = [
  ["formatting of thousands of kinds", numbered((index) => `<b x${index}><p>x`, MANY_LENGTH)],
  ["formatting that goes on in every paragraph", `<b><i><u><s><tt>${repeated("<p>x", MANY_LENGTH)}`],
  ["lists in lists", repeated("<ul><li>x", MANY_LENGTH)],
  ["elements that nobody knows", numbered((index) => `<x${index}>`, MANY_LENGTH)],
  ["rows without cells", `<table>${repeated("x<tr>", MANY_LENGTH)}`],
  ["links in links", repeated("<a href=/x>]", MANY_LENGTH)],
];

describe("HTML that was written to harm", () => {
  it.each([...WHOLE, ...MANY])("is read to its end: %s", (_, html) => {
    for (const context of ["page", "line"] as const) {
      const { tree } = fromHtml(html, { context });
      expect(print(tree).length).toBeLessThan(html.length * 40);
    }
  });

  it("never becomes a tree that is too deep to walk", () => {
    const { trees } = parseHtml(repeated("<div><table><tr><td><ul><li><b>", WHOLE_LENGTH));
    let depth = 0;
    let level: readonly unknown[] = [...trees].map(({ root }) => root);
    for (; level.length > 0; depth += 1) level = level.flatMap((node) => childrenOf(node));
    expect(depth).toBeLessThan(350);
  });
});

function childrenOf(node: unknown): readonly unknown[] {
  const children = typeof node === "object" && node !== null && "children" in node ? node.children : [];
  return Array.isArray(children) ? children : [];
}
