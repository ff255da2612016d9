import fc from "fast-check";
import * as build from "../../../transforms/wiki/build.js";
import * as inline from "../../../transforms/wiki/build.js";
import type { Block, HeadingLevel, Inline, MarkType, Page } from "../../../transforms/wiki/tree.js";

const word = fc.constantFrom("one", " two words ", "a & b <c>", '"quoted"', "3' - 6", "x (y), z: 50%", "…½ × 2");
const MARKS = [
  "strong",
  "emphasis",
  "underline",
  "strike",
  "superscript",
  "subscript",
  "code",
] as const satisfies MarkType[];

/** Words in up to two marks of different kinds. */
const marked: fc.Arbitrary<Inline> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...MARKS), { maxLength: 2 }), word)
  .map(([types, value]) => types.reduce<Inline>((inner, type) => inline.mark(type, [inner]), inline.text(value)));

const label = fc.array(marked, { minLength: 1, maxLength: 2 });
const newWindow = fc.boolean();

const link: fc.Arbitrary<Inline> = fc.oneof(
  fc
    .tuple(label, newWindow)
    .map(([words, opens]) => inline.link("url", "https://e.org/x?a=1&b=2", { label: words, newWindow: opens })),
  fc
    .tuple(label, newWindow)
    .map(([words, opens]) => inline.link("guide", "757", { label: words, stepId: "62", newWindow: opens })),
  label.map((words) => inline.link("wiki", "Topic:Hand Looms#Section_A", { label: words })),
  label.map((words) => inline.link("product", "IF145-002", { label: words })),
  label.map((words) => inline.link("document", "9", { label: words })),
  label.map((words) => inline.link("mailto", "a@e.org", { label: words })),
  fc.constant(inline.link("bare", "https://e.org/a/long/address/that/is/cut?in=two")),
);

const behind = fc.oneof(marked, link).map((node): readonly Inline[] => [node, inline.text(" and ")]);

/** A break without the blanks around it, which HTML does not show. */
const broken = fc.constant([inline.text("so"), inline.lineBreak(), inline.text("then ")]);

/** Marks and links with words and blanks around them, so that nothing runs together. */
const inlines = fc
  .array(fc.oneof(behind, behind, broken), { minLength: 1, maxLength: 3 })
  .map((parts): readonly Inline[] => [inline.text("first "), ...parts.flat(), inline.text("last")]);

const item = fc.tuple(inlines, fc.array(inlines, { maxLength: 2 }), fc.boolean()).map(([words, nested, ordered]) => {
  const items = nested.map((each) => build.listItem(each));
  return build.listItem(words, items.length > 0 ? [build.list(ordered, items)] : []);
});

const block: fc.Arbitrary<Block> = fc.oneof(
  inlines.map(build.paragraph),
  fc.integer({ min: 2, max: 6 }).map((level) => build.heading(level as HeadingLevel, [inline.text("A heading")])),
  fc
    .tuple(fc.boolean(), fc.array(item, { minLength: 1, maxLength: 3 }))
    .map(([ordered, items]) => build.list(ordered, items)),
  fc.constantFrom("x = 1", "if (a < b) {\n\n  '''c'''\n}").map(build.codeBlock),
  fc.constantFrom("left", "right").map((align) => build.embed(inline.image("5", { align, size: "medium" }))),
  fc.constant(build.embed(inline.video("https://www.youtube.com/watch?v=zoen7x46qI"))),
  fc.constant(build.embed(inline.guideList({ tags: "LOOM" }))),
);

const quotation = fc
  .tuple(
    fc.array(block, { minLength: 1, maxLength: 2 }),
    fc.constantFrom([], [inline.mark("strong", [inline.text("Ann")]), inline.text(" Lee")]),
    fc.constantFrom("long", "featured"),
  )
  .map(([blocks, attribution, format]): Block => build.quote(blocks, { attribution, format }));

/**
 * Pages of all constructs whose words look like no markup: they must come back from HTML as they
 * went.
 */
export const honestPage: fc.Arbitrary<Page> = fc
  .array(fc.oneof(block, block, quotation), { maxLength: 5 })
  .map(build.page);
