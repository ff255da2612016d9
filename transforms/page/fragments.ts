import type { ConvertIssue, Setting } from "../convert/setting.js";
import { WRITERS } from "../convert/writers.js";
import { escapeHtml } from "../html/escape-html.js";
import { printMarkdown } from "../markdown/print-markdown.js";
import { settlePage } from "../settle/settle.js";
import { paragraph } from "../wiki/build.js";
import { text } from "../wiki/build-inlines.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import type { Inline, TextContext } from "../wiki/tree.js";
import { onOneLine } from "./on-one-line.js";

/** The formats that a page's texts are written in. */
export type FragmentFormat = "wiki" | "markdown" | "html" | "plain-html";

/** Writes the texts of a page, and gathers what they can't say. */
export interface Fragments {
  /** Wiki syntax, as a page or a line. */
  wiki(source: string, context: TextContext): string;
  /** Words in which nothing is markup; on one line. */
  plain(words: string): string;
  readonly tell: (issue: ConvertIssue) => void;
}

/** Texts in one format; `tell` takes what is odd or lost, without a place. */
export function fragmentsIn(
  format: FragmentFormat,
  origin: string | undefined,
  tell: (issue: ConvertIssue) => void,
): Fragments {
  const setting = (context: TextContext): Setting => ({ context, origin });
  const write = WRITERS[format];
  return {
    wiki: (source, context) => {
      const { tree, issues } = parse(source, { context });
      const written = write(tree, setting(context));
      for (const issue of [...issues, ...written.issues]) tell({ ...issue, start: 0, end: 0 });
      return written.text.trim();
    },
    plain: (words) => PLAIN[format](onOneLine(words)),
    tell,
  };
}

const PLAIN: Readonly<Record<FragmentFormat, (words: string) => string>> = {
  wiki: (value) => plainWiki([text(value)]),
  // As a paragraph, since what stands at its beginning may look like the beginning of another block.
  markdown: (value) => printMarkdown([{ type: "paragraph", children: [{ type: "text", value }] }]).trim(),
  html: escapeHtml,
  "plain-html": escapeHtml,
};

/** Inlines as wiki text that says nothing else. What is done for that is no loss of words. */
export function plainWiki(inlines: readonly Inline[]): string {
  const block = paragraph(inlines);
  return print(settlePage([{ block, tell: () => undefined }], () => undefined)).trim();
}
