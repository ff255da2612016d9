import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromMarkdown } from "../../../transforms/markdown/from-markdown.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";

const README = readFileSync(join(import.meta.dirname, "../../../docs/design/markdown.md"), "utf8");

/** What a cell of a Markdown table holds in code; undefined for one that holds anything else. */
function codeIn(cell: string): string | undefined {
  const text = cell.trim().replaceAll("\\|", "|");
  const [, , code] = /^(`+)(.*[^`])\1$/.exec(text) ?? [];
  return code !== undefined && /^ .*`.* $/.test(code) ? code.slice(1, -1) : code;
}

function rows(heading: string): readonly (readonly [string, string])[] {
  const table = README.slice(README.indexOf(heading), README.indexOf("In several lines"));
  return table.split("\n").flatMap((line) => {
    const [, wiki = "", markdown = ""] = line.split(/(?<!\\)\|/).map(codeIn);
    return wiki === "" || markdown === "" ? [] : [[wiki, markdown] as const];
  });
}

describe("the table of docs/design/markdown.md", () => {
  it("has a row for every construct", () => {
    expect(rows("## The table").length).toBe(29);
  });

  it.each(rows("## The table"))("%s is %s", (wiki, markdown) => {
    expect(toMarkdown(parse(wiki, { context: "page" }).tree)).toEqual({ markdown: `${markdown}\n`, issues: [] });
    expect(print(fromMarkdown(markdown, { context: "page" }).tree)).toBe(wiki);
  });
});
