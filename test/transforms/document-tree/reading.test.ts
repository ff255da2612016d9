import { describe, expect, it } from "vitest";
import { fromDocumentTree } from "../../../transforms/document-tree/from-document-tree.js";
import { print } from "../../../transforms/wiki/print.js";

/** A tree of one node in another. */
function nested(depth: number, type: string, leaf: unknown): unknown {
  let node = leaf;
  for (let level = 0; level < depth; level += 1) node = { type, content: [node] };
  return node;
}

const TEXT = {
  type: "paragraph",
  content: [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ],
};

function read(document: unknown): { readonly wiki: string; readonly errors: readonly string[] } {
  const { tree, issues } = fromDocumentTree(document);
  return { wiki: print(tree), errors: issues.filter(({ level }) => level === "error").map(({ code }) => code) };
}

describe("fromDocumentTree", () => {
  it.each(["blockquote", "widget", "bullet_list"])("keeps the text of a tree of %s deeper than any", (type) => {
    const { wiki, errors } = read({ type: "doc", content: [nested(50_000, type, TEXT)] });
    expect(wiki.replaceAll(/\[\/?quote\]|\*/g, "").trim()).toBe("a b");
    expect(errors).toEqual(["too-deep"]);
  });

  it("keeps the text of inlines deeper than any", () => {
    const document = { type: "doc", content: [{ type: "paragraph", content: [nested(50_000, "span", TEXT)] }] };
    expect(read(document)).toEqual({ wiki: "a b", errors: ["too-deep"] });
  });

  it("finds nothing in a tree deeper than any that has no text", () => {
    expect(read({ type: "doc", content: [nested(200, "widget", {})] })).toEqual({ wiki: "", errors: ["too-deep"] });
  });

  it("reads what is no document as the content of one, and tells", () => {
    expect(read(TEXT)).toEqual({ wiki: "ab", errors: ["no-document"] });
    expect(read("a")).toEqual({ wiki: "a", errors: ["no-document"] });
    expect(read(undefined)).toEqual({ wiki: "", errors: ["no-document"] });
  });

  it("says where something stood", () => {
    const image = { type: "image", attrs: {} };
    const document = {
      type: "doc",
      content: [TEXT, { type: "paragraph", content: [{ type: "text", text: "a" }, image] }],
    };
    const [issue] = fromDocumentTree(document).issues;
    expect(issue).toMatchObject({ code: "image-without-id", path: "content[1].content[1]", start: 0, end: 0 });
  });
});
