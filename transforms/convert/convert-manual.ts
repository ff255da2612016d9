import { UsageError } from "../../src/errors.js";
import type { GuideItem, WikiItem } from "../../src/model/item.js";
import { fromMarkdown } from "../markdown/from-markdown.js";
import { bundleOfOne } from "../omanual/items/bundle.js";
import { derivedId, idOf } from "../omanual/items/derived-id.js";
import { manualItem } from "../omanual/items/manual-items.js";
import { readManual } from "../omanual/read-manual.js";
import type { PageBlock } from "../page/block.js";
import { type FragmentFormat, fragmentsIn } from "../page/fragments.js";
import { htmlPage } from "../page/html-page.js";
import { markdownPage } from "../page/markdown-page.js";
import { pageOf } from "../page/page-of.js";
import type { Converted } from "./convert.js";
import type { DocumentTarget } from "./formats.js";
import type { ConvertIssue } from "./setting.js";
import { WRITERS } from "./writers.js";

export interface ConvertManualOptions {
  readonly to: DocumentTarget;
  /** How messages name the document; its last part is its name. */
  readonly name: string;
  /** Scheme and host of the site that the document is of; as for texts. */
  readonly origin?: string | undefined;
}

/**
 * A manual-authoring XML document as one page, or as the JSON of its item. Media stay where the document says that they lie: a page
 * belongs beside the document. Pure. Throws UsageError when it can't be read, or is only an index.
 */
export function convertManual(source: string, { to, name, origin }: ConvertManualOptions): Converted {
  const item = itemOf(source, name);
  const issues: ConvertIssue[] = item.issues.map(({ code, level, path, message }) => ({
    ...{ code, level, path, start: 0, end: 0 },
    message: message.startsWith(name) ? message.slice(name.length).replace(/^:\s*/, "") : message,
  }));
  if (to === "json") return { text: `${JSON.stringify(item, null, 2)}\n`, issues };
  const text = PAGES[to](pageOf(item), origin, (issue) => void issues.push(issue));
  return { text, issues };
}

type PageWriter = (
  blocks: readonly PageBlock[],
  origin: string | undefined,
  tell: (issue: ConvertIssue) => void,
) => string;

const html =
  (format: FragmentFormat): PageWriter =>
  (blocks, origin, tell) =>
    htmlPage(blocks, fragmentsIn(format, origin, tell));

const PAGES: Readonly<Record<Exclude<DocumentTarget, "json">, PageWriter>> = {
  wiki: (blocks, origin, tell) => {
    const { tree, issues } = fromMarkdown(markdownPage(blocks, fragmentsIn("markdown", origin, tell)), {
      context: "page",
    });
    for (const issue of issues) tell({ ...issue, start: 0, end: 0 });
    return WRITERS.wiki(tree, { context: "page", origin }).text;
  },
  html: html("html"),
  "plain-html": html("plain-html"),
  markdown: (blocks, origin, tell) => markdownPage(blocks, fragmentsIn("markdown", origin, tell)),
};

function itemOf(source: string, name: string): GuideItem | WikiItem {
  const result = readManual(source, { file: name });
  if (!result.ok) throw new UsageError(result.fault.message);
  const { manual, xml, issues } = result;
  const path = name.split(/[\\/]/).at(-1) || "document.xml";
  const id = manual.kind === "guide" ? (idOf(manual.id) ?? derivedId(path)) : derivedId(path);
  const bundle = { ...bundleOfOne(path, `guide/${id}`), paths: new AnyPath() };
  const item = manualItem({ path, file: name, manual, xml, issues }, bundle);
  if (item !== undefined) return item;
  throw new UsageError(`${name} is only an index of documents. Convert the guides and categories that it lists.`);
}

/** A document alone does not tell which files lie around it, so each that it names is taken to be there. */
class AnyPath extends Set<string> {
  override has(): boolean {
    return true;
  }
}
