import type { Files, Format } from "../../src/core/formats.js";
import type { Report } from "../../src/core/model/issue.js";
import type { Item } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { XML_LIMITS } from "../xml/xml-limits.js";
import type { Bundle } from "./items/bundle.js";
import type { ItemOptions } from "./items/converting.js";
import { bareCategory, manualItem, mediaItem, type ReadDocument } from "./items/manual-items.js";
import { Places } from "./items/places.js";
import { contentOf, isDocument } from "./package/documents.js";
import { nameOfFile } from "./package/name-of-file.js";
import { survey } from "./package/survey.js";
import { readManual } from "./read-manual.js";

/** oManual packages, folders and single files: every XML document by its root, whatever it is called (omanual 7). */
export const omanual: Format = {
  name: "omanual",
  accepts: (paths) => paths.some(isDocument),
  read: (files, report) => readOmanual(files, report),
};

/**
 * The items of a package: categories and guides with their media behind them, then empty pages for categories that are only
 * named. Documents are read twice as far as keys need it, and one is in memory at a time. A document that can't be read is
 * an Issue of level `error`, and the others go on. Throws what `files` throws.
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

/** Packages that guideferry wrote say so by this file, and hold nothing that was escaped twice. */
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
    const message = `${file}: the document has ${files.size(path)} bytes; at most ${XML_LIMITS.bytes} are read. Split it.`;
    report({ code: "xml-too-large", level: "error", key, path: "", message });
    return undefined;
  }
  const result = readManual(bytes, { file, undouble });
  if (result.ok) return { path, file, manual: result.manual, xml: result.xml, issues: result.issues };
  // A package may hold other XML: that is worth a word, not a failure.
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
  const message = `${file}: ${key} is there a second time; the first one is taken, this one left out.`;
  return { code: "item-twice", level: "loss", key, path: "", message } as const;
}
