import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { type ConvertOptions, convert } from "../../../transforms/convert/convert.js";
import {
  FORMATS,
  formatOfFile,
  SOURCE_FORMATS,
  type SourceFormat,
  TARGET_FORMATS,
} from "../../../transforms/convert/formats.js";

const TEXTS = new URL("../../../samples/texts/", import.meta.url);

function sample(format: SourceFormat): string {
  return readFileSync(new URL(`shuttle.${FORMATS[format].endings[0]}`, TEXTS), "utf8");
}

const codes = (source: unknown, options: ConvertOptions): readonly string[] =>
  convert(source, options).issues.map(({ code }) => code);

describe("a conversion", () => {
  const pairs = SOURCE_FORMATS.flatMap((from) => SOURCE_FORMATS.map((to) => ({ from, to })));

  it.each(pairs)("of the sample from $from to $to says what the sample says", ({ from, to }) => {
    const { text } = convert(sample(from), { from, to });
    const meant = convert(sample(from), { from, to: "wiki" }).text.trimEnd();
    expect(convert(text, { from: to, to: "wiki" }).text.trimEnd()).toBe(meant);
  });

  it.each(SOURCE_FORMATS)("from %s to the formats that are only written gives their form", (from) => {
    const plain = convert(sample(from), { from, to: "plain-html" }).text;
    expect(plain).toMatch(/<h2 id="\S+">Winding the shuttle<\/h2>\n<p>A <strong>boat shuttle<\/strong>/);
    expect(plain).not.toMatch(/class=/);
    const introduction: unknown = JSON.parse(convert(sample(from), { from, to: "introduction-json" }).text);
    expect(introduction).toMatchObject({ type: "doc" });
    expect(JSON.stringify(introduction)).toContain('"marks":[{"type":"bold"}]');
  });

  it("from wiki to wiki gives every string back", () => {
    const strings = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."'[]|*#= \r\n\0\ud800\ufeff") }),
    );
    fc.assert(
      fc.property(strings, fc.constantFrom("page" as const, "line" as const), (text, context) => {
        expect(convert(text, { from: "wiki", to: "wiki", context }).text).toBe(text);
      }),
    );
  });

  it("takes a text for a page, unless it is told that it is a line of a step", () => {
    const page: ConvertOptions = { from: "markdown", to: "wiki" };
    expect(convert("# a\n\nb", page).text).toBe("= a =\n\nb");
    expect(convert("# a\n\nb", { ...page, context: "line" })).toMatchObject({
      text: "a b",
      issues: [{ code: "block-in-line", level: "loss" }],
    });
  });

  it("takes the words of a document for a line, and tells that they stood in blocks", () => {
    const options: ConvertOptions = { from: "document-tree", to: "wiki", context: "line" };
    expect(convert(sample("document-tree"), options)).toMatchObject({
      text: "Winding the shuttle A '''boat shuttle''' carries the weft through the shed. Thread the eye from inside",
      issues: [{ code: "block-in-line", level: "loss", path: "" }],
    });
  });

  it("takes a document as JSON or as the value that the JSON stands for", () => {
    const document = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }] };
    const options: ConvertOptions = { from: "document-tree", to: "wiki" };
    expect(convert(document, options)).toEqual(convert(JSON.stringify(document), options));
  });

  it("tells places of what was read, and none of a text that nobody has seen", () => {
    const [issue] = convert("a\n\n|x|y|\n|-|-|\n", { from: "markdown", to: "wiki" }).issues;
    expect(issue).toMatchObject({ code: "table-to-list", start: 3, end: 14 });
    const [unseen] = convert("a ![](image:5)", { from: "markdown", to: "plain-html" }).issues;
    expect(unseen).toMatchObject({ code: "not-looked-up", level: "loss", start: 0, end: 0 });
    const [seen] = convert("a [image|5]", { from: "wiki", to: "plain-html" }).issues;
    expect(seen).toMatchObject({ code: "not-looked-up", start: 2, end: 11 });
  });

  it.each<readonly [string, SourceFormat, RegExp]>([
    ['{"type":', "document-tree", /is JSON, and this is not JSON: /],
    ['{"title": "x"}', "document-tree", /is not a document tree/],
    ["[]", "document-tree", /is not a document tree/],
    ["null", "document-tree", /is not a document tree/],
  ])("refuses %s as %s", (text, from, message) => {
    expect(() => convert(text, { from, to: "wiki" })).toThrow(message);
    expect(() => convert(text, { from, to: "wiki" })).toThrow(UsageError);
  });

  it("refuses anything but a text where the format is no JSON", () => {
    expect(() => convert({ type: "doc" }, { from: "wiki", to: "html" })).toThrow(/must be a text/);
    expect(() => convert(undefined, { from: "html", to: "html" })).toThrow(UsageError);
  });
});

describe("what HTML does not say", () => {
  const text = "[title|A]\n\n[image|5] [video|7] [video|https://e.org/v] [guide|12|x] [[Loom]]\n\n[guidelist|tags=A]";

  it("is told of plain HTML: what only the site can look up, data about the page, links that lead nowhere", () => {
    const { issues } = convert(text, { from: "wiki", to: "plain-html" });
    expect(issues.filter(({ level }) => level === "loss").map(({ code, start }) => [code, start])).toEqual([
      ["page-data", 0],
      ["not-looked-up", text.indexOf("[image")],
      ["not-looked-up", text.indexOf("[video|7")],
      ["not-looked-up", text.indexOf("[guidelist")],
    ]);
    expect(issues.at(-1)).toMatchObject({ code: "relative-links", level: "note", start: text.indexOf("[guide|") });
  });

  it("is told of links that must not be made, and of words whose place beside a picture nobody knows", () => {
    const lost = "[link|javascript:alert(1)|a] [link|e.org|b] [link|#Section_C|c] [image|5|size=medium|Our loom]";
    for (const to of ["html", "plain-html"] as const) {
      const { issues } = convert(lost, { from: "wiki", to });
      const told = issues.filter(({ code }) => code !== "not-looked-up").map(({ code, start }) => [code, start]);
      expect(told).toEqual([
        ["link-address", 0],
        ["link-address", lost.indexOf("[link|e.org")],
        ["media-words", lost.indexOf("[image")],
      ]);
    }
  });

  it("is told of the site's form: data about the page", () => {
    const told = codes(text, { from: "wiki", to: "html" });
    expect(told.filter((code) => code !== "media-in-text")).toEqual(["page-data"]);
  });
});

describe("the site that a text belongs to", () => {
  const origin = "https://Site.example/";

  it("makes links to it links by id when HTML is read", () => {
    const html = '<a href="https://site.example/Guide/Setup/12">x</a> <a href="https://e.org/">y</a>';
    const options: ConvertOptions = { from: "html", to: "wiki", context: "line" };
    expect(convert(html, { ...options, origin }).text).toBe("[guide|12|x] [https://e.org/|y]");
    expect(convert(html, options).text).toBe("[https://site.example/Guide/Setup/12|x] [https://e.org/|y]");
  });

  it("makes its relative links whole in plain HTML, and its addresses its own in the site's", () => {
    const options: ConvertOptions = { from: "wiki", to: "plain-html", context: "line", origin };
    expect(convert("[guide|12|x]", options)).toEqual({
      text: '<a href="https://Site.example/Guide/-/12/1">x</a>',
      issues: [],
    });
    const link = "[https://site.example/x|y]";
    expect(convert(link, { ...options, to: "html" }).text).toBe('<a href="https://site.example/x">y</a>');
    expect(convert(link, { from: "wiki", to: "html", context: "line" }).text).toContain("nofollow");
    expect(convert(link, { ...options, to: "html", origin: "not an address" }).text).toContain("nofollow");
  });
});

describe("the format of a file", () => {
  it.each([
    ["a.wiki", "wiki"],
    ["folder.md/a.TXT", "wiki"],
    ["a.html", "html"],
    ["a.b.htm", "html"],
    ["a.md", "markdown"],
    ["a.markdown", "markdown"],
    ["a.json", "document-tree"],
    ["a.pdf", undefined],
    ["md", undefined],
    ["a.md/b", undefined],
    ["", undefined],
  ])("of %j is %s", (file, format) => {
    expect(formatOfFile(file, SOURCE_FORMATS)).toBe(format);
    expect(formatOfFile(file, TARGET_FORMATS)).toBe(format);
  });
});
