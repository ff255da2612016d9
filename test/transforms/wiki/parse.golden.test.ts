import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WIKI_CODES } from "../../../src/core/model/text-codes.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { outline } from "./outline.js";

/*
 * One file a row of wiki-syntax 2 and 7. Four parts, with a line of two percent signs between: the
 * context and what the case is about, the text, the tree that it gives, the issues with the text
 * that they are about.
 */
const FOLDER = join(import.meta.dirname, "golden");
const BETWEEN = "\n%%\n";

describe("the golden cases", () => {
  it("hold every issue that the parser has", () => {
    const given = readdirSync(FOLDER).flatMap(
      (file) => readFileSync(join(FOLDER, file), "utf8").split(BETWEEN)[3] ?? [],
    );
    const all = given.join("\n").split("\n");
    expect(Object.keys(WIKI_CODES).filter((code) => !all.some((issue) => issue.startsWith(`${code} `)))).toEqual([]);
  });
});

describe.each(readdirSync(FOLDER))("%s", (file) => {
  const [title = "", text = "", tree, issues = ""] = readFileSync(join(FOLDER, file), "utf8").split(BETWEEN);

  it(`reads ${title}`, () => {
    const parsed = parse(text, { context: title.startsWith("line: ") ? "line" : "page" });
    expect(outline(parsed.tree)).toBe(tree);
    const found = parsed.issues.map(({ code, start, end }) => `${code} ${JSON.stringify(text.slice(start, end))}`);
    expect(found.join("\n")).toBe(issues.trimEnd());
    expect(print(parsed.tree)).toBe(text);
  });
});
