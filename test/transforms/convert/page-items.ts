import fc from "fast-check";
import type { GuideItem, Line, MediaUse, Part, Step, StepMedia, WikiItem } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { guideItem, line, step, wikiItem } from "../../helpers/items.js";

/** Words without markup, but with all that looks like markup to one of the formats. */
const word = fc.constantFrom(
  ...["oil", "the loom", "½ × 3", "ü", "\u{1F9F5}", "a,", "(b)", "50%", "it's", "e.g.", '5" x 4"', "two  blanks"],
  ...["*", "_x_", "#", "1.", "-", "+", "`c`", "<b>", "&amp;", "&", "[x]", "(y)", "!", "|", "~~s~~", "\\", "<!-- c -->"],
  ...["Step 1", "Tools", "Time: 5", "Note:", "2 × 4", "Type: x", "Guide 7", "https://e.org/x", "a@e.org", "Part of: y"],
);
export const words: fc.Arbitrary<string> = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(" "));
const someWords = fc.oneof(fc.constant(""), words);

const inline = fc.constantFrom(
  ...[
    "'''bold'''",
    "''italic''",
    "++under++",
    "~~gone~~",
    "x^^2^^",
    "H,,2,,O",
    "``code``",
    "'''Note:'''",
    "'''Caution:''' hot",
  ],
  ...["[https://e.org/a|here]", "https://e.org/b", "[guide|12|see]", "[document|9|a.pdf]", "5 * 4", "# 3"],
  ...[
    "[[Category:Looms|looms]]",
    "[product|IF145-002|kit]",
    "plain words",
    "it's",
    "<b>",
    "&amp;",
    "[x]",
    "Step 2: no",
  ],
);

export const lineText: fc.Arbitrary<string> = fc
  .array(inline, { minLength: 1, maxLength: 4 })
  .map((list) => list.join(" and "));

const block = fc.oneof(
  fc.array(inline, { minLength: 1, maxLength: 3 }).map((list) => `Text ${list.join(" and ")} end`),
  fc.constantFrom(
    ...["== Tools ==", "=== Step 1 ===", "==== Conclusion ====", "== Documents =="],
    ...["* one\n* two\n** three", "# first\n# second", "* Category: Looms\n* Language: de", "* Type: x"],
    ...[
      "[code]\nx = 1 < 2\n# no heading\n[/code]",
      "[quote|Ann]\nsaid\n[/quote]",
      "[video|https://www.youtube.com/watch?v=abc]",
    ],
    ...["One line[br]and the next", "[image|5]", "[https://e.org/film.mp4|film.mp4]", "https://e.org/picture.png"],
  ),
);
/** Blocks that are one next to each other would be another. */
export const pageText: fc.Arbitrary<string> = fc
  .array(block, { maxLength: 4 })
  .map((blocks) =>
    blocks.filter((each, at) => !/^[*#]/.test(each) || !/^[*#]/.test(blocks[at - 1] ?? "")).join("\n\n"),
  );

const bullets = ["black", "red", "light_blue", "violet", "icon_note", "icon_caution", "icon_reminder"];
const lines: fc.Arbitrary<readonly Line[]> = fc
  .array(fc.record({ text: lineText, bullet: fc.constantFrom(...bullets), level: fc.integer({ min: 0, max: 2 }) }), {
    maxLength: 8,
  })
  .map((some) => some.map(line));

/** Where the media of every generated item lie. */
const MEDIA: readonly MediaUse[] = [
  use("image/1", "https://e.org/igi/a_b(c).full"),
  use("image/2", "bundle:/media/Front%20view%20(1).png", "Front view (1).png"),
  use("image/3", "bundle:/media/step-0-image-1.jpg", "step-0-image-1.jpg"),
  use("video/7", "bundle:/media/treadling.mp4", "treadling.mp4"),
  use("video/8", "https://e.org/v/full?x=1&y=2"),
  use("document/9", "https://e.org/d/9/manual%20a.pdf", "manual a.pdf"),
  use("document/10", "bundle:/media/Drive%20band.pdf", "Drive band.pdf"),
];

function use(key: Key, url: string, fileName: string | null = null): MediaUse {
  return { key, url, guid: null, fileName, path: "" };
}

const image = fc.constantFrom<Key>("image/1", "image/2", "image/3");
const video = fc.constantFrom<Key>("video/7", "video/8");
const media: fc.Arbitrary<StepMedia> = fc.oneof(
  fc.constant({ type: "none" as const }),
  fc.uniqueArray(image, { minLength: 1, maxLength: 3 }).map((images) => ({ type: "images" as const, images })),
  video.map((key) => ({ type: "video" as const, video: key })),
  fc.constant({ type: "video" as const, video: "video/77" as const }),
  fc.constantFrom(null, "A film").map((title) => ({ type: "embed" as const, url: "https://e.org/watch?v=1", title })),
);

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ title: someWords, lines, media }).map(({ lines: some, ...more }) => step(1, some, more)),
  { maxLength: 4 },
);

const part: fc.Arbitrary<Part> = fc.record({
  name: words,
  type: someWords,
  quantity: fc.integer({ min: 1, max: 9 }),
  notes: someWords,
  url: fc.constantFrom(null, "https://e.org/p?a=1&b=2", "/Item/Card_Comb"),
  optional: fc.constantFrom(null, true, false),
  featured: fc.constantFrom(null, true, false),
});

const date = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }), { nil: null });
const documents = fc.uniqueArray(fc.constantFrom<Key>("document/9", "document/10"));
const minutes = fc.integer({ min: 0, max: 5000 });

/** Guides that a page can say all of. */
export const pageGuide: fc.Arbitrary<GuideItem> = fc
  .record({
    title: words,
    summary: someWords,
    category: someWords,
    type: fc.constantFrom("", "how-to", "repair"),
    subject: someWords,
    language: fc.constantFrom("en", "de"),
    difficulty: fc.constantFrom(null, "Very easy", "Difficult"),
    timeRequired: fc.tuple(minutes, minutes).map(([a, b]) => ({ min: Math.min(a, b) * 60, max: Math.max(a, b) * 60 })),
    author: fc.constantFrom(
      null,
      { id: 7, name: "Ann (B.)", uniqueName: null },
      { id: 0, name: "Cy", uniqueName: null },
    ),
    createdDate: date,
    modifiedDate: date,
    flags: fc.uniqueArray(fc.constantFrom("GUIDE_STUB", "an odd, flag")),
    tags: fc.uniqueArray(words, { maxLength: 3 }),
    public: fc.boolean(),
    image: fc.option(image, { nil: null }),
    introduction: pageText,
    introductionVideo: fc.option(video, { nil: null }),
    conclusion: pageText,
    prerequisites: fc.uniqueArray(fc.constantFrom<Key>("guide/5", "guide/6@de")),
    tools: fc.array(part, { maxLength: 3 }),
    parts: fc.array(part, { maxLength: 3 }),
    documents,
    steps,
  })
  .map((body) => ({ ...guideItem(1, { ...body, url: "" }), media: MEDIA }));

/** Categories and wikis that a page can say all of. */
export const pageWiki: fc.Arbitrary<WikiItem> = fc
  .record({
    namespace: fc.constantFrom("CATEGORY" as const, "ITEM" as const, "WIKI" as const),
    title: words,
    displayTitle: fc.constantFrom(null, "Another title"),
    description: someWords,
    image: fc.option(image, { nil: null }),
    contents: pageText.filter((text) => !text.includes("== Documents ==")),
    documents,
    language: fc.constantFrom("en", "de"),
    parent: fc.option(words, { nil: null }),
    flags: fc.uniqueArray(fc.constantFrom("WIKI_STUB")),
    tags: fc.uniqueArray(words, { maxLength: 2 }),
    info: fc.array(fc.record({ name: fc.constantFrom("Manufacturer", "Introduced"), value: words }), { maxLength: 2 }),
  })
  .map(({ namespace, title, ...body }) => ({ ...wikiItem(namespace, title, body), media: MEDIA }));
