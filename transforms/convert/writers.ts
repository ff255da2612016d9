import { toDocumentTree } from "../document-tree/to-document-tree.js";
import { CONTENTS, INTRODUCTION, type Vocabulary } from "../document-tree/vocabulary.js";
import { createResolver } from "../html/resolver.js";
import { toHtml } from "../html/to-html.js";
import { toPlainHtml } from "../html/to-plain-html.js";
import { toMarkdown } from "../markdown/to-markdown.js";
import { print } from "../wiki/print.js";
import type { Tree } from "../wiki/tree.js";
import type { TargetFormat } from "./formats.js";
import { plainHtmlIssues, siteHtmlIssues } from "./html-issues.js";
import { resolverOf } from "./origin.js";
import type { ConvertIssue, Setting } from "./setting.js";

/** Gives the text of a tree, and what it does not say of it. */
export type Writer = (
  tree: Tree,
  setting: Setting,
) => { readonly text: string; readonly issues: readonly ConvertIssue[] };

export const WRITERS: Readonly<Record<TargetFormat, Writer>> = {
  wiki: (tree) => ({ text: print(tree), issues: [] }),
  html: (tree, { origin }) => ({
    text: toHtml(tree, createResolver(resolverOf(origin))),
    issues: siteHtmlIssues(tree),
  }),
  "plain-html": (tree, { origin }) => ({
    text: toPlainHtml(tree, origin === undefined ? {} : { origin }),
    issues: plainHtmlIssues(tree, origin),
  }),
  markdown: (tree) => {
    const { markdown, issues } = toMarkdown(tree);
    return { text: markdown, issues };
  },
  "document-tree": documentWriter(CONTENTS),
  "introduction-json": documentWriter(INTRODUCTION),
};

function documentWriter(vocabulary: Vocabulary): Writer {
  return (tree) => {
    const { tree: document, issues } = toDocumentTree(tree, vocabulary);
    return { text: JSON.stringify(document), issues };
  };
}
