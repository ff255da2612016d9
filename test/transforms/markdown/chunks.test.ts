import fc from "fast-check";
import type { Nodes } from "mdast";
import { describe, expect, it } from "vitest";
import { chunksOf, parseAny, parseMarkdown } from "../../../transforms/markdown/parse-markdown.js";

const PIECES = [
  ...["# A\n", "Words of a paragraph\n", "words\n===\n", "- item\n", "1. item\n", "  more\n", "    code\n", "> said\n"],
  ...[
    "\n",
    "\n\n",
    "```\ncode\n",
    "```\n",
    "~~~ js\n",
    "``` a`b\n",
    "| a | b |\n|---|---|\n",
    "| c | d |\n",
    "<div>\n",
  ],
  ...[
    "</div>\n",
    "<!-- a -->\n",
    "***\n",
    "**bold** `code`\n",
    "é word\n",
    "\t\n",
    " \n",
    "\\# no\n",
    "* a\n\n* b\n\n",
  ],
];

const RARE = [
  ...["<!-- a\n", "-->\n", "<pre>\n", "</pre>\n", "<?a\n", "<p>b\n"],
  ...[
    "[a]: b\n",
    "[a]\n",
    "![x][A]\n",
    "> [a]: c\n",
    "> [c\n> d]\n",
    "[c\nd]:\n/e\n",
    "[*a*]\n",
    "[\\]]: f\n",
    "[\\]]\n",
  ],
  ...["[^1]: note\n", "x[^1]\n", "[^1]\n", "- [^2]: note [a]\n", "x[^2] [x]\n"],
  ...[
    "- ```\n",
    "> ~~~\n",
    "  ```\n",
    "   ```\n",
    "10. item\n",
    "2. item\n",
    "-\n",
    "* * *\n",
    "- [x] done\n",
    "\t```\n",
  ],
];

/** Long enough for several chunks. */
const TEXT = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 60, arbitrary: fc.constantFrom(...PIECES) },
        { weight: 6, arbitrary: fc.constantFrom(...RARE) },
      ),
      {
        minLength: 5,
        maxLength: 40,
      },
    ),
    fc.integer({ min: 9_000, max: 16_000 }),
  )
  .map(([pieces, length]) => {
    const once = `${pieces.join("")}\n`;
    return once.repeat(Math.ceil(length / once.length));
  });

/**
 * A node without what a reader of Markdown has no use for: lines and columns. Code that nothing
 * closes before the end of its item ends before or behind the last line end.
 */
function bare(node: Nodes, text: string): unknown {
  const { position, ...rest } = node;
  const place = [position?.start.offset, text.slice(0, position?.end.offset).trimEnd().length];
  const children = "children" in rest ? rest.children.map((child) => bare(child, text)) : [];
  return { ...rest, place, children };
}

describe("Markdown in chunks", () => {
  it("is the same Markdown, and the same tree", () => {
    let cut = 0;
    fc.assert(
      fc.property(TEXT, (text) => {
        const chunks = chunksOf(text);
        expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
        const parsed = parseMarkdown(text);
        if (parsed === undefined) return;
        cut += chunks.length > 1 ? 1 : 0;
        const [read, whole] = [parsed, parseAny(text)].map(({ children }) =>
          children.map((child) => bare(child, text)),
        );
        expect(read).toEqual(whole);
      }),
      // One text is surely cut, whatever the seed is. `RUNS=1000`: a long run.
      { numRuns: Number(process.env["RUNS"] ?? 8), examples: [["*Words.*\n\n".repeat(3_000)]] },
    );
    expect(cut).toBeGreaterThan(0);
  });

  it("is one chunk from where only the parser knows what goes on behind a blank line", () => {
    const long = "*Words.*\n\n".repeat(3_000);
    expect(chunksOf(long).length).toBeGreaterThan(2);
    for (const rare of ["<pre>\n\n", "<!-- a\n\n", "```\n\n", "  ~~~\n\n", "- a\nb\n  ```\n\n", "<div>\n```\n\n"])
      expect(chunksOf(rare + long)).toHaveLength(1);
    for (const common of [
      "[a]: b\n\n",
      "- ```\n\n",
      "> <pre>\n\n",
      "1. a\n   ```\n\n",
      "<!-- a\n\n-->\n",
      "  ```\n  ```\n",
    ])
      expect(chunksOf(common + long).length).toBeGreaterThan(2);
  });
});
