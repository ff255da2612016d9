import { describe, expect, it } from "vitest";
import type { TextIssue } from "../../../src/core/model/text-codes.js";
import { fromMarkdown } from "../../../transforms/markdown/from-markdown.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { type Case, readCases, sourceOf } from "../html/cases.js";

function told(issues: readonly TextIssue[]): string {
  return issues.map(({ level, code, start, end }) => `${level} ${code} ${start}-${end}`).join("\n");
}

function casesIn(folder: string): readonly (readonly [string, Case])[] {
  return readCases(`../markdown/${folder}`).map((each) => [each.title, each] as const);
}

describe("wiki text becomes Markdown and comes back", () => {
  it.each(casesIn("cases"))("%s", (_, each) => {
    const { text, context } = sourceOf(each, "wiki");
    const { markdown, issues } = toMarkdown(parse(text, { context }).tree);
    expect(markdown.replace(/\n$/, "")).toBe(each.sections.get("markdown"));
    expect(told(issues)).toBe(each.sections.get("issues") ?? "");
    const back = fromMarkdown(markdown, { context });
    expect(print(back.tree)).toBe(each.sections.get("back") ?? text);
    expect(told(back.issues)).toBe(each.sections.get("issues back") ?? "");
  });
});

describe("Markdown becomes wiki text", () => {
  it.each(casesIn("from-cases"))("%s", (_, each) => {
    const { text, context } = sourceOf(each, "markdown");
    const { tree, issues } = fromMarkdown(text, { context });
    expect(print(tree)).toBe(each.sections.get("wiki"));
    expect(told(issues)).toBe(each.sections.get("issues") ?? "");
  });
});
