import fc from "fast-check";
import type { Nodes } from "mdast";
import { describe, expect, it } from "vitest";
import { chunksOf } from "../../../transforms/markdown/chunks.js";
import { parseAny, parseMarkdown } from "../../../transforms/markdown/parse-markdown.js";

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
  "<!-- a\n",
  "-->\n",
  "[a]: b\n",
  "[a]\n",
  "[^1]: note\n",
  "x[^1]\n",
  "- ```\n",
  "> ~~~\n",
  "<pre>\n",
  "<?a\n",
];

/** Long enough for several chunks. */
const TEXT = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 60, arbitrary: fc.constantFrom(...PIECES) },
        { weight: 1, arbitrary: fc.constantFrom(...RARE) },
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

/** A node without what a reader of Markdown has no use for: lines and columns. */
function bare(node: Nodes): unknown {
  const { position, ...rest } = node;
  const place = [position?.start.offset, position?.end.offset];
  return "children" in rest ? { ...rest, place, children: rest.children.map(bare) } : { ...rest, place };
}

describe("Markdown in chunks", () => {
  it("is the same Markdown, and the same tree", () => {
    let cut = 0;
    fc.assert(
      fc.property(TEXT, (text) => {
        const chunks = chunksOf(text);
        cut += chunks.length > 1 ? 1 : 0;
        expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
        expect(parseMarkdown(text).children.map(bare)).toEqual(parseAny(text).children.map(bare));
      }),
      // One text is surely cut, whatever the seed is.
      { numRuns: 15, examples: [["Words.\n\n".repeat(3_000)]] },
    );
    expect(cut).toBeGreaterThan(0);
  });

  it("is one chunk where a part of it may mean something elsewhere, or goes on behind a blank line", () => {
    const long = "Words.\n\n".repeat(3_000);
    expect(chunksOf(long).length).toBeGreaterThan(2);
    for (const rare of ["[a]: https://e.org\n\n", "> [^1]: note\n\n", "- ```\n\n", "<pre>\n\n", "<!-- a\n\n"])
      expect(chunksOf(long + rare)).toHaveLength(1);
    expect(chunksOf(`\`\`\`\n${long}\`\`\`\n`)).toHaveLength(1);
  });
});
