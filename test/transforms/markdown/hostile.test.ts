import { describe, expect, it } from "vitest";
import { fromMarkdown } from "../../../transforms/markdown/from-markdown.js";
import { MOST_LINES } from "../../../transforms/markdown/is-costly.js";
import { parseMarkdown } from "../../../transforms/markdown/parse-markdown.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";

const SIZE = 10_000;

/** Texts that take a Markdown parser minutes, or overflow its stack. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ["items in items on one line", `${"- ".repeat(SIZE)}a`],
  ["quotes in quotes", `${">".repeat(SIZE)}a`],
  [
    "items in items by indentation",
    Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n"),
  ],
  ["marks that never close", "*a_ ".repeat(SIZE)],
  ["marks in marks", "*a ".repeat(SIZE) + "b* ".repeat(SIZE)],
  ["comments that never close", "a<!-- ".repeat(SIZE)],
  ["closing brackets", "a] ".repeat(SIZE)],
  ["nested items in one list", "- a\n  - b\n".repeat(SIZE)],
  ["marks behind what looks like code in HTML", `<div>\n\`\`\`\n${"*a_ ".repeat(SIZE)}`],
];

describe("hostile Markdown", () => {
  it.each(HOSTILE)("%s: is taken as plain text, and told", (_, markdown) => {
    const { tree, issues } = fromMarkdown(markdown, { context: "page" });
    expect(issues.map(({ level, code }) => `${level} ${code}`)).toContain("error markdown-too-deep");
    expect(print(tree).replaceAll(/[\s\u200B]/g, "")).toContain("a");
  });

  it("is not what people write: long lists, tables, pages of code and of prose", () => {
    const prose = "Some *plain* and **strong** words, [a link](https://loom.example/a) and `code`.";
    const texts = [
      `${prose}\n\n`.repeat(200),
      `- ${prose}\n`.repeat(200),
      `| a | b |\n|---|---|\n${`| ${prose} | *b* |\n`.repeat(200)}`,
      `\`\`\`\n${"/* a *** b */\n".repeat(1500)}\`\`\`\n`,
      `~~~~\n\`\`\`\n${"/* a *** b */\n".repeat(1500)}~~~~\n\n${prose}`,
      `${"\\*".repeat(5000)}\n`,
    ];
    expect(texts.filter((text) => parseMarkdown(text) === undefined)).toEqual([]);
  });
});

/**
 * Every construct of an ordinary manual, with definitions of links and notes, some of them of other
 * chapters.
 */
const chapter = (at: number) => `## Chapter ${at}

Turn the **left** screw with [the tool][tool ${at}], see [notes].[^${at}]

- First part
- Second part

1. Open

   \`\`\`
   run ${at}
   \`\`\`
2. Close

| Part | Count |
|---|---|
| Screw | 4 |

<!-- for
later -->

[tool ${at}]: https://e.org/${at}
[^${at}]: A note.

`;

describe("a manual of thousands of lines", () => {
  const manual = (chapters: number) =>
    `${Array.from({ length: chapters }, (_, at) => chapter(at)).join("")}[notes]: https://e.org/notes\n`;

  it("is no hostile text, and keeps its links, also those that another chapter defines", () => {
    const text = manual(200);
    expect(text.split("\n").length).toBeGreaterThan(MOST_LINES);
    const { tree, issues } = fromMarkdown(text, { context: "page" });
    const wiki = print(tree);
    for (const at of [0, 100, 199]) {
      expect(wiki).toContain(`[https://e.org/${at}|the tool], see [https://e.org/notes|notes].[${at + 1}]`);
    }
    expect(issues.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("hostile wiki text", () => {
  it.each(["*a_ ", "'''a ''b", "[[[[", "[code]", "* a\n** b\n", "<!-- ", "> ", "- "])(
    "%j again and again is kept in Markdown",
    (part) => {
      const text = part.repeat(4000 / part.length);
      const { markdown, issues } = toMarkdown(parse(text, { context: "page" }).tree);
      expect(issues.filter(({ level }) => level !== "note")).toEqual([]);
      expect(fromMarkdown(markdown, { context: "page" }).issues.filter(({ level }) => level !== "note")).toEqual([]);
    },
  );

  it("with characters that Markdown changes is told of", () => {
    const { issues } = toMarkdown(parse("a\0b", { context: "page" }).tree);
    expect(issues.map(({ level, code }) => `${level} ${code}`)).toEqual(["loss kept-as-wiki"]);
    const line = toMarkdown(parse("a\0b", { context: "line" }).tree);
    expect(line.issues.map(({ level, code }) => `${level} ${code}`)).toEqual(["loss kept-as-wiki"]);
  });
});
