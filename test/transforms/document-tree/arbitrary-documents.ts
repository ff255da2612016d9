import fc from "fast-check";
import type { DocumentMark, DocumentNode } from "../../../transforms/document-tree/vocabulary.js";

/** Texts of every kind: words, blanks, and what the wiki syntax reads as markup. */
const FRAGMENTS = [
  "warp",
  "weft,",
  " ",
  " ",
  "  ",
  "'",
  "''",
  "'''",
  "+",
  "++",
  "~~",
  "^^",
  ",,",
  "``",
  "[",
  "]",
  "[[",
  "|",
];
const MARKUP = [
  "* ",
  "# ",
  "== ",
  "=",
  "[code]",
  "[/code]",
  "[quote]",
  "[x|y]",
  "[https://loom.example/a|b]",
  "new_window=true",
];
const OTHERS = ["\u00a0", "é", "織機", "https://loom.example/a", "<b>", "&amp;", "\n", "\t", "3/4''", "(see", "5)"];

const words = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS, ...MARKUP, ...OTHERS), fc.string({ unit: "grapheme", maxLength: 3 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(""))
  .filter((text) => !/[\u200B\r\0]/.test(text));

const marks: fc.Arbitrary<readonly DocumentMark[]> = fc
  .tuple(
    fc.subarray(["em", "strong", "underline", "subscript", "superscript", "code", "strikethrough"], { maxLength: 3 }),
    fc.option(fc.constantFrom("https://loom.example/link", "/info/b", "mailto:c@loom.example"), {
      nil: undefined,
      freq: 4,
    }),
  )
  .map(([types, href]) => [
    ...types.map((type) => ({ type })),
    ...(href === undefined ? [] : [{ type: "link", attrs: { href, title: null, target: null } }]),
  ]);

const texts = fc.tuple(words, marks).map(([text, given]): DocumentNode => ({ type: "text", marks: given, text }));
const images = fc
  .integer({ min: 1, max: 999 })
  .map((imageid): DocumentNode => ({ type: "image", attrs: { imageid, src: "", size: "medium", align: "left" } }));
const inlines = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: texts },
    { weight: 1, arbitrary: fc.constant<DocumentNode>({ type: "hard_break" }) },
    { weight: 1, arbitrary: images },
  ),
  { minLength: 1, maxLength: 5 },
);

const paragraph = inlines.map((content): DocumentNode => ({ type: "paragraph", content }));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), inlines)
  .map(([level, content]): DocumentNode => ({ type: "heading", attrs: { level }, content }));
const code = words.map((text): DocumentNode => ({ type: "code_block", content: [{ type: "text", text }] }));

const listOf = (depth: number): fc.Arbitrary<DocumentNode> =>
  fc
    .tuple(
      fc.constantFrom("bullet_list", "ordered_list"),
      fc.array(fc.tuple(paragraph, depth < 3 ? fc.option(listOf(depth + 1), { freq: 3 }) : fc.constant(null)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([type, items]) => ({
      type,
      content: items.map(([own, nested]) => ({
        type: "list_item",
        content: nested === null ? [own] : [own, nested],
      })),
    }));

const blocks = fc.oneof(paragraph, heading, listOf(1), code);
const quote = fc
  .tuple(fc.array(blocks, { minLength: 1, maxLength: 2 }), fc.option(paragraph))
  .map(([content, attribute]): DocumentNode => ({ type: "blockquote", attrs: { format: "long", attribute }, content }));

/** Documents of the vendor's schema. */
export const documents: fc.Arbitrary<DocumentNode> = fc
  .array(fc.oneof({ weight: 5, arbitrary: blocks }, { weight: 1, arbitrary: quote }), { maxLength: 4 })
  .map((content) => ({ type: "doc", content }));
