import { describe, expect, it } from "vitest";
import { toDocumentTree } from "../../../transforms/document-tree/to-document-tree.js";
import type { DocumentNode } from "../../../transforms/document-tree/vocabulary.js";
import { CONTENTS, INTRODUCTION } from "../../../transforms/document-tree/vocabulary.js";
import { parse } from "../../../transforms/wiki/parse.js";

function contents(wiki: string): DocumentNode {
  return toDocumentTree(parse(wiki, { context: "page" }).tree, CONTENTS).tree;
}

describe("toDocumentTree", () => {
  it("makes an empty text one empty paragraph, as the service does", () => {
    expect(contents("")).toEqual({ type: "doc", content: [{ type: "paragraph" }] });
    expect(contents("[quote]\n[/quote]").content?.[0]?.content).toEqual([{ type: "paragraph" }]);
    expect(contents("[code]\n\n[/code]").content).toEqual([{ type: "code_block" }]);
  });

  it("makes a step line a document of one paragraph", () => {
    const { tree } = toDocumentTree(parse("* '''a'''", { context: "line" }).tree, INTRODUCTION);
    const texts = [
      { type: "text", text: "* " },
      { type: "text", marks: [{ type: "bold" }], text: "a" },
    ];
    expect(tree).toEqual({ type: "doc", content: [{ type: "paragraph", content: texts }] });
  });

  it("asks for the address of an image", () => {
    const imageAddress = (id: string) => (id === "5" ? "https://loom.example/5.png" : undefined);
    const { tree } = toDocumentTree(parse("[image|5] [image|6]", { context: "page" }).tree, CONTENTS, { imageAddress });
    const images = tree.content?.[0]?.content?.filter(({ type }) => type === "image");
    expect(images?.map(({ attrs }) => (Array.isArray(attrs) ? undefined : { ...attrs }))).toMatchObject([
      { imageid: 5, src: "https://loom.example/5.png" },
      { imageid: 6, src: "" },
    ]);
  });

  it("keeps an image whose id no number holds as the text of its macro", () => {
    expect(JSON.stringify(contents("a [image|1234567890123456]"))).toContain("[image|1234567890123456]");
  });

  it("tells of a quote's field that a document tree has no place for, where it stands", () => {
    const wiki = "a\n\n[quote|Ada|format=featured|size=large]\nb\n\n[/quote]";
    const { issues } = toDocumentTree(parse(wiki, { context: "page" }).tree, CONTENTS);
    expect(issues).toEqual([
      expect.objectContaining({ code: "quote-field", level: "loss", start: 3, end: wiki.length }),
    ]);
    expect(issues[0]?.message).toContain('"size=large"');
  });

  it.each([
    ["https://www.youtube.com/watch?v=x", "youtube"],
    ["http://youtu.be/x", "youtube"],
    ["https://player.vimeo.com/video/1", "vimeo"],
    ["https://video.example/?u=youtube.com", ""],
    ["77", ""],
  ])("names the service of a video: %s", (url, service) => {
    const { tree } = toDocumentTree(parse(`[video|${url}]`, { context: "page" }).tree, INTRODUCTION);
    expect(tree.content?.[0]?.attrs).toEqual({
      align: "center",
      caption: "",
      formats: [],
      poster: "",
      rule: "Video",
      service,
      size: "large",
      url,
    });
  });

  it("does not change the tree that it is given", () => {
    const { tree } = parse("* a\n** '''b''' [image|5]\n\n[quote|c]\nd\n\n[/quote]", { context: "page" });
    const before = JSON.stringify(tree);
    toDocumentTree(tree, INTRODUCTION);
    expect(JSON.stringify(tree)).toBe(before);
  });
});
