import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../../transforms/omanual/write/print-element.js";
import { simplify } from "../../../../transforms/omanual/write/simplify.js";

function simplified(
  html: string,
  context: "page" | "line" = "page",
): readonly [html: string, codes: readonly string[]] {
  const found: Finding[] = [];
  const result = simplify(html, { context, path: "introduction" }, (finding) => void found.push(finding));
  return [result, found.map(({ code, level }) => `${level} ${code}`)];
}

const EXACT: readonly (readonly [html: string, simple: string])[] = [
  ["<p>a <strong>b</strong> <em>c</em></p>", "<p>a <strong>b</strong> <em>c</em></p>"],
  [
    "<b>a</b><i>b</i><u>c</u><s>d</s><kbd>e</kbd>",
    "<strong>a</strong><em>b</em><ins>c</ins><del>d</del><code>e</code>",
  ],
  ["a<br>b<br />c", "a<br/>b<br/>c"],
  ['a<br class="x">b', 'a<br class="x"/>b'],
  ["<ul><li>a<ul><li>b</li></ul></li></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"],
  ["<span>a</span><figure>b</figure><section>c</section>", "a<div>b</div><div>c</div>"],
  [
    '<a target="_blank" onclick="x()" href="https://e.org/?a&amp;b">l</a>',
    '<a href="https://e.org/?a&amp;b" target="_blank">l</a>',
  ],
  ["<pre><code>a &lt; b</code></pre>", "<pre><code>a &lt; b</code></pre>"],
  ["a & b &nbsp; &eacute;", "a &amp; b \u00a0 é"],
];

const REDUCED: readonly (readonly [html: string, simple: string, code: string])[] = [
  ["<ol><li>a</li><li>b</li></ol>", "<ul><li>1. a</li><li>2. b</li></ul>", "numbered-list"],
  ["<blockquote><p>a</p><footer>Ann</footer></blockquote>", "<div><p>a</p><p>Ann</p></div>", "quote"],
  [
    "<table><caption>t</caption><tr><th>a</th><th>b</th></tr><tr><td>c</td><td></td></tr></table>",
    "<p>t</p><ul><li>a | b</li><li>c</li></ul>",
    "table",
  ],
  ["<dl><dt>a</dt><dd>b</dd></dl>", "<ul><li><strong>a</strong></li><li>b</li></ul>", "term-list"],
  ['<img src="media/a.jpg" alt="A loom">', '<a href="media/a.jpg">A loom</a>', "text-image"],
  ['<iframe src="https://e.org/v"></iframe>', '<a href="https://e.org/v">https://e.org/v</a>', "text-video"],
  ["a<hr>b", "ab", "rule"],
  ['<a href="javascript:x()">l</a>', "l", "unsafe-link"],
  ["<marquee>a</marquee>", "a", "other-element"],
];

describe("simplified HTML", () => {
  it.each(EXACT)("has %s as %s", (html, simple) => {
    expect(simplified(html)).toEqual([simple, []]);
  });

  it.each(REDUCED)("has no form for %s and puts %s", (html, simple, code) => {
    expect(simplified(html)).toEqual([simple, [`loss ${code}`]]);
  });

  it("has words only in a line", () => {
    expect(simplified("<p>a <em>b</em></p>", "line")).toEqual(["a <em>b</em>", []]);
    expect(simplified("<p>a</p><ul><li>b</li></ul>", "line")).toEqual(["a b", ["loss line-blocks"]]);
  });

  it("tells of a kind of loss once a text, with its number", () => {
    const found: Finding[] = [];
    simplify(
      "<ol><li>a</li></ol><ol><li>b</li></ol>",
      { context: "page", path: "contents" },
      (finding) => void found.push(finding),
    );
    expect(found).toMatchObject([
      { code: "numbered-list", path: "contents", message: expect.stringContaining("(2 here)") },
    ]);
  });

  it("stays as it is when it is simplified again, whatever it was made of", () => {
    const tag = fc.constantFrom(
      "p",
      "ol",
      "ul",
      "li",
      "table",
      "tr",
      "td",
      "b",
      "a href='x'",
      "img src='y'",
      "blockquote",
      "pre",
      "dl",
      "dt",
      "video",
      "x",
    );
    const html = fc
      .array(
        fc.oneof(
          tag.map((name) => `<${name}>`),
          tag.map((name) => `</${name}>`),
          fc.constantFrom("a", " ", "&lt;", "&", "<", "\u0001"),
        ),
        { maxLength: 15 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(html, fc.constantFrom("page" as const, "line" as const), (text, context) => {
        const [once] = simplified(text, context);
        expect(simplified(once, context)).toEqual([once, []]);
      }),
      { numRuns: 500 },
    );
  });
});
