import { describe, expect, it } from "vitest";
import { toHtml } from "../../../transforms/html/to-html.js";
import { toPlainHtml } from "../../../transforms/html/to-plain-html.js";
import {
  embed,
  guideList,
  heading,
  image,
  line,
  lineBreak,
  link,
  mark,
  page,
  paragraph,
  text,
  video,
} from "../../../transforms/wiki/build.js";
import type { Inline, Tree } from "../../../transforms/wiki/tree.js";
import { KNOWN } from "./resolver.js";

function words(...children: readonly Inline[]): Tree {
  return line(children);
}

/** What no text is parsed to, but a program can build. */
describe("a tree that was built by hand", () => {
  it.each([
    ["an address that runs code", words(link("url", "javascript:x", { label: [text("go")] })), "go", "go"],
    ["the same without a label", words(link("url", "javascript:<x>")), "javascript:&lt;x&gt;", "javascript:&lt;x>"],
    ["a dead guide without a label", words(link("guide", "404")), "[invalid guide link]", "404"],
    ["a mark around nothing", words(mark("strong", [mark("code", [])]), text("x")), "x", "x"],
    [
      "an image in a step line",
      words(image("5")),
      '<img class="standard" src="https://cdn.example/five.standard" data-imageid="5" alt="" />',
      '<img src="https://cdn.example/five.standard" alt="">',
    ],
    [
      "an image without an address in a step line",
      words(image("99")),
      '<img class="standard" data-imageid="99" alt="" />',
      "image 99",
    ],
    [
      "a namespace that is none",
      words(link("wiki", "A: b")),
      '<a href="/Wiki/A:_b">A: b</a>',
      '<a href="/Wiki/A:_b">A: b</a>',
    ],
    [
      "half a character in an address",
      words(link("wiki", "\uD800")),
      '<a href="/Wiki/%EF%BF%BD">\uD800</a>',
      '<a href="/Wiki/%EF%BF%BD">\uD800</a>',
    ],
  ] as const)("is shown as far as it can be: %s", (_, tree, html, plain) => {
    expect(toHtml(tree, KNOWN)).toBe(html);
    expect(toPlainHtml(tree, { resolver: KNOWN })).toBe(plain);
  });

  it("has sections named by what a reader sees of a heading", () => {
    const label = [text("a"), lineBreak(), link("url", "https://e.org/"), image("5")];
    expect(toHtml(page([heading(2, label)]))).toContain('id="Section_a_https://e.org/"');
  });

  it("puts films on lines of their own in plain HTML", () => {
    const tree = page([
      paragraph([text("a"), video("https://youtu.be/abc"), text("b"), image("99")]),
      embed(guideList({})),
    ]);
    expect(toPlainHtml(tree).split("\n")).toEqual([
      "<p>a</p>",
      '<p><a href="https://youtu.be/abc">https://youtu.be/abc</a></p>',
      "<p>b</p>",
      "<figure><figcaption>image 99</figcaption></figure>",
      "<p>[guidelist]</p>",
    ]);
  });

  it("needs no resolver", () => {
    const tree = words(link("guide", "7"), text(" "), link("document", "9"), text(" "), link("product", "P 1"));
    expect(toHtml(tree)).toBe(
      '<a href="/Guide/-/7/1">guide 7</a> <a class="docLink" href="/Document/9">document 9</a> <a href="/Tools/-/P%201">P 1</a>',
    );
    expect(toPlainHtml(tree, { origin: "https://site.example/" })).toContain('href="https://site.example/Document/9"');
  });
});
