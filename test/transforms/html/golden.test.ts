import { describe, expect, it } from "vitest";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { toPlainHtml } from "../../../transforms/html/to-plain-html.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { readCases, sourceOf } from "./cases.js";
import { KNOWN, mediaId, SITE } from "./resolver.js";

describe("wiki text becomes HTML and comes back", () => {
  it.each(readCases("cases").map((each) => [each.title, each] as const))("%s", (_, each) => {
    const { text, context } = sourceOf(each, "wiki");
    const { tree } = parse(text, { context });
    const html = toHtml(tree, KNOWN);
    expect(html).toBe(each.sections.get("html"));
    expect(toPlainHtml(tree, { resolver: KNOWN, origin: SITE.origin })).toBe(each.sections.get("plain-html"));
    const back = fromHtml(html, { context, site: SITE });
    expect(print(back.tree)).toBe(each.sections.get("back") ?? text);
    expect(back.issues.map(({ level, code }) => `${level} ${code}`).join("\n")).toBe(each.sections.get("issues") ?? "");
  });
});

describe("HTML becomes wiki text", () => {
  it.each(readCases("from-cases").map((each) => [each.title, each] as const))("%s", (_, each) => {
    const { text, context } = sourceOf(each, "html");
    const { tree, issues } = fromHtml(text, { context, site: SITE, mediaId });
    // Where exactly words are kept apart from markup is the business of transforms/settle.
    expect(print(tree).replaceAll("\u200B", "")).toBe(each.sections.get("wiki"));
    const told = issues.map(({ level, code, start, end }) => `${level} ${code} ${start}-${end}`);
    expect(told.join("\n")).toBe(each.sections.get("issues") ?? "");
  });
});
