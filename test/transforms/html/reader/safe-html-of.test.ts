import { describe, expect, it } from "vitest";
import { safeHtmlOf } from "../../../../transforms/html/reader/html-content.js";
import { LONGEST_FORMATTED } from "../../../../transforms/html/reader/reader-html.js";
import { LINKS, NO_SITE } from "./links.js";

const REL = 'rel="noopener noreferrer nofollow"';
const ABSENT = '<span class="absent-note">(not in this archive)</span>';

function safe(html: string): string {
  return safeHtmlOf(html, { links: LINKS });
}

describe("the site's HTML", () => {
  it.each([
    [
      "<p>one <b>two</b> <tt>x</tt> <ins>y</ins><wbr></p>",
      "<p>one <strong>two</strong> <code>x</code> <ins>y</ins><wbr></p>",
    ],
    [
      '<div class="headerContainer"><a class="selfLink" href="#Section_A"></a><h2 id="Section_A" class="header">A</h2></div>',
      '<div><h3 id="Section_A">A</h3></div>',
    ],
    ['<h4 id="main">Oil and wax</h4>', '<h3 id="Section_Oil_and_wax">Oil and wax</h3>'],
    ["<h2> </h2>x", "<p> </p>x"],
    ['<a href="/Guide/Warp/12/1#s38" rel="nofollow" target="_blank">x</a>', '<a href="12.html#s38">x</a>'],
    ['<a href="https://e.org">x</a>', `<a href="https://e.org/" class="outside" ${REL}>x</a>`],
    ['<a href="/c/Hand_Looms">x</a>', '<a href="../category/hand-looms-1234abcd.html">x</a>'],
    ['<a href="#Section_A">x</a> <a name="y">y</a>', '<a href="#Section_A">x</a> y'],
    ['<a class="docLink" href="/Document/9/plan.pdf">x</a>', '<a class="document" href="../media/99.pdf">x</a>'],
    ["<span style='font-weight:700'>x</span><font color=red>y</font>", "<strong>x</strong>y"],
    ['<span lang="de" dir="rtl">x</span><span lang="!">y</span>', '<span lang="de" dir="rtl">x</span>y'],
    [
      "<blockquote class='featured'>x</blockquote><hr><pre>a<br>b</pre>",
      '<blockquote class="featured">x</blockquote><hr><pre><code>a\nb</code></pre>',
    ],
    ['<abbr title="long">l</abbr>', '<abbr title="long">l</abbr>'],
  ])("%s", (html, expected) => {
    expect(safe(html)).toBe(expected);
  });

  it("headings never share a name", () => {
    const html =
      '<h2 id="Section_A">x</h2><h2 id="Section_A">y</h2><h2 id="Section_A-2">z</h2><h2 id="Section_A">v</h2>';
    expect([...safe(html).matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      ...["Section_A", "Section_A-2", "Section_A-2-2", "Section_A-3"],
    ]);
  });

  it("lists hold items and nothing else", () => {
    expect(safe("<ul>a<li>b<p>c</ul>")).toBe("<ul><li>a</li><li>b<p>c</p></li></ul>");
    expect(safe("<ol start=3><li>a</ol><ul></ul><li>b")).toBe('<ol start="3"><li>a</li></ol><div>b</div>');
    expect(safe("<dl><dt>a<dd>b</dl><dl><dd>c</dl>")).toBe("<dl><dt>a</dt><dd>b</dd></dl><div>c</div>");
  });

  it("tables stay tables, in a box that moves sideways", () => {
    const html =
      "<table class=x><caption>C</caption><thead><tr><th>A<th> </thead><tr><td colspan=2 rowspan=99999>1<td style=x>2</table>";
    expect(safe(html)).toBe(
      '<div class="wide" role="group" aria-label="Table" tabindex="0"><table><caption>C</caption>' +
        "<thead><tr><th>A</th><td> </td></tr></thead>" +
        '<tbody><tr><td colspan="2" rowspan="999">1</td><td>2</td></tr></tbody></table></div>',
    );
    expect(safe("<table></table><td>x")).toBe("x");
  });

  it("pictures come from the archive or are not shown", () => {
    const image = 'width="800" height="600" loading="lazy" decoding="async"';
    expect(
      safe(
        '<div class="imageBox imageBox_center"><img src="https://cdn.example/five.medium" alt=""><p>Below</p></div>',
      ),
    ).toBe(
      `<figure class="picture center medium"><a class="zoom" href="../media/55.jpg"><img src="../media/55.jpg" alt="loom.jpg" ${image}></a><figcaption>Below</figcaption></figure>`,
    );
    expect(safe('<p>a <img data-imageid="5" alt="a loom"></p>')).toBe(
      `<p>a <a class="zoom" href="../media/55.jpg"><img class="inline" src="../media/55.jpg" alt="a loom" ${image}></a></p>`,
    );
    expect(safe('<a href="https://e.org"><img src="https://cdn.example/five.large"></a>')).toMatch(
      /^<a href="https:\/\/e.org\/" class="outside" [^>]*><figure class="picture large"><img [^>]*><\/figure><\/a>$/,
    );
    expect(safe('<img src="https://cdn.example/six.jpg" alt="six">')).toBe(
      `<p><span class="absent"><a href="https://cdn.example/six.jpg" class="outside absent" ${REL}>six</a> ${ABSENT}</span></p>`,
    );
    expect(safeHtmlOf("<img src=/six.jpg>", { links: NO_SITE })).toBe(
      `<p><span class="absent">picture ${ABSENT}</span></p>`,
    );
  });

  it("films come from the archive or are links", () => {
    expect(safe('<video poster=x data-videoid="7"><source src="x.mp4"></video>')).toMatch(
      /^<figure class="film"><video src="..\/media\/77.mp4" controls preload="none"/,
    );
    const link = `<a href="https://www.youtube.com/watch?v=a-b" class="outside" ${REL}>Video: https://www.youtube.com/watch?v=a-b</a>`;
    expect(safe('<div class="videoBox"><div class="youtube-player" videoid="a-b"></div></div>')).toBe(
      `<div><p class="embed">${link}</p></div>`,
    );
    expect(safe("<p><iframe src='https://www.youtube-nocookie.com/embed/a-b'></iframe></p>")).toBe(`<p>${link}</p>`);
    expect(safe("<div class='videoBox_center'></div>")).toBe("<div></div>");
  });

  it("is one line where only words may stand", () => {
    const html = "<h2>a</h2><p>b</p><ul><li>c</li></ul><table><tr><td>d</table>";
    expect(safeHtmlOf(html, { links: LINKS, inline: true }).replace(/\s+/g, " ").trim()).toBe("a b c d");
  });
});

it("HTML that is too long to be formatted is shown as its words", () => {
  const html = "<p>a &amp; b</p>\n<script>x</script>".repeat(LONGEST_FORMATTED / 20);
  expect(safe(html)).toBe(`<pre class="long">${"a &#x26;amp; b\n".repeat(LONGEST_FORMATTED / 20)}</pre>`);
});

describe("HTML that takes squared time, or a stack as deep as it is long, where a reader is not made for it", () => {
  it.each([
    ["elements that never end", "<div>"],
    ["boxes in boxes", "<div class=imageBox>"],
    ["tables in tables", "<table><tr><td><b><i>"],
    ["lists in lists", "<ul><li>x"],
    ["links in links", "<a href=/x>]"],
    ["headings of one name", "<h2>x</h2>"],
    ["terms", "<dl><dt>x<dd>y"],
    ["attributes whose quotes never end", '<a href="'],
    ["formatting that goes on", "<b><p>x"],
  ])("is read to its end: %s", (_, piece) => {
    const html = piece.repeat((LONGEST_FORMATTED / 5 / piece.length) | 0);
    expect(safe(html).length).toBeLessThan(html.length * 40);
  });
});

it("only the words of HTML are shown where that is asked for", () => {
  expect(safeHtmlOf("<p>a <b>b</b></p>", { links: LINKS, written: true })).toBe('<pre class="long">a b</pre>');
});
