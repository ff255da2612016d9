import fc from "fast-check";
import {
  codeBlock,
  embed,
  guideList,
  heading,
  image,
  line,
  lineBreak,
  link,
  list,
  listItem,
  mark,
  opaque,
  page,
  pageMacro,
  paragraph,
  quote,
  text,
  video,
} from "../../../transforms/wiki/build.js";
import type { Block, HeadingLevel, Inline, Link, List, MarkType } from "../../../transforms/wiki/tree.js";

/*
 * Trees that the syntax can say. What it cannot say is left out: marks inside of their own kind,
 * links in labels, quotes in quotes, two neighbouring marks or texts that would be one.
 */
const words = fc.stringMatching(/^[a-zA-Zäß0-9.;()%"&<>-]+( [a-zA-Z0-9.;()]+){0,3}$/);
const id = fc.integer({ min: 1, max: 99_999 }).map(String);
const MARKS: readonly MarkType[] = ["strong", "emphasis", "underline", "strike", "superscript", "subscript", "code"];

/** Between two nodes there is always a word and a blank, so that no two of them run together. */
function spaced(nodes: readonly Inline[], first: string): readonly Inline[] {
  return [
    text(nodes.length > 0 ? `${first} ` : first),
    ...nodes.flatMap((node, index) => [node, text(` w${index} x`)]),
  ];
}

const marked = (marks: readonly MarkType[], leaf: fc.Arbitrary<Inline>): fc.Arbitrary<Inline> =>
  marks.length === 0
    ? leaf
    : fc.oneof(
        { weight: 3, arbitrary: leaf },
        {
          weight: 1,
          arbitrary: fc.constantFrom(...marks).chain((type) =>
            fc
              .tuple(
                words,
                fc.array(
                  marked(
                    marks.filter((other) => other !== type),
                    leaf,
                  ),
                  { maxLength: 2 },
                ),
              )
              .map(([first, inner]) => mark(type, spaced(inner, first))),
          ),
        },
      );

const label = fc
  .tuple(words, fc.array(marked(MARKS, fc.constant(lineBreak())), { maxLength: 2 }))
  .map(([first, nodes]) =>
    spaced(
      nodes.map((node) => (node.type === "break" ? { ...node, after: "" } : node)),
      first,
    ),
  );

const anyLabel = fc.option(label, { nil: [] });

const links: fc.Arbitrary<Link> = fc.oneof(
  fc
    .tuple(fc.webUrl(), anyLabel, fc.boolean())
    .map(([target, given, newWindow]) => link("url", target.replaceAll(/[|[\]]/g, ""), { label: given, newWindow })),
  fc
    .tuple(id, label, fc.option(id, { nil: undefined }))
    .map(([target, given, step]) =>
      link("guide", target, step === undefined ? { label: given } : { label: given, stepId: step }),
    ),
  fc
    .tuple(id, anyLabel, fc.boolean())
    .map(([target, given, newWindow]) => link("product", `IF-${target}`, { label: given, newWindow })),
  fc.tuple(words, anyLabel).map(([target, given]) => link("wiki", `Topic:${target}#Section_A`, { label: given })),
  fc.tuple(id, words).map(([target, name]) => link("document", target, { label: [text(name)] })),
  anyLabel.map((given) => link("mailto", "a@e.org", { label: given })),
  id.map((number) => link("bare", `https://e.org/${number}`)),
);

const images = fc
  .tuple(id, fc.constantFrom({}, { align: "left", size: "standard" }))
  .map(([target, values]) => image(target, values));
const leaves = fc.oneof(links, fc.constant(opaque("soldering", "[soldering|label]")));
const pageLeaves = fc.oneof(leaves, images, fc.constant(lineBreak()));

const inlinesOf = (leaf: fc.Arbitrary<Inline>): fc.Arbitrary<readonly Inline[]> =>
  fc.tuple(words, fc.array(marked(MARKS, leaf), { maxLength: 4 })).map(([first, nodes]) => spaced(nodes, first));

const listOf = (depth: number): fc.Arbitrary<List> =>
  fc
    .tuple(
      fc.boolean(),
      fc.array(
        fc
          .tuple(
            inlinesOf(leaves),
            depth < 3 ? fc.option(listOf(depth + 1), { nil: undefined }) : fc.constant(undefined),
          )
          .map(([children, nested]) => listItem(children, nested === undefined ? [] : [nested])),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([ordered, items]) => list(ordered, items));

const plainBlocks: fc.Arbitrary<Block> = fc.oneof(
  inlinesOf(pageLeaves).map(paragraph),
  fc
    .tuple(fc.constantFrom<HeadingLevel>(1, 2, 3, 4, 5, 6), inlinesOf(leaves))
    .map(([level, nodes]) => heading(level, nodes)),
  listOf(1),
  fc.string({ unit: fc.constantFrom(..."a'*=[]\n ") }).map(codeBlock),
  fc
    .oneof(
      images,
      fc.constant(video("https://e.org/v")),
      fc.constant(guideList({ tags: "A", type: "howto" })),
      id.map((number) => link("guide", number, { newWindow: true })),
    )
    .map(embed),
);

const quotes = fc
  .tuple(
    fc.array(plainBlocks, { minLength: 1, maxLength: 3 }),
    fc.option(inlinesOf(links), { nil: [] }),
    fc.constantFrom("long", "featured"),
  )
  .map(([blocks, attribution, format]) => quote(blocks, { attribution, format }));

const macros = fc.oneof(
  words.map((value) => pageMacro("title", value)),
  words.map((value) => pageMacro("summary", value)),
  id.map((value) => pageMacro("summary_image", value)),
  fc.constant(pageMacro("flag", "private")),
  words.map((value) => pageMacro("info", "device", { introduced_date: value, see: "[guide|1|a]" })),
  words.map((value) => pageMacro("def_flag", "", { flagid: "a", title: value })),
);

/** Pages built with the builders. */
export const pages = fc
  .array(fc.oneof({ weight: 5, arbitrary: plainBlocks }, quotes, macros), { maxLength: 5 })
  .map(page);

/** Lines of steps built with the builders. */
export const lines = inlinesOf(leaves).map(line);
