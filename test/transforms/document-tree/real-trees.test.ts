import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromDocumentTree } from "../../../transforms/document-tree/from-document-tree.js";
import { toDocumentTree } from "../../../transforms/document-tree/to-document-tree.js";
import { CONTENTS, INTRODUCTION } from "../../../transforms/document-tree/vocabulary.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";

const DATA = join(import.meta.dirname, "../../../../shared/data");

function readJson(...path: readonly string[]): Readonly<Record<string, unknown>> | readonly unknown[] {
  return JSON.parse(readFileSync(join(DATA, ...path), "utf8"));
}

interface Pair {
  readonly raw: string;
  readonly tree: unknown;
}

/** Texts with the tree that the site has made of them. */
function pairs(): readonly Pair[] {
  const listed = readJson("wiki", "dozuki-ose-2026-markup.json") as readonly Readonly<Record<string, unknown>>[];
  const guides = readdirSync(join(DATA, "ose/guides")).map((file) => readJson("ose/guides", file)) as typeof listed;
  return [
    ...listed.map((each) => ({ raw: String(each["raw"]), tree: each["contents_json"] })),
    ...guides.map((each) => ({ raw: String(each["introduction_raw"]), tree: each["introduction_json"] })),
  ].filter(({ tree }) => tree !== undefined);
}

function raws(): readonly string[] {
  const files = ["dozuki-ose-2026-markup.json", "dozuki-ose-2026-plain.json"];
  return files.flatMap((file) => (readJson("wiki", file) as readonly { raw: string }[]).map(({ raw }) => raw));
}

describe("real document trees", { tags: ["shared"] }, () => {
  it("are, node for node, what we make of their wiki text", () => {
    const all = pairs();
    expect(all.length).toBeGreaterThan(80);
    for (const { raw, tree } of all) {
      expect(toDocumentTree(parse(raw, { context: "page" }).tree, INTRODUCTION).tree).toEqual(tree);
    }
  });

  it("give back their wiki text byte for byte", () => {
    for (const { raw, tree } of pairs()) expect(print(fromDocumentTree(tree).tree)).toBe(raw);
  });

  it.each([CONTENTS, INTRODUCTION])(
    "of all real texts give the text back byte for byte, without an issue",
    (vocabulary) => {
      const all = raws();
      expect(all.length).toBe(1020);
      for (const raw of all) {
        const { tree, issues } = toDocumentTree(parse(raw, { context: "page" }).tree, vocabulary);
        const back = fromDocumentTree(tree);
        expect(print(back.tree)).toBe(raw);
        expect([...issues, ...back.issues]).toEqual([]);
      }
    },
  );
});
