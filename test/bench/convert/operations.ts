import { fromHtml as parseHtml } from "hast-util-from-html";
import type { Root } from "mdast";
import { fromMarkdown as parseMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown, gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown as printMarkdown } from "mdast-util-to-markdown";
import { gfm } from "micromark-extension-gfm";
import wikiparser from "wikiparser-node";
import wtf from "wtf_wikipedia";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { fromMarkdown } from "../../../transforms/markdown/from-markdown.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { references } from "../../../transforms/references/references.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import type { Page } from "../../../transforms/wiki/tree.js";
import { type Operation, onTree, reading } from "./contender.js";
import type { Corpus } from "./corpus.js";

const OURS = "guideferry";
const WIKIPARSER = "wikiparser-node";
const WTF = "wtf_wikipedia";
const MDAST = "mdast-util-*";
const HAST = "hast-util-from-html";

const SOURCE = { origin: "https://opensourceecology.dozuki.com", hosts: [] };
const TARGET = { origin: "https://target.example.org", hosts: [] };

/** What is measured on a text: each operation by all that can do it. */
export function operationsOn({ wiki, html, markdown }: Corpus): readonly Operation[] {
  return [
    {
      name: "parse",
      contenders: [
        reading(OURS, wiki, readPage),
        reading(WIKIPARSER, wiki, (text) => wikiparser.parse(text)),
        reading(WTF, wiki, (text) => wtf(text)),
        reading(MDAST, markdown, readMarkdown),
      ],
    },
    {
      name: "print the tree",
      contenders: [
        onTree(OURS, wiki, readPage, print),
        onTree(WIKIPARSER, wiki, (text) => wikiparser.parse(text), String),
        onTree(MDAST, markdown, readMarkdown, (tree) => printMarkdown(tree, { extensions: [gfmToMarkdown()] })),
      ],
    },
    {
      name: "text to HTML",
      contenders: [
        reading(OURS, wiki, (text) => toHtml(readPage(text))),
        reading(WIKIPARSER, wiki, (text) => wikiparser.parse(text).toHtml()),
        // Without a plug-in it has no HTML; its plain text is less work.
        reading(WTF, wiki, (text) => wtf(text).text()),
      ],
    },
    {
      name: "find references",
      contenders: [
        reading(OURS, wiki, (text) => references(text, SOURCE, "page")),
        reading(WIKIPARSER, wiki, (text) => wikiparser.parse(text).querySelectorAll("link, ext-link, free-ext-link")),
        reading(WTF, wiki, (text) => wtf(text).links()),
      ],
    },
    {
      name: "rewrite references",
      contenders: [
        reading(OURS, wiki, (text) =>
          rewriteReferences(text, {
            source: SOURCE,
            target: TARGET,
            context: "page",
            resolve: () => ({ id: "123456" }),
          }),
        ),
      ],
    },
    {
      name: "HTML to wiki text",
      contenders: [
        reading(OURS, html, (text) => print(fromHtml(text, { context: "page" }).tree)),
        reading(HAST, html, (text) => parseHtml(text, { fragment: true })),
      ],
    },
    {
      name: "Markdown to wiki text",
      contenders: [
        reading(OURS, markdown, (text) => print(fromMarkdown(text, { context: "page" }).tree)),
        reading(MDAST, markdown, readMarkdown),
      ],
    },
    {
      name: "wiki text to Markdown",
      contenders: [
        reading(OURS, wiki, (text) => toMarkdown(readPage(text))),
        onTree(MDAST, markdown, readMarkdown, (tree) => printMarkdown(tree, { extensions: [gfmToMarkdown()] })),
      ],
    },
  ];
}

function readPage(text: string): Page {
  return parse(text, { context: "page" }).tree;
}

function readMarkdown(text: string): Root {
  return parseMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}
