import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlReferences, rewriteHtml } from "../../../transforms/html/html-references.js";
import { createResolver } from "../../../transforms/html/resolver.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { keysOf } from "../../../transforms/references/reference.js";
import type { Resolution } from "../../../transforms/references/rewrite-options.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { growthOf, MOST_GROWTH } from "./growth.js";
import { OLD, optionsFor, PIECES, sameName } from "./sites.js";

const HOME: Readonly<Record<string, Resolution>> = {
  "guide/12": { id: "901" },
  "step/5": { id: "5001" },
  "image/5": { id: "77" },
  "video/7": { id: "66" },
  "document/9": { id: "88" },
  "category/A & B": { id: 'C "D" & E' },
};

function found(html: string): readonly string[] {
  return htmlReferences(html, OLD).map(
    ({ name, reference }) => `${name} ${keysOf(reference).join(" ") || reference.kind}`,
  );
}

describe("references in rendered HTML", () => {
  it.each([
    ['<a href="/Guide/A+Loom/12/1#s5">x</a>', "href guide/12 step/5"],
    ["<A HREF = '/Guide/A+Loom/12'>x</A>", "href guide/12"],
    ["<a class=b href=/Guide/x/12 target=_blank>x</a>", "href guide/12"],
    ['<a href="https://old.example/c/Hand_Looms">x</a>', "href category/Hand Looms"],
    ['<a href="/c/A_&amp;_B">x</a>', "href category/A & B"],
    ['<a href="/Wiki/15%22&quot;&lt;">x</a>', 'href wiki/WIKI/15""<'],
    ['<img data-imageid="5" src="https://cdn.example/igi/a.standard">', "data-imageid image/5"],
    ['<img src="/Document/9/a.png"/>', "src document/9"],
    ['<video data-videoid="7" poster="/igi/b"></video>', "data-videoid video/7; poster page"],
    ['<a class="docLink" data-documentid=9>x</a>', "data-documentid document/9"],
    ["<iframe src='/Guide/embed/12'></iframe>", "src guide/12"],
    [
      '<div data-guideid="12"><noscript><a href="/Team/3">x</a></noscript></div>',
      "data-guideid guide/12; href wiki/TEAM/3",
    ],
    ['<a href="/Tools/Saw/AB-1">x</a>', "href page"],
  ])("are found: %s", (html, all) => {
    expect(found(html).join("; ")).toBe(all);
  });

  it.each([
    '<a href="https://other.example/Guide/x/12">[guide|12|x] https://old.example/Guide/x/12</a>',
    '<a href="#s5">x</a><a href>x</a><a href="mailto:a@old.example">x</a>',
    '<div videoid=xzoen7x46qI data-imageid="none"></div>',
    '<!-- <a href="/Guide/x/12"> --><script>"<a href=\'/Guide/x/12\'>"</script>',
    '<a href="/Guide/x/12"',
    "< a href=/Guide/x/12>",
  ])("are none: %s", (html) => {
    expect(found(html)).toEqual([]);
  });

  it("have the place of their value and of their attribute", () => {
    const html = "<p><a title=x  href = '/Guide/x/12'>y</a>";
    const [reference] = htmlReferences(html, OLD);
    expect(html.slice(reference?.start, reference?.end)).toBe("/Guide/x/12");
    expect(html.slice(reference?.attribute.start, reference?.attribute.end)).toBe("  href = '/Guide/x/12'");
  });
});

describe("rewriting rendered HTML", () => {
  it.each([
    ['<a href="/Guide/x/12/1#s5" rel=a>x</a>', '<a href="/Guide/x/901/1#s5001" rel=a>x</a>'],
    ["<a href='http://old.example/Guide/x/12'>x</a>", "<a href='https://new.example/Guide/x/901'>x</a>"],
    ["<a href=/Guide/x/012>x</a>", '<a href="/Guide/x/901">x</a>'],
    ["<a href=/c/A_&amp;_B>x</a>", '<a href="/c/C_%22D%22_%26_E">x</a>'],
    ["<a href='/c/A_&amp;_B?a=1&b=&#39;'>x</a>", "<a href='/c/C_%22D%22_%26_E?a=1&amp;b=&#39;'>x</a>"],
    [
      "<img data-imageid=5 alt=''><video data-videoid='7'>",
      "<img data-imageid=\"77\" alt=''><video data-videoid='66'>",
    ],
    [
      '<a href="/Document/9/a.pdf" data-documentid="9">x</a>',
      '<a href="/Document/88/a.pdf" data-documentid="88">x</a>',
    ],
  ])("points home: %s", (html, expected) => {
    expect(rewriteHtml(html, optionsFor(HOME))).toEqual({ html: expected, missing: [], dangling: [] });
  });

  it("leads to the old site what has no id, and takes numbers away", () => {
    const html = '<a href="/Guide/x/12#s5">x</a><img src="/igi/a" data-imageid="5"><a href="//old.example/c/A">y</a>';
    const options = optionsFor({ "guide/12": { later: true }, "step/5": { later: true }, "image/5": { later: true } });
    expect(rewriteHtml(html, options)).toEqual({
      html: '<a href="https://old.example/Guide/x/12#s5">x</a><img src="https://old.example/igi/a"><a href="//old.example/c/A">y</a>',
      missing: ["guide/12", "step/5", "image/5"],
      dangling: [
        { key: "page/igi/a", reference: "/igi/a", written: "absolute" },
        { key: "category/A", reference: "//old.example/c/A", written: "absolute" },
      ],
    });
  });

  it("leaves the words without the link where labels are asked for, and everything where it must fail", () => {
    const html = '<p><a title="t" href="/Guide/x/12">x</a></p>';
    const dangling = { key: "guide/12", reference: "/Guide/x/12" };
    expect(rewriteHtml(html, optionsFor({}, { dangling: "label" }))).toEqual({
      html: '<p><a title="t">x</a></p>',
      missing: [],
      dangling: [{ ...dangling, written: "label" }],
    });
    expect(rewriteHtml(html, optionsFor({}, { dangling: "fail" }))).toEqual({
      html,
      missing: [],
      dangling: [{ ...dangling, written: "failed" }],
    });
  });

  it("finds the same goals in the HTML of a text as in the text", () => {
    const text = "[guide|12|a|stepid=5] [[Topic:A & B|b]] [document|9|c] [link|/Info/D|d] [image|5]";
    const html = toHtml(parse(text, { context: "page" }).tree, createResolver({ ownHosts: OLD.hosts }));
    expect(new Set(htmlReferences(html, OLD).flatMap(({ reference }) => keysOf(reference)))).toEqual(
      new Set(["guide/12", "step/5", "category/A & B", "document/9", "wiki/INFO/D", "image/5"]),
    );
  });
});

const HTML = fc
  .array(
    fc.constantFrom(
      ...PIECES,
      ...[
        "<a href=",
        "<a ",
        " href='",
        '"',
        "'",
        ">",
        "<",
        "</a>",
        "/Guide/x/12",
        "<img data-imageid=5",
        " src=",
        "=",
        "&amp;",
      ],
      ...["<!--", "-->", "<script>", "</script>", "&", "<textarea>"],
    ),
    { maxLength: 16 },
  )
  .map((pieces) => pieces.join(""));

describe("for every string", () => {
  it("the same ids at the same site give back the very same string", () => {
    const options = optionsFor({}, { target: OLD, resolve: sameName });
    fc.assert(
      fc.property(HTML, (html) => {
        expect(rewriteHtml(html, options)).toEqual({ html, missing: [], dangling: [] });
      }),
    );
  });

  it("no number of the old site remains, and no address without its host", () => {
    fc.assert(
      fc.property(HTML, (html) => {
        const left = htmlReferences(rewriteHtml(html, optionsFor({})).html, OLD);
        expect(left.filter(({ reference: { origin } }) => origin === null || origin.start === origin.end)).toEqual([]);
      }),
    );
  });

  it.each(["<a ", "<a href=/Guide/x/1 ", "<a href='/Guide/x/1'>", "<a href='&amp;", "<a b   ", "<!--", "<script>"])(
    "very many %j are read in time in proportion to their number",
    (piece) => {
      const find = (html: string) => {
        htmlReferences(html, OLD);
      };
      expect(growthOf(find, piece, ">")).toBeLessThan(MOST_GROWTH);
    },
  );
});
