import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itemSchema } from "../../../src/core/model/item.js";
import { readOmanual } from "../../../transforms/omanual/format.js";
import type { Manual } from "../../../transforms/omanual/manual.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { memoryFiles } from "./memory-files.js";

const FOLDER = "../shared/data/omanual/examples";
const here = existsSync(FOLDER);

/** What stands in a document, counted. */
const COUNTS = {
  guide: (manual: Manual) =>
    manual.kind !== "guide"
      ? {}
      : {
          steps: manual.steps.length,
          lines: manual.steps.flatMap(({ lines }) => lines).length,
          raw: manual.steps.flatMap(({ lines }) => lines).filter(({ text }) => text.raw !== null).length,
          images: manual.steps.flatMap(({ media }) => (media?.type === "image" ? media.images : [])).length,
          tools: manual.tools.length,
          parts: manual.parts.length,
          flags: manual.flags.length,
          documents: manual.documents.length,
          prerequisites: manual.prerequisites.length,
        },
  category: (manual: Manual) =>
    manual.kind !== "category"
      ? {}
      : {
          guides: manual.guides.length,
          ancestors: manual.ancestors.length,
          tools: manual.tools.length,
          documents: manual.documents.length,
        },
  manifest: (manual: Manual) =>
    manual.kind !== "manifest"
      ? {}
      : { guides: manual.guides.length, categories: manual.categories.length, documents: manual.documents.length },
};

/**
 * The examples, by name: kind, version, what was found, and the codes of the issues. Others may lie
 * beside them.
 */
const FOUND: Readonly<Record<string, readonly [string, string, Readonly<Record<string, number>>, readonly string[]]>> =
  {
    "omanual_category_example.xml": [
      "category",
      "1.0",
      { guides: 26, ancestors: 3, tools: 0, documents: 2 },
      ["escaped-twice"],
    ],
    "omanual_guide_example.xml": [
      "guide",
      "1.0",
      { steps: 9, lines: 29, raw: 29, images: 12, tools: 7, parts: 5, flags: 1, documents: 2, prerequisites: 4 },
      [],
    ],
    "omanual_manifest_example_0.4.xml": ["manifest", "0.4", { guides: 24, categories: 1, documents: 1 }, []],
    "omanual_procedure_example_0.4.xml": [
      "guide",
      "0.4",
      { steps: 34, lines: 139, raw: 0, images: 62, tools: 6, parts: 0, flags: 1, documents: 0, prerequisites: 0 },
      ["escaped-twice"],
    ],
    "omanual_topic_example_0.4.xml": [
      "category",
      "0.4",
      { guides: 0, ancestors: 1, tools: 9, documents: 0 },
      ["unknown-element", "escaped-twice"],
    ],
  };

describe("the vendor's examples", { tags: ["shared"] }, () => {
  const names = here ? readdirSync(FOLDER).filter((name) => name.endsWith(".xml")) : [];

  it.each(names)("%s is read without an error, and this is what is found in it", (name) => {
    const result = readManual(readFileSync(`${FOLDER}/${name}`), { file: name });
    if (!result.ok) throw new Error(result.fault.message);
    const { manual, issues } = result;
    expect(issues.filter(({ level }) => level === "error")).toEqual([]);
    const expected = FOUND[name];
    if (expected === undefined) return;
    const found = [manual.kind, manual.version, COUNTS[manual.kind](manual), issues.map(({ code }) => code)];
    expect(found).toEqual(expected);
  });

  it("give items of the model, the examples together as a package too", async () => {
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(`${FOLDER}/${name}`)]));
    const errors: string[] = [];
    const keys: string[] = [];
    for await (const item of readOmanual(memoryFiles(files), ({ level, message }) => {
      if (level === "error") errors.push(message);
    })) {
      itemSchema.parse(item);
      if (item.kind === "guide" || item.kind === "category") keys.push(`${item.kind} ${item.body.title}`);
    }
    expect(errors).toEqual([]);
    expect(keys).toEqual([
      "category iPhone 4",
      "guide Replacing iPhone 4 Display Assembly",
      "guide iPhone 5 Teardown",
      "category iPhone 5",
      "category iPhone",
      "category Phone",
    ]);
  });
});
