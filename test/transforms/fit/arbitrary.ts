import fc from "fast-check";
import type { Guide, Line, Part, Step } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { guide, part, step } from "./make.js";

const FRAGMENTS = [
  "turn",
  "the",
  "counterclockwise",
  "shuttle.",
  "Stop!",
  "(see",
  "below)",
  "3/4''",
  "don't",
  "5\u00a0mm",
  " ",
  " ",
  " ",
  "  ",
  "'''",
  "''",
  "'''''",
  "''''",
  "'",
  "++",
  "~~",
  "^^",
  ",,",
  "``",
  "[guide|12|Warp the loom]",
  "[guide|7|Weft|stepid=31|new_window=true]",
  "[https://thread.example/a?b=c,d|yarn]",
  "[[Topic:Hand Looms|looms]]",
  "[image|5]",
  "[2]",
  "[note to self",
  "https://thread.example/very/long/++path++",
  "http://thread.example.",
  "👩‍🚀",
  "e\u0301",
  "\u0301",
  "織機",
  "の糸を巻く。",
  "\ud83d",
  "𝒳",
  "\u200b",
  "é",
  "|",
  "]",
  "[",
] as const;

/**
 * Inline wiki text: words, marks that pair or don't, macros, addresses, characters of every kind.
 */
export function inlineText(maxLength: number): fc.Arbitrary<string> {
  const word = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...FRAGMENTS) },
    fc.string({ unit: "grapheme", maxLength: 6 }),
  );
  return fc.array(word, { maxLength, size: "max" }).map((words) => words.join(""));
}

/** Wiki text with paragraphs, lists, headings and blocks of code. */
export const blockText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      inlineText(8),
      inlineText(8),
      fc.constantFrom("* ", "** ", "# ", "== Tools ==", "[code]\nx\n\ny\n[/code]", "[info | device\n|made = 1998\n]"),
    ),
    { maxLength: 120, size: "max" },
  )
  .chain((blocks) => fc.constantFrom("\n", "\n\n", "\r\n", "\n \n").map((glue) => blocks.join(glue)));

const lineOf: fc.Arbitrary<Line> = fc.record({
  text: fc.oneof(
    { weight: 5, arbitrary: inlineText(6) },
    { weight: 1, arbitrary: inlineText(120) },
    { weight: 1, arbitrary: fc.constantFrom("", " ", "\u00a0") },
  ),
  bullet: fc.constantFrom("black", "red", "icon_note"),
  bulletStyle: fc.constant(null),
  level: fc.integer({ min: -1, max: 4 }),
});

const imageKey: fc.Arbitrary<Key> = fc.integer({ min: 1, max: 40 }).map((id): Key => `image/${id}`);

const mediaOf: fc.Arbitrary<Step["media"]> = fc.oneof(
  fc.constant({ type: "none" } as const),
  fc.array(imageKey, { maxLength: 10, size: "max" }).map((images) => ({ type: "images", images }) as const),
  fc.integer({ min: 1, max: 9 }).map((id) => ({ type: "video", video: `video/${id}` }) as const),
  fc.constant({ type: "embed", url: "https://film.example/1", title: null } as const),
);

const stepOf = fc
  .record({
    title: fc.oneof(fc.constant(""), inlineText(60)),
    lines: fc.array(lineOf, { maxLength: 20, size: "max" }),
    media: mediaOf,
  })
  .map((changes) => step(changes));

const partOf: fc.Arbitrary<Part> = fc
  .record({
    name: fc.constantFrom("Rod", "", " "),
    notes: fc.constantFrom("", "long"),
    quantity: fc.oneof(fc.constant(null), fc.constant(1), fc.integer(), fc.double()),
  })
  .map((changes) => part(changes));

const tagOf = fc.oneof(
  fc.constantFrom("loom", "hand weaving"),
  inlineText(12),
  fc.string({ minLength: 30, maxLength: 40 }),
);

/** Guides that break every limit there is, and some that break none. */
export const anyGuide: fc.Arbitrary<Guide> = fc
  .record({
    type: fc.constantFrom("how-to", "repair"),
    difficulty: fc.constantFrom(null, "Easy", "Leicht"),
    summary: fc.oneof(inlineText(5), inlineText(60)),
    introduction: blockText,
    conclusion: fc.oneof(fc.constant(""), inlineText(10)),
    flags: fc.subarray(["GUIDE_STARRED", "GUIDE_NEW", "GUIDE_PATAGONIA"]),
    image: fc.oneof(fc.constant(null), imageKey),
    introductionVideo: fc.constantFrom(null, "video/1" as const, "video/2" as const),
    documents: fc.subarray(["document/1", "document/2"] as const),
    featuredDocument: fc.constantFrom(null, "document/1" as const, "document/2" as const),
    parts: fc.array(partOf, { maxLength: 3 }),
    tools: fc.array(partOf, { maxLength: 3 }),
    tags: fc.array(tagOf, { maxLength: 4 }),
    steps: fc.array(stepOf, { maxLength: 4 }),
  })
  .map((changes) =>
    guide({ ...changes, steps: changes.steps.map((one, index) => ({ ...one, key: `step/${index + 1}` })) }),
  );
