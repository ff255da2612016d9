import type { Files, Format } from "../../src/core/formats.js";
import type { Report } from "../../src/core/model/issue.js";
import type { Item } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { PEEKED_BYTES, type PeekedRoot, peekRoot } from "../xml/read-xml.js";
import { XML_LIMITS } from "../xml/xml-fault.js";
import { type Bundle, type BundleDocument, categoryName, createBundle } from "./bundle.js";
import type { ItemOptions } from "./items/converting.js";
import { bareCategory, manualItem, mediaItem, type ReadDocument } from "./items/manual-items.js";
import { Places } from "./items/to-wiki.js";
import type { Manual } from "./manual.js";
import { ROOT_NAMES, readManual } from "./read-manual.js";

/** The root element identifies a document, not its name (omanual 7). */
export const omanual: Format = {
  name: "omanual",
  accepts: (paths) => paths.some(isDocument),
  read: (files, report) => readOmanual(files, report),
};

/**
 * Yields each item before its media, then empty pages for categories without a document. Reads
 * documents twice where keys need it, and holds one at a time. An unreadable document is an Issue
 * of level `error`. Throws what `files` throws.
 */
export async function* readOmanual(files: Files, report: Report, options: ItemOptions = {}): AsyncIterable<Item> {
  const undouble = !files.paths.some((path) => SIDECAR.test(path));
  const bundle = await survey(files, undouble);
  const places = new Places();
  const given = new Set<Key>();
  let language = "en";
  for (const path of files.paths.filter(isDocument)) {
    const document = await readDocument(files, path, bundle, report, undouble);
    if (document === undefined) continue;
    language = document.manual.locale || language;
    places.note(document.manual, path);
    const item = manualItem(document, bundle, options);
    if (item === undefined) {
      // A manifest, which becomes no item.
      for (const issue of document.issues) report({ ...issue, key: `record/${path}` });
      continue;
    }
    if (given.has(item.key)) {
      report(repeated(item.key, document.file));
      continue;
    }
    given.add(item.key);
    for (const issue of item.issues) report(issue);
    yield item;
    yield* freshMedia(item, given);
  }
  for (const { title, parent } of places.bare()) {
    const item = bareCategory(title, parent, language, files.name);
    for (const issue of item.issues) report(issue);
    yield item;
  }
}

/** Marks packages of guideferry, which escape nothing twice. */
const SIDECAR = /(?:^|\/)guideferry\.json$/;

async function readDocument(
  files: Files,
  path: string,
  bundle: Bundle,
  report: Report,
  undouble: boolean,
): Promise<ReadDocument | undefined> {
  const file = nameOfFile(files, path);
  const bytes = await contentOf(files, path);
  const key: Key = bundle.guides.get(path) ?? `record/${path}`;
  if (bytes === undefined) {
    const message = `${file}: the document has ${files.size(path)} bytes; at most ${XML_LIMITS.bytes} are read. Divide it.`;
    report({ code: "xml-too-large", level: "error", key, path: "", message });
    return undefined;
  }
  const result = readManual(bytes, { file, undouble });
  if (result.ok) return { path, file, manual: result.manual, xml: result.xml, issues: result.issues };
  const level = result.fault.code === "omanual-root" ? "note" : "error";
  report({ code: result.fault.code, level, key, path: "", message: result.fault.message });
  return undefined;
}

function* freshMedia(item: Item, given: Set<Key>): Iterable<Item> {
  for (const use of item.media) {
    const medium = given.has(use.key) ? undefined : mediaItem(use);
    given.add(use.key);
    if (medium !== undefined) yield medium;
  }
}

function repeated(key: Key, file: string) {
  const message = `${file}: ${key} occurs a second time. The first one is used.`;
  return { code: "item-twice", level: "loss", key, path: "", message } as const;
}

/** First pass: the documents and the facts in indexes about guides. */
async function survey(files: Files, undouble: boolean): Promise<Bundle> {
  const documents: BundleDocument[] = [];
  for (const path of files.paths.filter(isDocument)) {
    const root = peekRoot(await firstBytes(files, path, PEEKED_BYTES));
    if (root !== undefined && !ROOT_NAMES.has(root.name)) continue;
    documents.push(await documentOf(files, path, root, undouble));
  }
  return createBundle(files.paths, documents);
}

const INDEXES: ReadonlySet<string> = new Set(["category", "topic", "device", "manifest"]);

/** Reads indexes as a whole, and documents whose first characters do not show their root. */
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

/** Keeps only the rows, to bound memory. */
function indexOf(manual: Manual | undefined, path: string): BundleDocument["index"] {
  if (manual === undefined || manual.kind === "guide") return null;
  const category = manual.kind === "category" ? categoryName(manual, path) : null;
  return { category, rows: manual.guides.map(({ path: file, id }) => ({ file, id })) };
}

/** `.oman` is a bare document too (omanual 7). */
function isDocument(path: string): boolean {
  return /\.(?:xml|oman)$/i.test(path);
}

/** undefined: too large. */
async function contentOf(files: Files, path: string): Promise<Uint8Array | undefined> {
  const size = files.size(path);
  return size > XML_LIMITS.bytes ? undefined : firstBytes(files, path, size);
}

async function firstBytes(files: Files, path: string, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(length, files.size(path)));
  let at = 0;
  for await (const chunk of await files.open(path)) {
    const wanted = (chunk as Uint8Array).subarray(0, bytes.length - at);
    bytes.set(wanted, at);
    at += wanted.length;
    // Stops only before the end, where the checksum is verified.
    if (at === bytes.length && length < files.size(path)) break;
  }
  return bytes.subarray(0, at);
}

export function nameOfFile({ name, paths }: Pick<Files, "name" | "paths">, path: string): string {
  const isAlone = paths.length === 1 && name.split(/[/\\]/).at(-1)?.normalize("NFC") === path;
  return isAlone ? name : `${name}:${path}`;
}
