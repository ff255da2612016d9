import type { Converted } from "./convert.js";
import type { ConvertDocumentOptions } from "./document-options.js";
import { DOCUMENT_READERS } from "./document-readers.js";
import { DOCUMENT_WRITERS } from "./document-writers.js";

/** What sites have no place for, and a manual takes from the manual that it was read from. */
const KEPT_IN_MANUALS: ReadonlySet<string> = new Set(["category-parts", "category-tools"]);

/**
 * A guide, category or wiki from one form into another: manual-authoring XML, the JSON of its item, or one page in a format of
 * texts. Media stay where the document says that they lie, so that a page and a document belong into one folder. Pure. Throws
 * UsageError when the document can't be read, or can't be of the other form at all; whatever else is lost is an issue.
 */
export function convertDocument(source: string, options: ConvertDocumentOptions): Converted {
  const { item, issues } = DOCUMENT_READERS[options.from](source, options);
  const written = DOCUMENT_WRITERS[options.to](item, options);
  const lost = options.to === "omanual" ? issues.filter(({ code }) => !KEPT_IN_MANUALS.has(code)) : issues;
  return { text: written.text, issues: [...lost, ...written.issues] };
}
