import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromMarkdown } from "../../../transforms/markdown/from-markdown.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import type { TextContext } from "../../../transforms/wiki/tree.js";

const DATA = join(import.meta.dirname, "../../../../shared/data");

interface Raw {
  readonly text: string;
  readonly context: TextContext;
}

/** Every string in a JSON value under a name that holds wiki text. */
function rawsIn(value: unknown, name = ""): readonly Raw[] {
  if (typeof value === "string") {
    if (name !== "raw" && !name.endsWith("_raw")) return [];
    return [{ text: value, context: name === "text_raw" ? "line" : "page" }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => rawsIn(part, Array.isArray(value) ? name : key));
}

function rawTexts(): readonly Raw[] {
  return ["wiki", "ose/guides"].flatMap((folder) =>
    readdirSync(join(DATA, folder)).flatMap((file) =>
      rawsIn(JSON.parse(readFileSync(join(DATA, folder, file), "utf8"))),
    ),
  );
}

describe("real texts in Markdown", { tags: ["shared"] }, () => {
  it("come back byte for byte, without an issue on either way", () => {
    const texts = rawTexts();
    expect(texts.length).toBeGreaterThan(2000);
    for (const { text, context } of texts) {
      const { markdown, issues } = toMarkdown(parse(text, { context }).tree);
      const back = fromMarkdown(markdown, { context });
      expect(print(back.tree)).toBe(text);
      expect([...issues, ...back.issues]).toEqual([]);
    }
  });
});
