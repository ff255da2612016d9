import { describe, expect, it } from "vitest";
import {
  codeBlock,
  embed,
  heading,
  image,
  lineBreak,
  link,
  list,
  listItem,
  mark,
  paragraph,
  quote,
  text,
  video,
} from "../../../transforms/wiki/build.js";
import { normaliseLine, normalisePage } from "../../../transforms/wiki/normalise.js";
import { print } from "../../../transforms/wiki/print.js";
import type { Block, Inline } from "../../../transforms/wiki/tree.js";

/** Visible, so that a reader of the tests sees where guards stand. */
const GUARD = "\u200B";

function settled(...blocks: readonly Block[]): { readonly wiki: string; readonly told: readonly string[] } {
  const told: string[] = [];
  const drafts = blocks.map((block, at) => ({ block, tell: (code: string) => void told.push(`${at} ${code}`) }));
  const page = normalisePage(drafts, (code) => void told.push(`page ${code}`));
  return { wiki: print(page).replaceAll(GUARD, "·"), told };
}

function settledText(...inlines: readonly Inline[]) {
  return settled(paragraph(inlines));
}

describe("settlePage", () => {
  it("leaves alone what reads as it is meant", () => {
    const { wiki, told } = settled(
      paragraph([text("3/4'' [2] x")]),
      list(false, [listItem([mark("strong", [text("a")])])]),
    );
    expect(wiki).toBe("3/4'' [2] x\n\n* '''a'''");
    expect(told).toEqual([]);
  });

  it("guards text that would be markup, and no other text", () => {
    expect(settled(paragraph([text("''a''")]), paragraph([text("3/4''")]))).toEqual({
      wiki: "'·'a'·'\n\n3/4''",
      told: ["0 markup-neutralised"],
    });
    expect(settledText(text("== a ==")).wiki).toBe("·== a ==");
    expect(settledText(text("[guide|1|a]")).wiki).toBe("[·guide|1|a]");
  });

  it("guards what would be markup only together, and joins the halves of an address", () => {
    const halves = ["[guide", "|1|a] http:", "//a.example/++b++"].map((half) => text(half));
    expect(settledText(mark("strong", halves))).toEqual({
      wiki: "'''[·guide|1|a] [http://a.example/++b++|http://a.example/+·+b+·+]'''",
      told: ["0 markup-neutralised"],
    });
  });

  it("writes a forced break without a line end where the next line would be a block", () => {
    expect(settledText(text("a"), mark("strong", [lineBreak(), text("* b")]))).toEqual({
      wiki: "a'''[br]* b'''",
      told: [],
    });
  });

  it("takes a blank for a line end behind which a block would begin", () => {
    expect(settledText(text("a\n\nb"))).toEqual({ wiki: "a b", told: [] });
    expect(settledText(mark("strong", [text("a\n* b")]))).toEqual({ wiki: "'''a * b'''", told: [] });
  });

  it("brackets an address that would run on", () => {
    const bare = link("bare", "https://a.example/b");
    expect(settledText(bare, text("c")).wiki).toBe("[https://a.example/b|https://a.example/b]c");
    expect(settledText(text("see https://a.example"), mark("strike", [text("b")])).wiki).toBe(
      "see [https://a.example|https://a.example]~~b~~",
    );
    expect(settledText(mark("strong", [bare, text("c")])).told).toEqual([]);
  });

  it("brackets an address that a marker would cut, since a guard would be a part of the address", () => {
    expect(settledText(text("https://a.example/3/4''"), mark("subscript", [text(",,b")]))).toEqual({
      wiki: "[https://a.example/3/4|https://a.example/3/4]'·',,·,·,b,,",
      told: ["0 markup-neutralised"],
    });
    expect(settledText(text("++ see https://a.example/b++c."))).toEqual({
      wiki: "++ see [https://a.example/b++c|https://a.example/b++c].",
      told: [],
    });
    expect(settledText(mark("subscript", [text("https://a.example/b,")])).wiki).toBe(
      ",,[https://a.example/b|https://a.example/b],·,,",
    );
  });

  it("brackets an address that would end earlier, although its text would be the same", () => {
    const marks = ["https://a.example/b+", "c"].map((value) => mark("underline", [text(value)]));
    expect(settledText(...marks).wiki).toBe("++[https://a.example/b+|https://a.example/b+]++++c++");
  });

  it("leaves an address alone that needs no brackets beside one that does", () => {
    expect(settledText(text("''https://a.example/b c https://a.example/d++e f''")).wiki).toBe(
      "'·'https://a.example/b c [https://a.example/d++e|https://a.example/d+·+e] f'·'",
    );
  });

  it("guards the label of a link: fields, brackets that are not closed, macros", () => {
    const label = (value: string) => settledText(link("url", "https://a.example", { label: [text(value)] })).wiki;
    expect(label("size=5")).toBe("[https://a.example|size·=5]");
    expect(label("a] b [c")).toBe("[https://a.example|a］ b ［c]");
    expect(label("[a] b")).toBe("[https://a.example|[a] b]");
    expect(label("[guide|1|x]")).toBe("[https://a.example|[·guide|1|x]]");
  });

  it("guards the name in a quote's head", () => {
    const said = quote([paragraph([text("a")])], { attribution: [text("format=b]")] });
    expect(settled(said)).toEqual({ wiki: "[quote|format·=b］]\na\n\n[/quote]", told: ["0 markup-neutralised"] });
  });

  it("brackets an address in the name of a quote, where equals signs are guarded", () => {
    const said = quote([paragraph([text("a")])], { attribution: [text("size=b https://a.example/?c=d")] });
    expect(settled(said).wiki).toBe("[quote|size·=b [https://a.example/?c=d|https://a.example/?c·=d]]\na\n\n[/quote]");
  });

  it("guards an apostrophe beside the marker of a mark, which has several readings", () => {
    const { wiki, told } = settledText(mark("strong", [text("'tis")]), link("bare", "https://a.example"), text("b"));
    expect(wiki).toBe("'''·'tis'''[https://a.example|https://a.example]b");
    expect(told).toEqual(["0 markup-neutralised"]);
  });

  it("gives marks up that the syntax cannot write, and keeps the text and the links", () => {
    const inner = mark("strong", [link("guide", "5", { label: [mark("code", [text("a")])] })]);
    expect(settledText(mark("strong", [inner]))).toEqual({ wiki: "[guide|5|a]", told: ["0 marks-dropped"] });
  });

  it("gives up an image in a line, and keeps an address with marks in it", () => {
    const told: string[] = [];
    const line = normaliseLine([image("5"), text("https://a.example/++b++")], (code) => void told.push(code));
    expect(print(line).replaceAll(GUARD, "·")).toBe("[·image|5][https://a.example/++b++|https://a.example/+·+b+·+]");
    expect(told).toEqual(["markup-as-text"]);
  });

  it("gives up macros that cannot stand where they are, and keeps their source as text", () => {
    const over = link("url", "https://a.example", { label: [image("5")] });
    expect(settledText(over)).toEqual({ wiki: "[https://a.example|[·image|5]]", told: ["0 markup-as-text"] });
    const inner = link("guide", "6", { label: [text("a")] });
    expect(settledText(link("guide", "5", { label: [text("''b'' "), inner] }))).toEqual({
      wiki: "[·guide|5|'·'b'·' [·guide|6|a]]",
      told: ["0 markup-as-text"],
    });
  });

  it("guards the end of code in code, also in quotes", () => {
    expect(settled(codeBlock("[/CODE]"), quote([codeBlock("[/code]"), paragraph([text("a")])]))).toEqual({
      wiki: "[code]\n[·/CODE]\n[/code]\n\n[quote]\n[code]\n[·/code]\n[/code]\n\na\n\n[/quote]",
      told: ["0 markup-neutralised", "1 markup-neutralised"],
    });
  });

  it("guards tags that only together, over several blocks, would be markup", () => {
    const blocks = ["[code]", "a ''b''", "* c", "[/code]"].map((value) => paragraph([text(value)]));
    expect(settled(...blocks)).toEqual({
      wiki: "[·code]\n\na '·'b'·'\n\n·* c\n\n[·/code]",
      told: ["0 markup-neutralised", "1 markup-neutralised", "2 markup-neutralised", "3 markup-neutralised"],
    });
  });

  it("tells what reads differently whatever is tried", () => {
    expect(settled(heading(2, []), paragraph([text("a")])).told).toEqual(["0 reads-differently"]);
    expect(settled(list(false, []), paragraph([text("a")])).told).toEqual(["page reads-differently"]);
  });

  it("leaves macros that are blocks as they are", () => {
    expect(settled(embed(video("7")), paragraph([text("* a")])).wiki).toBe("[video|7]\n\n·* a");
  });
});

describe("settleLine", () => {
  it("gives a line that reads as it is meant", () => {
    const told: string[] = [];
    const line = normaliseLine([text("* a [image|5] ''b''")], (code) => void told.push(code));
    expect(print(line).replaceAll(GUARD, "·")).toBe("·* a [·image|5] '·'b'·'");
    expect(told).toEqual(["markup-neutralised"]);
  });
});
