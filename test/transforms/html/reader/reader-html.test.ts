import { describe, expect, it } from "vitest";
import { LONGEST_FORMATTED, readerHtml } from "../../../../transforms/html/reader/reader-html.js";
import { LINKS, NO_SITE } from "./links.js";

const REL = 'rel="noopener noreferrer nofollow"';
const ABSENT = '<span class="absent-note">(not in this archive)</span>';

function page(text: string): string {
  return readerHtml(text, { links: LINKS });
}

function line(text: string): string {
  return readerHtml(text, { links: LINKS, inline: true });
}

describe("words", () => {
  it.each([
    ["'''bold''' ''italic'' ++under++ ~~gone~~", "<strong>bold</strong> <em>italic</em> <u>under</u> <s>gone</s>"],
    ["90^^o^^ H,,2,,O ``x = 1``", "90<sup>o</sup> H<sub>2</sub>O <code>x = 1</code>"],
    ["one[br]two", "one<br>two"],
    ['a < b & "c" [2]', 'a &#x3C; b &#x26; "c" [2]'],
    ["bell\u0007 and half \uD800", "bell\uFFFD and half \uFFFD"],
  ])("%j", (text, html) => {
    expect(line(text)).toBe(html);
  });
});

describe("links", () => {
  it.each([
    ["[guide|12|the guide]", '<a href="12.html">the guide</a>'],
    ["[guide|12]", '<a href="12.html">Warp the loom</a>'],
    ["[guide|12|step|stepid=38]", '<a href="12.html#s38">step</a>'],
    ["[https://site.example/Guide/Warp/12/1#s38|x]", '<a href="12.html#s38">x</a>'],
    ["[http://old.example/Teardown/Warp/12|x]", '<a href="12.html">x</a>'],
    ["see https://site.example/Guide/Warp/12", 'see <a href="12.html">Warp the loom</a>'],
    ["[[Topic:Hand Looms|looms]]", '<a href="../category/hand-looms-1234abcd.html">looms</a>'],
    ["[link|/c/Hand_Looms|looms]", '<a href="../category/hand-looms-1234abcd.html">looms</a>'],
    ["[[Item:Shuttle]]", '<a href="../wiki/item/shuttle-1234abcd.html">Shuttle</a>'],
    ["[[Care#Section_Oil and wax|oil]]", '<a href="../wiki/wiki/care-1234abcd.html#Section_Oil_and_wax">oil</a>'],
    ["[document|9|the plan]", '<a class="document" href="../media/99.pdf">the plan</a>'],
    ["[document|10]", '<a class="document" href="../media/aa.xlsx" download="parts.xlsx">parts.xlsx</a>'],
    ["[link|https://site.example/Document/9/plan|x]", '<a class="document" href="../media/99.pdf">x</a>'],
    ["[https://e.org/a?b=1&c=2|x]", `<a href="https://e.org/a?b=1&#x26;c=2" class="outside" ${REL}>x</a>`],
    ["[https://e.org/|x|new_window=true]", `<a href="https://e.org/" class="outside" ${REL}>x</a>`],
    ["[link|//e.org/x|x]", `<a href="https://e.org/x" class="outside" ${REL}>x</a>`],
    ["[link|/Answers/5|x]", `<a href="https://site.example/Answers/5" class="outside" ${REL}>x</a>`],
    ["[product|IF145-002|x]", `<a href="https://site.example/Tools/-/IF145-002" class="outside" ${REL}>x</a>`],
    ["[mailto|a@e.org]", '<a href="mailto:a@e.org">a@e.org</a>'],
    ["[mailto|<a>@e.org|x]", '<a href="mailto:%3Ca%3E@e.org">x</a>'],
    ["[link|tel:+49 30 1|call]", '<a href="tel:+49%2030%201">call</a>'],
    ["[link|#Section_Oil|oil]", '<a href="#Section_Oil">oil</a>'],
    ["[link|#s38|that step]", '<a href="#s38">that step</a>'],
    ["[link|#top|up]", "up"],
    ["[link|javascript:alert(1)|x]", "x"],
    ["[link|ftp://e.org/x|x]", "x"],
    ["[link|file:///etc/hosts|x]", "x"],
  ])("%s", (text, html) => {
    expect(line(text)).toBe(html);
  });

  it("say of what is not in the archive that it is not, and where it was", () => {
    const guide = `<a href="https://site.example/Guide/-/77/1#s5" class="outside absent" ${REL}>other</a>`;
    expect(line("[guide|77|other|stepid=5]")).toBe(`<span class="absent">${guide} ${ABSENT}</span>`);
    expect(readerHtml("[guide|77|other]", { links: NO_SITE })).toBe(
      `<p><span class="absent">other ${ABSENT}</span></p>`,
    );
    expect(line("[document|1|old.pdf]")).toContain(`>old.pdf</a> ${ABSENT}`);
    expect(line("[[Wiki:Nowhere]]")).toContain(`>Nowhere</a> ${ABSENT}`);
  });

  it("lead to a text's own headings where several texts are on a page", () => {
    const text = "== Oil ==\n\n[link|#Section_Oil|up]";
    expect(readerHtml(text, { links: LINKS, anchors: "conclusion-" })).toBe(
      '<h3 id="conclusion-Section_Oil">Oil</h3><p><a href="#conclusion-Section_Oil">up</a></p>',
    );
  });
});

describe("blocks", () => {
  it("headings stand below the page's own, without gaps and with names of their own", () => {
    expect(page("==== A b ====\n\n====== C-d ======\n\n== A b ==\n\n=== '''   ''' ===\n\nx")).toBe(
      '<h3 id="Section_A_b">A b</h3><h4 id="Section_C_d">C-d</h4><h3 id="Section_A_b-2">A b</h3>' +
        "<p><strong>   </strong></p><p>x</p>",
    );
    expect(readerHtml("= A =\n\n== B ==\n\n=== C ===", { links: LINKS, heading: 5 })).toMatch(/h5.*h6.*h6/);
  });

  it("lists, code and quotes", () => {
    expect(page("* a\n** b\n* c")).toBe("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>");
    expect(page("# a\n# b")).toBe("<ol><li>a</li><li>b</li></ol>");
    expect(page("[code]\n<b>\n[/code]")).toBe("<pre><code>&#x3C;b></code></pre>");
    expect(page("[quote|Ann|format=featured]\nx\n\n[/quote]")).toBe(
      '<blockquote class="featured"><p>x</p><footer>Ann</footer></blockquote>',
    );
  });

  it("pictures are figures that open large", () => {
    const image = '<img src="../media/55.jpg" alt="loom.jpg" width="800" height="600" loading="lazy" decoding="async">';
    expect(page("[image|5|align=right|size=medium]")).toBe(
      `<figure class="picture right medium"><a class="zoom" href="../media/55.jpg">${image}</a></figure>`,
    );
    expect(page("[image|6]")).toContain('<figcaption>A "loom"</figcaption>');
    expect(page("== x [image|5] ==")).toContain('<img class="inline" src="../media/55.jpg"');
    expect(page("[image|8]")).toBe(
      '<p><a class="document" href="../media/88.bin" download="drawing.svg">drawing.svg</a></p>',
    );
    expect(page("[image|404]")).toBe(`<p><span class="absent">picture 404 ${ABSENT}</span></p>`);
  });

  it("films are played from the archive, and linked where they are elsewhere", () => {
    expect(page("[video|7]")).toBe(
      '<figure class="film center"><video src="../media/77.mp4" controls preload="none" aria-label="film.mp4" width="640" height="480"></video></figure>',
    );
    const address = "https://www.youtube.com/watch?v=abc";
    expect(page("[video|https://youtu.be/abc]")).toBe(
      `<p class="embed"><a href="${address}" class="outside" ${REL}>Video: ${address}</a></p>`,
    );
    expect(page("[video|404]")).toBe(`<p><span class="absent">video 404 ${ABSENT}</span></p>`);
  });

  it("guides in boxes and lists of guides are links", () => {
    expect(page("[guide|12|new_window=true]")).toBe('<p class="embed"><a href="12.html">Warp the loom</a></p>');
    expect(page("[guidelist|tags=loom, wool|type=howto]")).toBe(
      '<p class="embed">All guides tagged <a href="../tag/loom-1234abcd.html">loom</a>, wool of the type howto</p>',
    );
  });

  it("data about the page is not shown", () => {
    expect(page("[title|X]\n[summary]short[/summary]\n\nx")).toBe("<p>x</p>");
  });
});

it("a text that is too long to be formatted is shown as it is written", () => {
  const text = `\n${"'''x''' ".repeat(LONGEST_FORMATTED / 8)}`;
  expect(page(text)).toBe(`<pre class="long">\n${text}</pre>`);
  expect(line(text)).toBe(text);
});

it("a text is shown as it is written where that is asked for", () => {
  expect(readerHtml("''x''", { links: LINKS, written: true })).toBe(`<pre class="long">''x''</pre>`);
  expect(readerHtml("''x''", { links: LINKS, inline: true, written: true })).toBe("''x''");
});
