import { describe, expect, it } from "vitest";
import {
  codeBlock,
  embed,
  guideList,
  heading,
  image,
  line,
  lineBreak,
  link,
  list,
  listItem,
  mark,
  opaque,
  page,
  pageMacro,
  paragraph,
  quote,
  text,
  video,
} from "../../../transforms/wiki/build.js";
import { print } from "../../../transforms/wiki/print.js";
import type { Block, Inline } from "../../../transforms/wiki/tree.js";

const label = [text("label")];

describe("the builders", () => {
  it.each<[string, Block]>([
    ["== A ==", heading(2, [text("A")])],
    [
      "* a\n** b\n### c\n* d",
      list(false, [
        listItem([text("a")], [list(false, [listItem([text("b")], [list(true, [listItem([text("c")])])])])]),
        listItem([text("d")]),
      ]),
    ],
    ["[code]\nx = 1\n[/code]", codeBlock("x = 1")],
    ["[quote]\na\n\n[/quote]", quote([paragraph([text("a")])])],
    [
      "[quote|Ann|format=featured]\n* a\n[/quote]",
      quote([list(false, [listItem([text("a")])])], { attribution: [text("Ann")], format: "featured" }),
    ],
    ["[image|5|align=left|size=standard]", embed(image("5", { align: "left", size: "standard" }))],
    ["[title|A]", pageMacro("title", "A")],
    ["[summary]a[/summary]", pageMacro("summary", "a")],
    ["[info|device\n|a=b\n]", pageMacro("info", "device", { a: "b" })],
    ["[def_flag\n|flagid=a\n]", pageMacro("def_flag", "", { flagid: "a" })],
  ])("write %j", (written, block) => {
    expect(print(block)).toBe(written);
  });

  it.each<[string, Inline]>([
    ["'''''a'''''", mark("emphasis", [mark("strong", [text("a")])])],
    ["++a++", mark("underline", [text("a")])],
    ["~~a~~", mark("strike", [text("a")])],
    ["^^a^^", mark("superscript", [text("a")])],
    [",,a,,", mark("subscript", [text("a")])],
    ["``a``", mark("code", [text("a")])],
    ["[br]", lineBreak()],
    ["[https://e.org|label]", link("url", "https://e.org", { label })],
    ["[guide|1|label|stepid=2|new_window=true]", link("guide", "1", { label, stepId: "2", newWindow: true })],
    ["[product|A-1]", link("product", "A-1")],
    ["[document|9|label]", link("document", "9", { label })],
    ["[[Topic:X|label]]", link("wiki", "Topic:X", { label })],
    ["[mailto|a@e.org]", link("mailto", "a@e.org")],
    ["https://e.org", link("bare", "https://e.org")],
    ["[video|7]", video("7")],
    ["[guidelist|tags=a|type=howto]", guideList({ tags: "a", type: "howto" })],
    ["[a|b]", opaque("a", "[a|b]")],
  ])("write %j in text", (written, inline) => {
    expect(print(line([inline]))).toBe(written);
  });

  it("put a blank line between blocks and a line end between page macros", () => {
    const blocks = [
      pageMacro("flag", "a"),
      pageMacro("flag", "b"),
      heading(2, label),
      paragraph(label),
      list(false, [listItem(label)]),
    ];
    expect(print(page(blocks))).toBe("[flag|a]\n[flag|b]\n\n== label ==\n\nlabel\n\n* label");
  });
});
