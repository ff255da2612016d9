import { UsageError } from "../../src/core/errors.js";
import { type GuideItem, itemSchema, type WikiItem } from "../../src/core/model/item.js";
import { idIn, kindOf } from "../../src/core/model/key.js";
import { pathOfAddress } from "../omanual/items/bundle-address.js";
import { idOf } from "../omanual/items/derived-id.js";
import { NO_CONTEXT } from "../omanual/write/items/write-context.js";
import { writeItem } from "../omanual/write/write-item.js";
import type { PageBlock } from "../page/block.js";
import { pageDifferences } from "../page/compare/tell-differences.js";
import { type FragmentFormat, type Fragments, fragmentsIn } from "../page/fragments.js";
import { htmlPage } from "../page/html-page.js";
import { markdownPage } from "../page/markdown-page.js";
import { pageOf } from "../page/page-of.js";
import { PAGE_SOURCES } from "../page/read/page-sources.js";
import { readPage } from "../page/read/read-page.js";
import { wikiPage } from "../page/wiki-page.js";
import type { Converted } from "./convert.js";
import type { DocumentTarget, PageFormat } from "./formats.js";
import type { ConvertIssue } from "./setting.js";

/** Gives the text of an item, and what it does not say of it. Throws UsageError for what the format has no document of. */
export type DocumentWriter = (
  item: GuideItem | WikiItem,
  options: { readonly name: string; readonly origin?: string | undefined },
) => Converted;

export const DOCUMENT_WRITERS: Readonly<Record<DocumentTarget, DocumentWriter>> = {
  json: writeJson,
  omanual: writeXml,
  markdown: pageWriter("markdown", "markdown", markdownPage),
  html: pageWriter("html", "html", htmlPage),
  "plain-html": pageWriter("plain-html", "html", htmlPage),
  wiki: pageWriter("wiki", "wiki", wikiPage),
};

/** With the fields in the order of the model, wherever the item comes from, so that equal items are equal texts. */
function writeJson(item: GuideItem | WikiItem): Converted {
  const { data = item } = itemSchema.safeParse(item);
  return { text: `${JSON.stringify(data, null, 2)}\n`, issues: [] };
}

/** A page is read again while it is written, so that whatever it does not say is told. */
function pageWriter(
  format: FragmentFormat,
  readAs: PageFormat,
  write: (blocks: readonly PageBlock[], fragments: Fragments) => string,
): DocumentWriter {
  return (item, { name, origin }) => {
    const issues: ConvertIssue[] = [];
    const text = write(
      pageOf(item),
      fragmentsIn(format, origin, (issue) => void issues.push(issue)),
    );
    const read = readPage(PAGE_SOURCES[readAs](text, origin), { name, guideKey: item.key, text });
    return { text, issues: [...issues, ...pageDifferences(item, read.item)] };
  };
}

function writeXml(item: GuideItem | WikiItem, { origin }: { readonly origin?: string | undefined }): Converted {
  if (item.kind === "wiki")
    throw new UsageError(
      `oManual holds guides and categories, and this is a wiki of ${item.body.namespace}. Write --to json|markdown|html|plain-html|wiki.`,
    );
  const files = new Map(item.media.map(({ key, url }) => [key, pathOfAddress(url ?? "")]));
  const { xml, issues } = writeItem(item, { ...NO_CONTEXT, fileOf: (key) => files.get(key), origin });
  const told = issues
    .filter(({ code }) => (code !== "step-ids" || hasStepIds(item)) && (code !== "site-html" || hasHtml(item)))
    .map(({ code, level, path, message }) => ({ code, level, path, message, start: 0, end: 0 }));
  return { text: xml, issues: [...idIssue(item), ...told] };
}

/** Ids that were derived are no loss: the next reader derives them again. */
function hasStepIds(item: GuideItem | WikiItem): boolean {
  return item.kind === "guide" && item.body.steps.some(({ key }) => idOf(String(idIn(key))) !== null);
}

/** A page that no site made has none. */
function hasHtml(item: GuideItem | WikiItem): boolean {
  return item.kind !== "guide" && item.body.html !== "";
}

function idIssue({ key }: GuideItem | WikiItem): readonly ConvertIssue[] {
  const id = kindOf(key) === "guide" ? idOf(String(idIn(key))) : null;
  if (id === null) return [];
  const message = `A guide of oManual 1.0 has no id of its own: readers know ${id} by the file's name, as guide-${id}.xml.`;
  return [{ code: "guide-id", level: "note", path: "id", message, start: 0, end: 0 }];
}
