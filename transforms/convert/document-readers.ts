import { UsageError } from "../../src/core/errors.js";
import type { GuideItem, WikiItem } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { bundleOfOne } from "../omanual/items/bundle.js";
import { derivedId, idOf } from "../omanual/items/derived-id.js";
import { manualItem } from "../omanual/items/manual-items.js";
import { readManual } from "../omanual/read-manual.js";
import { PAGE_SOURCES } from "../page/read/page-sources.js";
import { readPage } from "../page/read/read-page.js";
import type { ConvertDocumentOptions } from "./document-options.js";
import type { DocumentSource, PageFormat } from "./formats.js";
import { readItem } from "./read-item.js";
import type { ConvertIssue } from "./setting.js";

/** Gives the item of a document, and what was odd about it. Throws UsageError when it is none. */
export type DocumentReader = (
  source: string,
  options: ConvertDocumentOptions,
) => { readonly item: GuideItem | WikiItem; readonly issues: readonly ConvertIssue[] };

export const DOCUMENT_READERS: Readonly<Record<DocumentSource, DocumentReader>> = {
  omanual: (source, { name }) => withIssues(readXml(source, name), name),
  json: (source, { name, readAnswer }) => withIssues(readItem(source, name, readAnswer), name),
  markdown: pageReader("markdown"),
  html: pageReader("html"),
  wiki: pageReader("wiki"),
};

function pageReader(format: PageFormat): DocumentReader {
  return (source, { name, origin, as }) => {
    if (source.trim() === "") throw new UsageError(`${name} is empty; nothing can be made of it.`);
    const page = PAGE_SOURCES[format](source, origin);
    return readPage(page, { name, guideKey: guideKey(name, null), as, text: source });
  };
}

function readXml(source: string, name: string): GuideItem | WikiItem {
  const result = readManual(source, { file: name });
  if (!result.ok) throw new UsageError(result.fault.message);
  const { manual, xml, issues } = result;
  const path = fileOf(name);
  const key = guideKey(name, manual.kind === "guide" ? manual.id : null);
  const bundle = { ...bundleOfOne(path, key), paths: new AnyPath() };
  const item = manualItem({ path, file: name, manual, xml, issues }, bundle);
  if (item !== undefined) return item;
  throw new UsageError(`${name} is only an index of documents. Convert the guides and categories that it lists.`);
}

/** The issues that an item was read with, its name left out where the caller says it. */
function withIssues(item: GuideItem | WikiItem, name: string): ReturnType<DocumentReader> {
  const issues = item.issues.map(({ code, level, path, message }) => ({
    ...{ code, level, path, start: 0, end: 0 },
    message: message.startsWith(name) ? message.slice(name.length).replace(/^:\s*/, "") : message,
  }));
  return { item, issues };
}

/**
 * The key of a guide: its own id, else the one that its file or folder is named for, as in packages (omanual 7), else one that is
 * derived from the file's name.
 */
function guideKey(name: string, id: string | null): Key {
  const [file = "", folder = ""] = name.split(/[\\/]/).toReversed();
  const named = /^(?:guide|procedure)-(\d+)\.\w+$/i.exec(file)?.[1];
  const foldered = /^(?:guide|procedure)\.\w+$/i.test(file) ? /-(\d+)$/.exec(folder)?.[1] : undefined;
  return `guide/${idOf(id) ?? idOf(named) ?? idOf(foldered) ?? derivedId(fileOf(name))}`;
}

function fileOf(name: string): string {
  return name.split(/[\\/]/).at(-1) || "document";
}

/** A document alone does not tell which files lie around it, so each that it names is taken to be there; no script is a file. */
class AnyPath extends Set<string> {
  override has(path: string): boolean {
    return !/^[a-z][a-z0-9+.-]*:/i.test(path);
  }
}
