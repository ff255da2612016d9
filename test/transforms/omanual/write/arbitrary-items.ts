import fc from "fast-check";
import type {
  Guide,
  GuideItem,
  ItemOf,
  Line,
  MediaUse,
  Part,
  Step,
  StepMedia,
} from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import { guideItem, line, step, wikiItem } from "../../../helpers/items.js";

/**
 * Words of all kinds: plain, markup, XML's own characters, what XML can't hold, references, blanks.
 */
const piece = fc.constantFrom(
  ...[
    "oil",
    "the loom",
    "’s",
    "ü",
    "\u{1F9F5}",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r",
    "&",
    "<",
    ">",
    '"',
    "]]>",
    "&amp;",
    "&#65;",
  ],
  ...[
    "'''",
    "''",
    "++",
    "~~",
    "^^",
    ",,",
    "``",
    "* ",
    "# ",
    "\n* one\n** two\n",
    "\n# one\n# two\n",
    "== Tools ==\n",
    "[br]",
  ],
  ...[
    "[image|5]",
    "[video|7]",
    "[document|9|a.pdf]",
    "[guide|12|see]",
    "[guide|12]",
    "[[Category:Looms|l]]",
    "[product|IF145-000|p]",
  ],
  ...[
    "[https://e.org/x?a=1&b=2|l]",
    "https://e.org/y",
    "[quote|Ann]said\n[/quote]",
    "[code]x = 1 < 2\n[/code]",
    "[summary]s[/summary]",
  ],
  ...[
    "[guidelist|tags=a]",
    "[odd|x]",
    "<b>b</b>",
    "\u0001",
    "\uFFFE",
    "\uD800",
    "<!-- c -->",
    "a: b",
    "1. ",
    "a/b",
    "e.org/x",
    "http://e.org",
    "www.e.org",
    "it's",
    "a, b",
    ":",
    "-",
    "--",
    "mailto:a@e.org",
  ],
);

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);

function orNull<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null });
}

const address = fc.oneof(
  fc.constantFrom(
    "https://e.org/a b",
    "http://[::1]/x",
    "/Item/Shuttle",
    "x y",
    "a:b",
    "https://e.org/ü?q=[1]#s",
    "//e.org/x",
    "%",
    ":",
  ),
  fc.webUrl(),
  text,
);

const key = (kind: "image" | "video" | "document"): fc.Arbitrary<Key> =>
  fc.integer({ min: 1, max: 9 }).map((id): Key => `${kind}/${id}`);

const media: fc.Arbitrary<StepMedia> = fc.oneof(
  fc.constant({ type: "none" as const }),
  fc.uniqueArray(key("image"), { minLength: 1, maxLength: 4 }).map((images) => ({ type: "images" as const, images })),
  key("video").map((video) => ({ type: "video" as const, video })),
  fc.record({
    type: fc.constant("embed" as const),
    url: fc.webUrl(),
    title: orNull(fc.constant("A film")),
  }),
);

const lines: fc.Arbitrary<Line> = fc
  .record({
    text,
    bullet: fc.constantFrom("black", "light_blue", "icon_note", "odd"),
    level: fc.integer({ min: 0, max: 3 }),
    bulletStyle: orNull(fc.constant({ id: 3, label: "x" })),
  })
  .map(line);

const steps: fc.Arbitrary<Step> = fc
  .record({ id: fc.integer({ min: 1, max: 99 }), title: text, lines: fc.array(lines, { maxLength: 10 }), media })
  .map(({ id, lines: some, ...more }) => step(id, some, more));

const part: fc.Arbitrary<Part> = fc.record({
  name: text,
  type: text,
  quantity: orNull(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(1.5, -2))),
  notes: text,
  url: orNull(address),
  optional: orNull(fc.boolean()),
  featured: orNull(fc.boolean()),
});

const seconds = orNull(fc.integer({ min: -1000, max: 4_000_000_000 }));
const flags = fc.uniqueArray(fc.constantFrom("GUIDE_STUB", "GUIDE_ARCHIVED", "odd flag"), { maxLength: 2 });

const body: fc.Arbitrary<Partial<Guide>> = fc.record({
  title: text,
  subject: text,
  summary: text,
  category: text,
  type: fc.constantFrom("how-to", "Teardown", " x "),
  introduction: text,
  conclusion: text,
  difficulty: orNull(fc.constantFrom("Easy", "Very difficult", "Schwer")),
  timeRequired: fc.record({ min: fc.nat(100_000), max: fc.nat(10_000_000) }),
  flags,
  image: orNull(key("image")),
  introductionVideo: orNull(key("video")),
  documents: fc.uniqueArray(key("document"), { maxLength: 2 }),
  parts: fc.array(part, { maxLength: 2 }),
  tools: fc.array(part, { maxLength: 2 }),
  prerequisites: fc.uniqueArray(fc.constantFrom<Key>("guide/2", "guide/3"), { maxLength: 2 }),
  steps: fc.array(steps, { maxLength: 4 }),
  tags: fc.array(fc.constant("wood"), { maxLength: 1 }),
  author: orNull(fc.record({ id: fc.nat(9), name: text, uniqueName: orNull(fc.constant("ann")) })),
  public: fc.boolean(),
  createdDate: seconds,
  modifiedDate: seconds,
});

/** The addresses of media 1 to 7; 8 and 9 have none. */
const USES: readonly MediaUse[] = (["image", "video", "document"] as const).flatMap((kind) =>
  [1, 2, 3, 4, 5, 6, 7].map((id): MediaUse => {
    const url = `https://media.example/${kind}-${id}.${kind === "video" ? "mp4" : "full"}`;
    return { key: `${kind}/${id}`, url, guid: null, fileName: null, path: "" };
  }),
);

export const anyGuide: fc.Arbitrary<GuideItem> = body.map((given) => ({ ...guideItem(1, given), media: USES }));

export const anyCategory: fc.Arbitrary<ItemOf<"category">> = fc
  .record({
    title: text.filter((title) => title.trim() !== ""),
    displayTitle: orNull(text),
    contents: text,
    description: text,
    image: orNull(key("image")),
    flags,
    documents: fc.uniqueArray(key("document"), { maxLength: 2 }),
    info: fc.array(
      fc.record({
        name: fc.constantFrom("Manufacturer", "Introduced", "Colour"),
        value: fc.oneof(text, fc.constant("1998")),
      }),
      { maxLength: 3 },
    ),
    parent: orNull(fc.constant("Looms")),
    position: orNull(fc.nat(3)),
  })
  .map(({ title, ...given }) => ({ ...wikiItem("CATEGORY", title, given), kind: "category", media: USES }));
