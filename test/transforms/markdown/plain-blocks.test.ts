import fc from "fast-check";
import type { RootContent } from "mdast";
import { describe, expect, it } from "vitest";
import { parseAny, printAny } from "../../../transforms/markdown/parse-markdown.js";
import { hasPlainLines, parsePlain, printPlain } from "../../../transforms/markdown/plain-blocks.js";
import { readPairs } from "../html/pairs.js";

/** Words, and what begins, ends or escapes markup where Markdown is careless. */
const PIECES = [
  ...["a", "w", "www", "http", "s", "mailto:", "e.org", "1", "10", "ä", "Ж", "漢", "e\u0301", "½"],
  ...[" ", "  ", "\n", "\n\n", "\n\n\n", ".", ",", ":", ";", "?", "!", "(", ")", '"', "'", "“", "%", "°", "/", "://"],
  ...[
    "…",
    "–",
    "×",
    "=",
    "==",
    "+",
    "++",
    "#",
    "# ",
    "-",
    "--",
    "- ",
    "+ ",
    "1. ",
    "1) ",
    "*",
    "_",
    "~",
    "`",
    "[",
    "]",
  ],
  ...["<", ">", "&amp;", "\\", "|", "@", "\t", "\r\n", "\u00a0", "\0", "\ud800", "^", "[^1]: ", "x: y"],
];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
const wordy = fc
  .array(fc.constantFrom(...PIECES.slice(0, PIECES.indexOf("*"))), { maxLength: 10 })
  .map((pieces) => `a${pieces.join("")}b`);
/** Those that begin with a number, or hold what may be an address. */
const numbered = fc
  .tuple(fc.constantFrom("1", "12", "1.", "1.5", "1)", "12)", "2 "), fc.constantFrom("", " ", "x", "@", " @ "), wordy)
  .map((pieces) => pieces.join(""));

/** Headings and lists, some of them beside lines that make something else of them. */
const LINES = [
  ...["word", "words of it", "## A", "###### b", "####### c", "## d #", "#e", "- a", "- b", "* c", "+ d", "- [x] e"],
  ...["1. f", "2. g", "7. h", "007. i", "1) j", "-", "-  k", "  - l", "---", "- m *n*", "- o\tp", "1.q", "a. r", "- 5"],
];
const pages = fc
  .array(fc.tuple(fc.constantFrom(...LINES), fc.constantFrom("\n", "\n\n", "\n\n", "\n\n\n")), { maxLength: 8 })
  .map((lines) => lines.flat().join(""));
const words = fc.constantFrom("a", "b c", "d\ne", "f #", "g*", "h+", "5");
const paragraph = words.map((value) => ({ type: "paragraph" as const, children: [{ type: "text" as const, value }] }));
const list = fc.tuple(fc.boolean(), fc.array(paragraph, { maxLength: 3 })).map(([ordered, lines]): RootContent => {
  const children = lines.map((line) => ({ type: "listItem" as const, spread: false, children: [line] }));
  return { type: "list", ordered, spread: false, children };
});
const heading = fc
  .tuple(fc.constantFrom(1, 2, 6), words)
  .map(
    ([depth, value]): RootContent => ({ type: "heading", depth, children: [{ type: "text", value }] }) as RootContent,
  );

describe("blocks of nothing but words", () => {
  it("are parsed as the parser does, to the last place", () => {
    let plain = 0;
    const check = (text: string): void => {
      const parsed = parsePlain(text);
      if (parsed === undefined) return;
      plain += 1;
      expect(parsed).toEqual(parseAny(text));
    };
    fc.assert(fc.property(fc.oneof(texts, wordy, numbered, pages), check), { numRuns: 4000 });
    expect(plain).toBeGreaterThan(300);
    for (const text of [
      "## A\n\n- a\n- b\n\n* c\n\n2. d\n3. e\n\n1) f\n\nword\n\n1. g\n",
      "",
      "\n",
      "\n\na\nb\n\n\nc\n\n",
      "a",
      "a\n",
    ])
      check(text);
  });

  it("are printed as the printer does", () => {
    const anyParagraph = fc
      .oneof(texts, wordy, numbered)
      .map((value): RootContent => ({ type: "paragraph", children: [{ type: "text", value }] }));
    const blocks = fc.array(fc.oneof(anyParagraph, paragraph, list, list, heading), { minLength: 1, maxLength: 4 });
    let plain = 0;
    fc.assert(
      fc.property(blocks, (children) => {
        const printed = printPlain(children);
        if (printed === undefined) return;
        plain += 1;
        expect(printed).toBe(printAny(children));
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  it.each([
    "- a",
    "a  ",
    " a",
    "www.e.org",
    "a www.äb",
    "see http://e.org",
    "a@e.org",
    "a *b*",
    "a_b",
    "x | y",
    "=",
    "",
    "now.So",
    "1. a",
    "12) a",
    "1)a",
    "3.",
    "@ a",
  ])("are not taken for granted in %j", (line) => {
    expect(hasPlainLines(line)).toBe(false);
  });

  it("are most lines of real steps", { tags: ["shared"] }, () => {
    const lines = readPairs().filter(({ context }) => context === "line");
    const plain = lines.filter(({ raw }) => parsePlain(raw) !== undefined);
    expect(plain.length).toBeGreaterThan(lines.length / 2);
    for (const { raw } of plain) {
      expect(parsePlain(raw)).toEqual(parseAny(raw));
      expect(printPlain([{ type: "paragraph", children: [{ type: "text", value: raw }] }])).toBe(
        printAny([{ type: "paragraph", children: [{ type: "text", value: raw }] }]),
      );
    }
  });
});
