import fc from "fast-check";
import * as build from "../../../transforms/wiki/build.js";
import * as inline from "../../../transforms/wiki/build.js";
import type { Block, HeadingLevel, Inline, LinkKind, MarkType, Tree } from "../../../transforms/wiki/tree.js";

/** What people of bad intent put where a word or an address is expected. */
const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)",
  " java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "//evil.example/x",
  "' onmouseover='alert(1)",
  "\uD800",
  "",
];

const word = fc.oneof(
  fc.constantFrom(...HOSTILE, "one", "two words", "'tis", "a''b", "[guide|1|x]", "https://e.org/x?a=1&b=2"),
  fc.string({ unit: "binary", maxLength: 12 }),
);

const MARKS = [
  "strong",
  "emphasis",
  "underline",
  "strike",
  "superscript",
  "subscript",
  "code",
] as const satisfies MarkType[];
const LINKS = ["url", "guide", "product", "document", "wiki", "mailto", "bare"] as const satisfies LinkKind[];
const values = fc.dictionary(fc.constantFrom("align", "size", "tags", "type", "stepid"), word, { maxKeys: 2 });

const { inlines } = fc.letrec<{ readonly inlines: readonly Inline[]; readonly one: Inline }>((tie) => ({
  inlines: fc.array(tie("one"), { maxLength: 4, depthIdentifier: "inlines" }),
  one: fc.oneof(
    { depthIdentifier: "inlines", maxDepth: 3 },
    word.map(inline.text),
    fc.constant(inline.lineBreak()),
    fc.tuple(fc.constantFrom(...MARKS), tie("inlines")).map(([type, children]) => inline.mark(type, children)),
    fc
      .tuple(fc.constantFrom(...LINKS), word, tie("inlines"), fc.boolean(), word)
      .map(([kind, target, label, newWindow, stepId]) => inline.link(kind, target, { label, newWindow, stepId })),
    fc.tuple(word, values).map(([target, given]) => inline.image(target, given)),
    fc.tuple(word, values).map(([target, given]) => inline.video(target, given)),
    values.map(inline.guideList),
    word.map((value) => inline.opaque("x", value)),
  ),
}));

const item = fc.tuple(inlines, fc.array(inlines, { maxLength: 2 })).map(([words, nested]) => {
  const lists =
    nested.length > 0
      ? [
          build.list(
            true,
            nested.map((each) => build.listItem(each)),
          ),
        ]
      : [];
  return build.listItem(words, lists);
});

const plainBlock: fc.Arbitrary<Block> = fc.oneof(
  inlines.map(build.paragraph),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), inlines)
    .map(([level, words]) => build.heading(level as HeadingLevel, words)),
  fc.tuple(fc.boolean(), fc.array(item, { maxLength: 3 })).map(([ordered, items]) => build.list(ordered, items)),
  word.map(build.codeBlock),
  fc.tuple(word, values).map(([target, given]) => build.embed(inline.image(target, given))),
  fc.tuple(word, values).map(([target, given]) => build.embed(inline.video(target, given))),
  word.map((id) => build.embed(inline.link("guide", id))),
  word.map((value) => build.pageMacro("summary", value)),
);

const quotation = fc
  .tuple(fc.array(plainBlock, { maxLength: 2 }), inlines, fc.constantFrom("long", "featured", '"><b'))
  .map(([blocks, attribution, format]) => build.quote(blocks, { attribution, format }));

/** Any tree that can be built, with words of all kinds in all places. */
export const anyTree: fc.Arbitrary<Tree> = fc.oneof(
  fc.array(fc.oneof(plainBlock, quotation), { maxLength: 4 }).map(build.page),
  inlines.map(build.line),
);
