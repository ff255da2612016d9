import fc from "fast-check";

const WORDS = [
  "warp",
  "the",
  "weft,",
  "(see",
  "below)",
  "3/4''",
  "don't",
  "5\u00a0mm",
  "é",
  "織機",
  "\u200b",
  " ",
  " ",
  "  ",
];
const WIKI = ["'''", "''", "'''''", "'", "++", "~~", "^^", ",,", "``", "[br]", "* ", "# ", "** ", "== ", "== A ==\n"];
const MACROS = [
  "[guide|12|Warp]",
  "[guide|7|Weft|stepid=31|new_window=true]",
  "[guide|26]",
  "[https://loom.example/a?b=c,d|yarn]",
  "[[Topic:Hand Looms|looms]]",
  "[image|5]",
  "[image|5|size=medium|caption=a b]",
  "[video|https://video.example/x]",
  "[guidelist|tags=a]",
  "[link|/x|y]",
  "[mailto|a@b.example]",
  "[title|T]\n",
  "[summary]s[/summary]",
];
const TAGS = ["[code]", "[/code]", "[quote]", "[quote|Ann|format=featured]", "[/quote]", "[2]", "[note", "|", "]", "["];
const MARKDOWN = ["*", "_", "**", "`", "~", "#", "1. ", "- ", "> ", "---", "!", "\\", "![a](image:5)", "[a](guide:5)"];
const ADDRESSES = [
  "https://loom.example/v/++p++",
  "http://loom.example.",
  "www.a.example",
  "a@b.example",
  "<https://a.b>",
];
const HTML = ["<b>", "</b>", "<u>", "</u>", "<br>", "<!-- x -->", "&amp;", '<code class="wiki">', "</code>"];
const MORE = [
  "— Ann",
  "\t",
  "    ",
  "\r\n",
  "[ ] ",
  "[x] ",
  "[^1]",
  "[a]: b\n",
  "| a | b |\n|--|--|\n",
  "```",
  "```wiki\n",
];

/**
 * Texts in which everything that means something, in wiki text or in Markdown, stands beside
 * everything else.
 */
export const soup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom("\n", "\n\n", ...WORDS, ...WIKI, ...MACROS, ...TAGS, ...MARKDOWN, ...ADDRESSES),
      },
      { weight: 2, arbitrary: fc.constantFrom("\n\n", ...HTML, ...MORE) },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 4 }) },
    ),
    { maxLength: 14, size: "max" },
  )
  .map((parts) => parts.join(""))
  .filter((text) => !text.includes("\0"));
