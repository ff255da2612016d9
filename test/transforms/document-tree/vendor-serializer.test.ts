import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromDocumentTree } from "../../../transforms/document-tree/from-document-tree.js";
import { toDocumentTree } from "../../../transforms/document-tree/to-document-tree.js";
import type { DocumentNode } from "../../../transforms/document-tree/vocabulary.js";
import { CONTENTS } from "../../../transforms/document-tree/vocabulary.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { saidBy } from "./content-of.js";

const DATA = join(import.meta.dirname, "../../../../shared/data/wiki/prosemirror-wikitext-tests.json");

interface VendorTest {
  readonly source: string;
  readonly raw: string;
  readonly contents_json: DocumentNode;
}

const tests: readonly VendorTest[] = existsSync(DATA) ? JSON.parse(readFileSync(DATA, "utf8")) : [];
const named = tests.map((each) => [each.source.slice(each.source.indexOf("—") + 2), each] as const);

describe("the tests of the vendor's serializer", { tags: ["shared"] }, () => {
  it("are all here", () => {
    expect(tests.length).toBe(44);
  });

  it.each(named)("%s: gives the vendor's wiki text, without an issue", (_, { raw, contents_json }) => {
    const { tree, issues } = fromDocumentTree(contents_json);
    expect(print(tree)).toBe(raw);
    expect(issues).toEqual([]);
  });

  it.each(named)("%s: the text says what the tree says", (_, { raw, contents_json }) => {
    const { tree } = toDocumentTree(parse(raw, { context: "page" }).tree, CONTENTS);
    expect(saidBy(tree)).toEqual(saidBy(contents_json));
  });
});
