import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemSchema } from "../../../src/core/model/item.js";
import { createBundle } from "../../../transforms/omanual/bundle.js";
import { manualItem } from "../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { writeManual } from "../../../transforms/omanual/write/write-manual.js";

/** Names of the format, of HTML, and others, in any place. */
const NAMES = [
  ...[
    "guide",
    "title",
    "steps",
    "step",
    "lines",
    "line",
    "media",
    "image",
    "images",
    "video",
    "encoding",
    "embed",
    "source",
  ],
  ...[
    "introduction",
    "conclusion",
    "tools",
    "tool",
    "parts",
    "part",
    "flags",
    "flag",
    "documents",
    "document",
    "categories",
  ],
  ...[
    "prerequisites",
    "prerequisite",
    "author",
    "category",
    "created_date",
    "ancestors",
    "ancestor",
    "contents",
    "category_info",
    "guides",
  ],
  ...["p", "ul", "li", "a", "br", "div", "table", "vendor", "__proto__"],
];
const ATTRIBUTES = [
  "number",
  "level",
  "bullet",
  "text_raw",
  "introduction_raw",
  "id",
  "type",
  "url",
  "large",
  "orderby",
  "quantity",
  "name",
  "href",
  "class",
  "style",
  "title",
  "introduced",
  "locale",
  "vendor",
];
const VALUES = [
  "",
  "0",
  "1",
  "-1",
  "99999999999",
  "x",
  "media/a.jpg",
  "../../a",
  "https://e.org/a",
  "''b''",
  "&amp;amp;",
  "&lt;p&gt;a&lt;/p&gt;",
  "[guide|5]",
  "[video|a]",
  "videoBox_x",
  "&#13;a&#10;&#9;",
  "]]&gt;",
  "a&#160;b ",
  "&amp;lt;b&amp;gt;",
  "javascript:a()",
  "1347408000",
  "&#x1F9F5;",
  "2026-01-01",
  "en",
];

const value = fc.constantFrom(...VALUES);
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.dictionary(fc.constantFrom(...ATTRIBUTES), value, { maxKeys: 4 }),
      fc.array(tie("content"), { maxLength: 4, depthIdentifier: "manual" }),
    )
    .map(([name, attributes, content]) => {
      const written = Object.entries(attributes).map(([key, each]) => ` ${key}="${each}"`);
      return `<${name}${written.join("")}>${content.join("")}</${name}>`;
    }),
  content: fc.oneof(
    { depthSize: "medium", depthIdentifier: "manual" },
    value,
    value.map((text) => `<![CDATA[${text}<em>x</em>]]>`),
    tie("element"),
  ),
}));

const document = fc
  .tuple(
    fc.constantFrom("guide", "procedure", "category", "topic", "device", "manifest"),
    fc.array(element, { minLength: 1, maxLength: 8 }),
  )
  .map(([root, content]) => `<${root} locale="en">${content.join("")}</${root}>`);

const PATH = "a/guide.xml";

/**
 * The document that is made of another one's manual; undefined for a manifest, which 1.0 has not.
 */
function rewritten(xml: string, undouble: boolean): string | undefined {
  const result = readManual(xml, { file: PATH, undouble });
  if (!result.ok) throw new Error(result.fault.message);
  return result.manual.kind === "manifest" ? undefined : writeManual(result.manual);
}

describe("any document with a manual's root", () => {
  it("is written the same from the second time on, whether or not readers undo double escaping", () => {
    fc.assert(
      fc.property(document, (xml) => {
        const one = rewritten(xml, true);
        if (one === undefined) return;
        expect(rewritten(one, false)).toBe(one);
        const two = rewritten(one, true) ?? "";
        expect(rewritten(two, true)).toBe(two);
      }),
      { numRuns: 500 },
    );
  });

  it("is read, gives an item of the model, and tells of the same things each time", () => {
    fc.assert(
      fc.property(document, (xml) => {
        const result = readManual(xml, { file: PATH });
        if (!result.ok) throw new Error(result.fault.message);
        const make = () => manualItem({ ...result, path: PATH, file: PATH }, createBundle([PATH, "a/media/a.jpg"], []));
        const item = make();
        expect(make()).toEqual(item);
        if (item === undefined) expect(result.manual.kind).toBe("manifest");
        else expect(itemSchema.parse(item)).toEqual(item);
      }),
      { numRuns: 1000 },
    );
  });

  it("loses no text: all of it is in the document as read, or kept aside", () => {
    const words = fc.constantFrom("Warp", "Weft", "Shed");
    fc.assert(
      fc.property(element, words, (some, word) => {
        const result = readManual(`<guide><title>A</title>${some}<vendor>${word}</vendor></guide>`, { file: PATH });
        if (!result.ok) throw new Error(result.fault.message);
        expect(result.manual.extra).toContainEqual(expect.objectContaining({ xml: `<vendor>${word}</vendor>` }));
      }),
      { numRuns: 200 },
    );
  });
});
