import { describe, expect, it } from "vitest";
import { htmlReferences } from "../../../transforms/html/rendered-content.js";
import { createResolver } from "../../../transforms/html/resolver.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { keysOf } from "../../../transforms/references/reference.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { growthOf, MOST_GROWTH } from "./growth.js";
import { OLD } from "./sites.js";

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

  it("finds the same goals in the HTML of a text as in the text", () => {
    const text = "[guide|12|a|stepid=5] [[Topic:A & B|b]] [document|9|c] [link|/Info/D|d] [image|5]";
    const html = toHtml(parse(text, { context: "page" }).tree, createResolver({ ownHosts: OLD.hosts }));
    expect(new Set(htmlReferences(html, OLD).flatMap(({ reference }) => keysOf(reference)))).toEqual(
      new Set(["guide/12", "step/5", "category/A & B", "document/9", "wiki/INFO/D", "image/5"]),
    );
  });
});

describe("for every string", () => {
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
