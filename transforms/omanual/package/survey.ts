import type { Files } from "../../../src/core/formats.js";
import { PEEKED_BYTES, type PeekedRoot, peekRoot } from "../../xml/peek-root.js";
import { type Bundle, createBundle } from "../items/bundle.js";
import type { BundleDocument } from "../items/bundle-document.js";
import { categoryName } from "../items/category-name.js";
import type { Manual } from "../manual.js";
import { ROOT_NAMES, readManual } from "../read-manual.js";
import { contentOf, firstBytes, isDocument } from "./documents.js";

/** The first pass over a package: which documents there are, and what indexes say of guides. `undouble`: see ReadManualOptions. */
export async function survey(files: Files, undouble: boolean): Promise<Bundle> {
  const documents: BundleDocument[] = [];
  for (const path of files.paths.filter(isDocument)) {
    const root = peekRoot(await firstBytes(files, path, PEEKED_BYTES));
    if (root !== undefined && !ROOT_NAMES.has(root.name)) continue;
    documents.push(await documentOf(files, path, root, undouble));
  }
  return createBundle(files.paths, documents);
}

const INDEXES: ReadonlySet<string> = new Set(["category", "topic", "device", "manifest"]);

/** Indexes are read whole, and what does not show its root in its first characters. */
async function documentOf(
  files: Files,
  path: string,
  root: PeekedRoot | undefined,
  undouble: boolean,
): Promise<BundleDocument> {
  if (root !== undefined && !INDEXES.has(root.name)) return { path, root, index: null };
  const bytes = await contentOf(files, path);
  const result = bytes === undefined ? undefined : readManual(bytes, { file: path, undouble });
  const manual = result?.ok ? result.manual : undefined;
  return { path, root: root ?? rootOf(manual), index: indexOf(manual, path) };
}

function rootOf(manual: Manual | undefined): PeekedRoot {
  const known = manual?.kind === "guide" ? { id: manual.id ?? "", locale: manual.locale ?? "" } : {};
  return { name: manual?.kind ?? "", attributes: new Map(Object.entries(known)) };
}

/** Only the rows: the documents themselves would fill the memory. */
function indexOf(manual: Manual | undefined, path: string): BundleDocument["index"] {
  if (manual === undefined || manual.kind === "guide") return null;
  const category = manual.kind === "category" ? categoryName(manual, path) : null;
  return { category, rows: manual.guides.map(({ path: file, id }) => ({ file, id })) };
}
