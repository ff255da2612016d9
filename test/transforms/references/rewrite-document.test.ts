import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDocumentTree } from "../../../transforms/document-tree/to-document-tree.js";
import type { DocumentNode } from "../../../transforms/document-tree/vocabulary.js";
import { CONTENTS, INTRODUCTION } from "../../../transforms/document-tree/vocabulary.js";
import { documentReferences, rewriteDocument } from "../../../transforms/references/rewrite-document.js";
import type { Resolution, RewriteOptions } from "../../../transforms/references/rewrite-options.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { OLD, optionsFor, PIECES, sameName } from "./sites.js";

const HOME: Readonly<Record<string, Resolution>> = {
  "guide/12": { id: "901" },
  "image/5": { id: "77" },
  "video/7": { id: "66" },
  "document/9": { id: "88" },
};

function docOf(...content: readonly DocumentNode[]): DocumentNode {
  return { type: "doc", content: [{ type: "paragraph", content }] };
}

function text(value: string, href?: string): DocumentNode {
  return {
    type: "text",
    text: value,
    ...(href === undefined ? {} : { marks: [{ type: "link", attrs: { href, target: null } }] }),
  };
}

function rewrite(tree: DocumentNode, options: RewriteOptions): DocumentNode {
  return rewriteDocument(tree, options).tree;
}

describe("a document tree", () => {
  it.each([
    [text("a", "/Guide/x/12"), text("a", "/Guide/x/901")],
    [text("a", "https://old.example/Guide/x/12"), text("a", "https://new.example/Guide/x/901")],
    [text("see [guide|12|x] now"), text("see [guide|901|x] now")],
    [text("https://old.example/Guide/x/12"), text("https://new.example/Guide/x/901")],
    [
      { type: "image", attrs: { imageid: 5, src: "https://old.example/Document/9/a.png", size: "standard" } },
      { type: "image", attrs: { imageid: 77, src: "https://new.example/Document/88/a.png", size: "standard" } },
    ],
    [
      { type: "image", attrs: { imageId: "5" }, marks: [{ type: "link", attrs: { href: "/Guide/x/12" } }] },
      { type: "image", attrs: { imageId: "77" }, marks: [{ type: "link", attrs: { href: "/Guide/x/901" } }] },
    ],
    [
      { type: "paragraph", attrs: { rule: "Video", url: "7", poster: "" }, content: [text("[video|7]")] },
      { type: "paragraph", attrs: { rule: "Video", url: "66", poster: "" }, content: [text("[video|66]")] },
    ],
    [
      {
        type: "blockquote",
        attrs: { format: "long", attribute: { type: "paragraph", content: [text("a", "/Guide/x/12")] } },
      },
      {
        type: "blockquote",
        attrs: { format: "long", attribute: { type: "paragraph", content: [text("a", "/Guide/x/901")] } },
      },
    ],
    [
      { type: "blockquote", attrs: { attribute: "[guide|12|Ann]" }, content: [] },
      { type: "blockquote", attrs: { attribute: "[guide|901|Ann]" }, content: [] },
    ],
  ] satisfies readonly (readonly [DocumentNode, DocumentNode])[])("is pointed home: %j", (node, expected) => {
    expect(rewriteDocument(docOf(node), optionsFor(HOME))).toEqual({
      tree: docOf(expected),
      missing: [],
      dangling: [],
    });
  });

  it.each([
    docOf(text("a", "https://other.example/Guide/x/12"), text("old words")),
    { type: "doc", content: [{ type: "code_block", content: [text("[guide|12]")] }] },
    { type: "doc", content: [{ type: "bulletList", attrs: [], content: [{ type: "hard_break" }] }] },
    docOf(
      { type: "image" },
      { type: "image", attrs: { size: "large" } },
      { type: "image", attrs: { imageid: "none" }, marks: [] },
    ),
    {
      type: "doc",
      content: [
        { type: "blockquote", attrs: { attribute: null } },
        { type: "blockquote", attrs: { attribute: "null" } },
      ],
    },
    docOf({
      type: "text",
      text: "a",
      marks: [{ type: "bold" }, { type: "link" }, { type: "link", attrs: { href: 5 } }],
    }),
  ] satisfies readonly DocumentNode[])("without references stays the very same object: %j", (tree) => {
    expect(rewrite(tree, optionsFor({}))).toBe(tree);
  });

  it("leads to the old site what does not move, and leaves the words of the rest", () => {
    const tree = docOf(
      text("a", "/Guide/x/12"),
      { type: "image", attrs: { imageid: 5 }, marks: [{ type: "bold" }] },
      { type: "image", attrs: { imageid: 6 } },
      { type: "paragraph", attrs: { url: "7", size: "large" }, content: [text("[video|7]")] },
    );
    expect(rewriteDocument(tree, optionsFor({ "image/6": { later: true } }))).toEqual({
      tree: docOf(
        text("a", "https://old.example/Guide/x/12"),
        { type: "text", text: "image 5", marks: [{ type: "bold" }] },
        { type: "text", text: "image 6" },
        { type: "paragraph", attrs: { url: "", size: "large" }, content: [text("video 7")] },
      ),
      missing: ["image/6"],
      dangling: [
        { key: "guide/12", reference: "/Guide/x/12", written: "absolute" },
        { key: "image/5", reference: "5", written: "label" },
        { key: "video/7", reference: "7", written: "label" },
        { key: "video/7", reference: "[video|7]", written: "label" },
      ],
    });
    const bold = { type: "bold" };
    const linked = { type: "text", text: "a", marks: [bold, { type: "link", attrs: { href: "/Guide/x/12" } }] };
    expect(rewrite(docOf(linked), optionsFor({}, { dangling: "label" }))).toEqual(docOf({ ...linked, marks: [bold] }));
  });

  it("tells what it refers to", () => {
    const tree = docOf(text("a", "/Guide/x/12#s5"), text("[guide|13|x|stepid=6]"), {
      type: "image",
      attrs: { imageid: 5 },
    });
    expect(documentReferences(tree, OLD)).toEqual(["guide/12", "step/5", "guide/13", "step/6", "image/5"]);
  });
});

describe("for the tree of every text", () => {
  const TREE = fc
    .tuple(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), fc.constantFrom(CONTENTS, INTRODUCTION))
    .map(([pieces, vocabulary]) => toDocumentTree(parse(pieces.join(""), { context: "page" }).tree, vocabulary).tree);

  it("the same ids at the same site give back the very same object", () => {
    const options = optionsFor({}, { target: OLD, resolve: sameName });
    const property = fc.property(TREE, (tree) => {
      expect(rewrite(tree, options)).toBe(tree);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it.each(["absolute", "label"] as const)("no number and no address without its host remains: %s", (dangling) => {
    const property = fc.property(TREE, (tree) => {
      const written = JSON.stringify(rewrite(withoutCode(tree), optionsFor({}, { dangling })));
      expect(written).not.toMatch(/"imageid":"?\d|\[(?:guide|image|video|document)\|\d+(?:\]|\|[^"]*\])|"href":"\//);
    });
    fc.assert(property, { numRuns: 300 });
  });

  /** Code stays as it is. */
  function withoutCode(node: DocumentNode): DocumentNode {
    const { content } = node;
    if (content === undefined) return node;
    return { ...node, content: content.filter(({ type }) => !/^code/.test(type)).map(withoutCode) };
  }
});
