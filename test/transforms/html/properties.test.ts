import fc from "fast-check";
import type { Element, Nodes } from "hast";
import { fromHtml as parseHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { toPlainHtml } from "../../../transforms/html/to-plain-html.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { anyHtml, anyHtmlOf } from "./arbitrary-html.js";
import { anyTree } from "./arbitrary-tree.js";
import { saidBy } from "./content-of.js";
import { honestPage } from "./honest-tree.js";
import { KNOWN, mediaId, SITE } from "./resolver.js";

const context = fc.constantFrom("page" as const, "line" as const);

function elementsIn(node: Nodes): readonly Element[] {
  const inner = "children" in node ? node.children.flatMap(elementsIn) : [];
  return node.type === "element" ? [node, ...inner] : inner;
}

function wordsIn(html: string): string {
  const words = (node: Nodes): string =>
    node.type === "text" ? node.value : "children" in node ? node.children.map(words).join("") : "";
  return words(parseHtml(html, { fragment: true })).replace(/[\s\u200B]+/g, "");
}

const RUNS_CODE = /^\s*(?:j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|vbscript|data|file|blob):/i;

describe("plain HTML", () => {
  it("holds nothing that runs, whatever the tree holds", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const elements = elementsIn(parseHtml(toPlainHtml(tree, { resolver: KNOWN }), { fragment: true }));
        const allowed =
          /^(?:h[1-6]|p|[uo]l|li|pre|blockquote|footer|figure|figcaption|img|a|br|strong|em|u|s|sup|sub|code)$/;
        expect(elements.filter(({ tagName }) => !allowed.test(tagName))).toEqual([]);
        const properties = elements.flatMap((element) => Object.entries(element.properties));
        expect(properties.filter(([name]) => !["href", "src", "alt", "id"].includes(name))).toEqual([]);
        expect(
          properties.filter(([, value]) => typeof value !== "string" || RUNS_CODE.test(value)).filter(isAddress),
        ).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });
});

function isAddress([name]: readonly [string, unknown]): boolean {
  return name === "href" || name === "src";
}

describe("the site's HTML", () => {
  it("links nowhere that runs code and has no handlers, whatever the tree holds", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const elements = elementsIn(parseHtml(toHtml(tree, KNOWN), { fragment: true }));
        expect(elements.filter(({ tagName }) => tagName === "script")).toEqual([]);
        const properties = elements.flatMap((element) => Object.entries(element.properties));
        expect(properties.filter(([name]) => /^on/i.test(name))).toEqual([]);
        expect(properties.filter(isAddress).filter(([, value]) => RUNS_CODE.test(String(value)))).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it("comes back as the page that it was made of", () => {
    fc.assert(
      fc.property(honestPage, (tree) => {
        const html = toHtml(tree, KNOWN);
        const back = fromHtml(html, { context: "page", site: SITE });
        expect(back.issues).toEqual([]);
        expect(saidBy(toHtml(parse(print(back.tree), { context: "page" }).tree, KNOWN))).toEqual(saidBy(html));
      }),
      { numRuns: 250 },
    );
  });

  it("comes back as a text that is shown the same", () => {
    fc.assert(
      fc.property(anyHtml, context, (html, context) => {
        const once = toHtml(fromHtml(html, { context, site: SITE, mediaId }).tree);
        const again = toHtml(fromHtml(once, { context, site: SITE, mediaId }).tree);
        expect(wordsIn(again)).toBe(wordsIn(once));
      }),
      { numRuns: 250 },
    );
  });
});

const HIDDEN = /^(?:script|style|select|template|iframe|title|textarea|video)$/;

/** The words of a page that a reader sees. */
function shownIn(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (!("children" in node) || (node.type === "element" && HIDDEN.test(node.tagName))) return "";
  return node.children.map(shownIn).join("");
}

describe("any HTML", () => {
  it("becomes a text that is read as it was meant, or it is told that it is not", () => {
    fc.assert(
      fc.property(anyHtml, context, (html, context) => {
        const { tree, issues } = fromHtml(html, { context, site: SITE, mediaId });
        if (issues.some(({ code }) => code === "reads-differently")) return;
        expect(saidBy(toHtml(parse(print(tree), { context }).tree))).toEqual(saidBy(toHtml(tree)));
      }),
      { numRuns: 250 },
    );
  });

  it("keeps every word that a page shows", () => {
    const words = anyHtmlOf((index) => `w${index}w`);
    fc.assert(
      fc.property(words, context, (html, context) => {
        const text = print(fromHtml(html, { context, site: SITE, mediaId }).tree);
        const shown = shownIn(parseHtml(html, { fragment: true })).match(/w\d+w/g) ?? [];
        expect(shown.filter((word) => !text.includes(word))).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it("has issues that point into it", () => {
    fc.assert(
      fc.property(anyHtml, context, (html, context) => {
        for (const { start, end } of fromHtml(html, { context }).issues) {
          expect(0 <= start && start <= end && end <= html.length).toBe(true);
        }
      }),
    );
  });
});
