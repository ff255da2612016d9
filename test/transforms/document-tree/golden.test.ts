import { describe, expect, it } from "vitest";
import { fromDocumentTree } from "../../../transforms/document-tree/from-document-tree.js";
import { toDocumentTree } from "../../../transforms/document-tree/to-document-tree.js";
import { CONTENTS, INTRODUCTION, type Vocabulary } from "../../../transforms/document-tree/vocabulary.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { readCases } from "../html/cases.js";

/** A section holds one node of the document a line. */
function documentOf(section: string | undefined): unknown {
  return { type: "doc", content: (section ?? "").split("\n").map((line) => JSON.parse(line)) };
}

const VOCABULARIES: readonly (readonly [string, Vocabulary])[] = [
  ["contents_json", CONTENTS],
  ["introduction_json", INTRODUCTION],
];

describe.each(VOCABULARIES)("wiki text becomes %s and comes back", (name, vocabulary) => {
  it.each(readCases("../document-tree/cases").map((each) => [each.title, each] as const))("%s", (_, each) => {
    const text = each.sections.get("wiki page") ?? "";
    const { tree, issues } = toDocumentTree(parse(text, { context: "page" }).tree, vocabulary);
    expect(tree).toEqual(documentOf(each.sections.get(name)));
    expect(issues).toEqual([]);
    const back = each.sections.get(`back from ${name}`) ?? each.sections.get("back") ?? text;
    expect(print(fromDocumentTree(tree).tree)).toBe(back);
  });
});

describe("a document tree becomes wiki text", () => {
  it.each(readCases("../document-tree/from-cases").map((each) => [each.title, each] as const))("%s", (_, each) => {
    const { tree, issues } = fromDocumentTree(documentOf(each.sections.get("content")));
    expect(print(tree)).toBe(each.sections.get("wiki"));
    expect(issues.map(({ level, code, path }) => `${level} ${code} ${path}`.trimEnd()).join("\n")).toBe(
      each.sections.get("issues") ?? "",
    );
  });
});
