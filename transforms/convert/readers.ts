import { fromHtml } from "../html/from-html.js";
import { fromMarkdown } from "../markdown/from-markdown.js";
import { parse } from "../wiki/parse.js";
import type { Tree } from "../wiki/tree.js";
import type { SourceFormat } from "./formats.js";
import { siteOf } from "./origin.js";
import type { ConvertIssue, Setting } from "./setting.js";
import { documentOf, textOf } from "./source.js";

/**
 * Gives the tree of a source: a text, or for formats that are JSON also the value that it stands for. Throws UsageError when it
 * is not of the format at all; whatever else is wrong with it is an issue.
 */
export type Reader = (
  source: unknown,
  setting: Setting,
) => { readonly tree: Tree; readonly issues: readonly ConvertIssue[] };

export const READERS: Readonly<Record<SourceFormat, Reader>> = {
  wiki: (source, { context }) => parse(textOf(source), { context }),
  html: (source, { context, origin }) => fromHtml(textOf(source), { context, ...siteOf(origin) }),
  markdown: (source, { context }) => fromMarkdown(textOf(source), { context }),
  "document-tree": (source, { context }) => documentOf(source, context),
};
