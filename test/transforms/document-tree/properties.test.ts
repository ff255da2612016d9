import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromDocumentTree } from "../../../transforms/document-tree/from-document-tree.js";
import { toDocumentTree } from "../../../transforms/document-tree/to-document-tree.js";
import type { DocumentNode } from "../../../transforms/document-tree/vocabulary.js";
import { CONTENTS, INTRODUCTION } from "../../../transforms/document-tree/vocabulary.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { documents } from "./arbitrary-documents.js";
import { saidBy } from "./content-of.js";

function readAgain(document: unknown): { readonly tree: DocumentNode; readonly lost: boolean; readonly text: string } {
  const { tree, issues } = fromDocumentTree(document);
  const text = print(tree);
  const lost = issues.some(({ level }) => level !== "note");
  return { tree: toDocumentTree(parse(text, { context: "page" }).tree, CONTENTS).tree, lost, text };
}

describe("a document tree as wiki text", () => {
  it("says every character under its marks, in its block, or tells of a loss", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { tree, lost, text } = readAgain(document);
        if (!lost) expect(saidBy(tree), text).toEqual(saidBy(document));
      }),
      { numRuns: 200 },
    );
  });

  it("is written where nothing but texts and marks are in it: no mark is given up", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const codes = fromDocumentTree(document).issues.map(({ code }) => code);
        expect(codes.filter((code) => /reads-differently|markup-as-text/.test(code))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("stays the same wiki text in further rounds, in either vocabulary", () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(CONTENTS, INTRODUCTION), (document, vocabulary) => {
        const round = (tree: unknown) => {
          const text = print(fromDocumentTree(tree).tree);
          return { text, tree: toDocumentTree(parse(text, { context: "page" }).tree, vocabulary).tree };
        };
        // The first round moves blanks out of marks, which may change what the longest mark is.
        const settled = round(round(document).tree);
        expect(round(settled.tree).text).toBe(settled.text);
      }),
      { numRuns: 200 },
    );
  });

  it("is made of any value, and nothing is thrown", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void print(fromDocumentTree(value).tree)));
    fc.assert(fc.property(fc.anything(), (value) => void print(fromDocumentTree(value).tree)));
  });
});
