import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Guide, GuideItem, ItemOf, Part, StepMedia } from "../../../../src/core/model/item.js";
import { readManual } from "../../../../transforms/omanual/read-manual.js";
import { writeItem } from "../../../../transforms/omanual/write/write-item.js";
import { writeManual } from "../../../../transforms/omanual/write/write-manual.js";
import { guideItem, step } from "../../../helpers/items.js";
import { anyCategory, anyGuide } from "./arbitrary-items.js";
import { differences, readBack, untold } from "./read-back.js";
import { faultsOf } from "./schemas.js";

const IMAGES: StepMedia = { type: "images", images: ["image/8"] };
const anyItem: fc.Arbitrary<GuideItem | ItemOf<"category">> = fc.oneof(
  { arbitrary: anyGuide, weight: 3 },
  { arbitrary: anyCategory, weight: 1 },
);

describe("a guide or category of any content", () => {
  it("is written validly by both schemas", { tags: ["shared", "xmllint"] }, async () => {
    const items = fc.sample(anyItem, 150);
    expect(await faultsOf(items.map((item) => writeItem(item).xml))).toEqual([]);
  });

  it("comes back as it was, but for what is told of", () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        const { xml, issues } = writeItem(item);
        expect(untold(differences(item.body, readBack(item, xml).body), issues)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("is written in the same bytes each time, and again from its own document", () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        const { xml } = writeItem(item);
        expect(writeItem(structuredClone(item)).xml).toBe(xml);
        const result = readManual(xml, { file: "guide.xml", undouble: false });
        if (!result.ok || result.manual.kind === "manifest") throw new Error("It is no manual.");
        expect(writeManual(result.manual)).toBe(xml);
      }),
      { numRuns: 60 },
    );
  });
});

/** What the property above once found. */
const FOUND: readonly (readonly [what: string, body: Partial<Guide>, issue: string])[] = [
  ["an author without name and id", { author: { id: 0, name: " ", uniqueName: null } }, "note author-empty author"],
  ["a part of a second", { createdDate: 1.5 }, "note date-fraction createdDate"],
  ["an address with a reference in it", { tools: [tool({ url: "/a?b&amp;c" })] }, "loss reference-like tools[0].url"],
  ["an empty address", { tools: [tool({ url: "" })] }, "note empty-address tools[0].url"],
  ["words that look like a tag", { steps: [step(1, ["<b>b</b>"])] }, "loss tag-like steps[0].lines[0].text"],
  ["a blank at the end of a text", { conclusion: "oil\t" }, "note text-spelling conclusion"],
  ["images that are not here", { steps: [step(1, [], { media: IMAGES })] }, "loss media-missing steps[0].media"],
  [
    "a step of 65 lines",
    {
      steps: [
        step(
          1,
          Array.from({ length: 65 }, () => "x"),
        ),
      ],
    },
    "loss too-many-lines steps[0].lines",
  ],
  ["a page macro", { introduction: "a\n\n[summary]s[/summary]" }, "loss text-markup introduction"],
  ["an image in a text", { introduction: "[image|5]" }, "loss text-markup introduction"],
  ["a day beyond the year 9999", { modifiedDate: 300_000_000_000 }, "loss date-unknown modifiedDate"],
];

function tool(more: Partial<Part>): Part {
  return { name: "x", type: "", quantity: 1, notes: "", url: null, optional: null, featured: null, ...more };
}

it.each(FOUND)("%s comes back as it was, or is told of", (_, body, issue) => {
  const item = guideItem(1, body);
  const { xml, issues } = writeItem(item);
  expect(untold(differences(item.body, readBack(item, xml).body), issues)).toEqual([]);
  expect(issues.map(({ level, code, path }) => `${level} ${code} ${path}`)).toContain(issue);
});

it.each(["]]>\roil", "a\rb", "''a''\rb", "[https://e.org/?a=\r|b]", "<b>\r</b>"])(
  "%j is written in the same bytes from the second time on",
  (text) => {
    const { xml } = writeItem(guideItem(1, { introduction: text, steps: [step(1, [text])] }));
    expect(xml).not.toContain("\r");
    const result = readManual(xml, { file: "guide.xml", undouble: false });
    if (!result.ok || result.manual.kind !== "guide") throw new Error("It is no guide.");
    expect(writeManual(result.manual)).toBe(xml);
  },
);

it("makes no id of a site of one that was made up, and writes it as 0 where one is required", () => {
  const { xml, issues } = writeItem(guideItem(2 ** 52 + 1, { prerequisites: [`guide/${2 ** 52 + 2}`, "guide/7"] }));
  expect(xml.match(/<prerequisite [^>]*>/g)).toEqual([
    '<prerequisite id="0" locale="" subject="" type=""/>',
    '<prerequisite id="7" locale="" subject="" type=""/>',
  ]);
  expect(issues.map(({ code }) => code)).toEqual(expect.arrayContaining(["prerequisite-lost", "prerequisite-unknown"]));
});
