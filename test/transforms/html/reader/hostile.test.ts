import fc from "fast-check";
import { fromHtml } from "hast-util-from-html";
import { toHtml } from "hast-util-to-html";
import { describe, expect, it } from "vitest";
import { safeHtmlOf } from "../../../../transforms/html/reader/html-content.js";
import { readerHtml } from "../../../../transforms/html/reader/reader-html.js";
import type { ReaderOptions } from "../../../../transforms/html/reader/reader-links.js";
import { HOSTILE_HTML, HOSTILE_TEXT } from "../../../helpers/hostile-markup.js";
import { anyHtml } from "../arbitrary-html.js";
import { anyTree } from "../arbitrary-tree.js";
import { faultsIn } from "./is-safe.js";
import { LINKS, NO_SITE } from "./links.js";

const WAYS: readonly ReaderOptions[] = [
  { links: LINKS },
  { links: LINKS, inline: true },
  { links: NO_SITE, anchors: "conclusion-", heading: 6 },
];
const way = fc.constantFrom(...WAYS);

/**
 * Read again and written again, it must be the same: what a browser makes of it is what was judged.
 */
function expectSafe(html: string): void {
  expect(faultsIn(html)).toEqual([]);
  expect(toHtml(fromHtml(html, { fragment: true }))).toBe(html);
}

describe("HTML that was written to do harm", () => {
  it.each(HOSTILE_HTML)("is safe: %s", (html) => {
    for (const options of WAYS) expectSafe(safeHtmlOf(html, options));
  });

  it("is safe in any order, cut anywhere", () => {
    const trick = fc
      .tuple(fc.constantFrom(...HOSTILE_HTML), fc.nat(200), fc.nat(200))
      .map(([html, from, length]) => (length % 3 === 0 ? html : html.slice(from % html.length, from + length)));
    const mixed = fc.array(fc.oneof(trick, anyHtml), { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(mixed, way, (html, options) => expectSafe(safeHtmlOf(html, options))),
      { numRuns: 750 },
    );
  });

  it("is safe whatever attributes it has on whatever element", () => {
    const name = fc.constantFrom(
      ..."a img p div h2 td table video iframe source span ol svg math form base".split(" "),
    );
    const key = fc.constantFrom(
      ..."href src style class id onclick onerror srcset xlink:href formaction data-imageid videoid title alt".split(
        " ",
      ),
      ..."dir lang start colspan rowspan poster target rel download ping is slot part".split(" "),
    );
    const value = fc.oneof(
      fc.constantFrom(
        "javascript:harm()",
        "//evil.invalid",
        "/\\evil.invalid",
        "data:text/html,x",
        "x' \" >",
        "5",
        "-1",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.webUrl(),
    );
    const attribute = fc.tuple(key, value).map(([one, other]) => ` ${one}="${other.replaceAll('"', "&quot;")}"`);
    const tag = fc.tuple(name, fc.array(attribute, { maxLength: 4 })).map(([one, all]) => `<${one}${all.join("")}>x`);
    const html = fc.array(tag, { maxLength: 5 }).map((tags) => tags.join(""));
    fc.assert(
      fc.property(html, way, (each, options) => expectSafe(safeHtmlOf(each, options))),
      { numRuns: 750 },
    );
  });
});

describe("wiki text that was written to do harm", () => {
  it.each(HOSTILE_TEXT)("is safe: %s", (text) => {
    for (const options of WAYS) expectSafe(readerHtml(text, options));
  });

  it("is safe in any order", () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...HOSTILE_TEXT), fc.string({ unit: "binary", maxLength: 20 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, fc.constantFrom("\n\n", "\n", " ", "", "'''"), way, (parts, between, options) =>
        expectSafe(readerHtml(parts.join(between), options)),
      ),
      { numRuns: 500 },
    );
  });

  it("is safe whatever tree it is", () => {
    fc.assert(
      fc.property(anyTree, way, (tree, options) => {
        expect(faultsIn(readerHtml(tree, options))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
