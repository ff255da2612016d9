import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pathOfAddress } from "../../transforms/omanual/addresses.js";
import { documentOf } from "../../transforms/omanual/manual.js";
import type { Listed, ListOptions, Opened, Source } from "../core/contracts.js";
import { ArchiveError, DocumentError, EXIT, FerryError, UsageError } from "../core/errors.js";
import type { Files, Format } from "../core/formats.js";
import type { SiteIdentity } from "../core/model/identity.js";
import type { Item } from "../core/model/item.js";
import { type ItemKind, type Key, kindOf, wikiKey } from "../core/model/key.js";
import { digest } from "../core/util/json.js";
import { diskError, onDisk } from "../storage/archive/disk-error.js";
import { openArchive, openFolder } from "../storage/archive/open-archive.js";
import type { ItemEntry, ItemReader } from "../storage/workspace/item-store.js";
import { readStored } from "../sync/extract/run.js";
import {
  type DocumentIndex,
  type IndexedItem,
  type ItemSpool,
  indexDocuments,
  isWithoutDocument,
} from "./document-index.js";
import { DOCUMENT_ENDINGS, documentsRoot, packageName } from "./package-name.js";

interface DocumentSourceParts {
  readonly path: string;
  readonly files: Files;
  readonly formats: readonly Format[];
  readonly spool: ItemSpool;
  /** Fetches media from the web; must never request a private address. */
  readonly openWeb: (url: string, from: number, signal: AbortSignal) => Promise<Opened>;
  /** Makes guides public where documents don't say whether they are. */
  readonly publish: boolean;
  /** The items that earlier runs read from this package; absent: none. */
  readonly stored?: ItemReader;
}

export interface LookedThrough {
  readonly keys: ReadonlySet<Key>;
  /** Numbers of guides that don't say whether they are public, and of private ones. */
  readonly guides: { readonly unsaid: number; readonly private: number };
  /** Items without a document that stay as an earlier run read them. */
  readonly kept: readonly Key[];
  readonly remarks: readonly string[];
}

export interface DocumentSource extends Source {
  look(signal: AbortSignal): Promise<LookedThrough>;
}

/**
 * A package, a folder or a single document as a source. The first list reads all documents, one at
 * a time, into an index in memory and a spool on the disk. A document that can't be read is listed
 * under the key of its item, and `read` throws the error. Throws UsageError (exit 10) when no
 * document has a known format.
 */
export function createDocumentSource(parts: DocumentSourceParts): DocumentSource {
  const { path, files, spool, openWeb, publish, stored } = parts;
  let looked: Promise<DocumentIndex> | undefined;
  const index = (signal: AbortSignal): Promise<DocumentIndex> => {
    looked ??= lookThrough(parts, signal);
    return looked;
  };
  const read = async (key: Key, signal: AbortSignal): Promise<Item | undefined> => {
    const all = await index(signal);
    const { items, issues, failures, kept } = all;
    const failure = failures.get(key);
    if (failure !== undefined) throw new DocumentError(failure);
    const entry = items.get(key);
    if (entry === undefined) return kept.has(key) ? stored?.get(key) : undefined;
    const { issues: own, media, ...item } = await spool.get(entry.place);
    return withVisibility(
      {
        ...item,
        revision: tokenOf(entry, all, publish),
        issues: [...own, ...(issues.get(key) ?? [])],
        // A medium that only a text names and the package lacks is a broken link, not a failure.
        media: media.filter((use) => use.url !== null || items.has(use.key)),
      } as Item,
      publish && entry.public === null,
    );
  };
  return {
    name: path,
    identify: async () => documentsIdentity(path),
    look: async (signal) => describeIndex(await index(signal)),
    list: async function* (options, signal) {
      yield* rowsOf(await index(signal), options, publish);
    },
    read,
    readMedia: ({ key }, signal) => read(key, signal),
    open: async (url, from, signal) => {
      const inside = pathOfAddress(url);
      if (inside === undefined) return openWeb(url, from, signal);
      return { content: await files.open(inside), from: 0, size: files.size(inside), type: null };
    },
  };
}

function withVisibility(item: Item, publish: boolean): Item {
  return item.kind === "guide" && publish ? { ...item, body: { ...item.body, public: true } } : item;
}

function describeIndex({ items, failures, kept, remarks }: DocumentIndex): LookedThrough {
  const guides = [...items.values()].filter(({ key }) => kindOf(key) === "guide");
  const saying = (value: boolean | null) => guides.filter((guide) => guide.public === value).length;
  return {
    keys: new Set([...items.keys(), ...failures.keys(), ...kept.keys()]),
    guides: { unsaid: saying(null), private: saying(false) },
    kept: [...kept.keys()],
    remarks,
  };
}

async function lookThrough({ path, files, formats, spool, stored }: DocumentSourceParts, signal: AbortSignal) {
  const format = formats.find(({ accepts }) => accepts(files.paths));
  const index = format === undefined ? undefined : await indexDocuments({ files, format, spool }, signal);
  if (index === undefined || index.items.size + index.failures.size === 0) throw nothingIn(path, files, formats);
  return stored === undefined ? index : guardStored(index, stored);
}

const MOST_NAMED = 5;

function nothingIn(path: string, { paths }: Files, formats: readonly Format[]): UsageError {
  const count = paths.length === 1 ? "1 file" : `${paths.length} files`;
  const named = paths.slice(0, MOST_NAMED).join(", ") + (paths.length > MOST_NAMED ? ", …" : "");
  const names = formats.map(({ name }) => name).join(" or ");
  return new UsageError(
    `No manual in ${path}: ${count}${named === "" ? "" : ` (${named})`}, none is an XML document with a root element of ${names}. ` +
      "Give the path of a package (.omanual, .zip), of a folder of documents, or of a single document (.xml, .oman).",
    { exitCode: EXIT.notFound },
  );
}

/** A kind comes after those that its items need. Media have no list. */
const LISTED: readonly ItemKind[] = ["record", "category", "wiki", "guide"];

function* rowsOf(index: DocumentIndex, { kinds }: ListOptions, publish: boolean): Iterable<Listed> {
  const { items, failures, kept } = index;
  for (const kind of LISTED) {
    if (!kinds.has(kind)) continue;
    for (const key of failures.keys()) {
      if (kindOf(key) === kind) yield { key, revision: "", title: key, category: null, modified: null };
    }
    for (const { key, revision, title, category, modified } of kept.values()) {
      if (kindOf(key) === kind) yield { key, revision, title, category, modified };
    }
    for (const entry of items.values()) {
      if (kindOf(entry.key) === kind && !comesAlong(entry, items)) yield rowOf(entry, index, publish);
    }
  }
}

function comesAlong({ key }: IndexedItem, items: DocumentIndex["items"]): boolean {
  const at = key.indexOf("@");
  return kindOf(key) === "guide" && at > 0 && items.has(key.slice(0, at) as Key);
}

function rowOf(entry: IndexedItem, index: DocumentIndex, publish: boolean): Listed {
  const { key, title, category, modified } = entry;
  return { key, revision: tokenOf(entry, index, publish), title, category, modified };
}

function tokenOf(
  { key, token, translations, public: known }: IndexedItem,
  { items, issues }: DocumentIndex,
  publish: boolean,
): string {
  const others = translations.map((other) => items.get(other)?.token ?? "");
  const reported = (issues.get(key) ?? []).map(({ code, path }) => [code, path]);
  return digest([token, others, reported, kindOf(key) === "guide" && publish && known === null]);
}

/** A package is identified by its name, not by its folder or packing. It has no address. */
function documentsIdentity(path: string): SiteIdentity {
  return {
    root: documentsRoot(path),
    origin: "",
    siteId: null,
    name: packageName(path),
    dialect: "unknown",
    hosts: [],
    language: "en",
    languages: [],
    account: null,
  };
}

const NAMED = 3;

/**
 * Compares the index with the stored items, so that a damaged or removed document empties nothing
 * on a target. An unreadable document of an unknown item may be that of any missing item, so all
 * missing items fail and keep their stored content. So does an item whose sidecar can't be used any
 * more. A category whose document was removed and that others name keeps its page.
 */
async function guardStored(index: DocumentIndex, stored: ItemReader): Promise<DocumentIndex> {
  const emptied = await emptiedPages(index, stored);
  const spoiled = await itemsWithUnusableSidecar(index, stored);
  const kept = new Map(emptied.map((entry) => [entry.key, entry]));
  const items = new Map([...index.items].filter(([key]) => !kept.has(key) && !spoiled.has(key)));
  const failures = new Map([...index.failures, ...spoiled]);
  const guarded = { ...index, items, failures };
  const nameless = [...index.failures].filter(([key]) => stored.entry(key) === undefined);
  if (nameless.length === 0) return { ...guarded, kept };
  const suspects: Key[] = [];
  const waiting = new Map<Key, ItemEntry>();
  for (const entry of new Map([...kept, ...unmentioned(guarded, stored)]).values()) {
    // A page without a document may be named by the unreadable document, so it is no suspect.
    if (await wasWithoutDocument(entry.key, stored)) waiting.set(entry.key, entry);
    else suspects.push(entry.key);
  }
  return { ...guarded, kept: waiting, failures: withSuspects(failures, nameless, suspects) };
}

async function wasWithoutDocument(key: Key, stored: ItemReader): Promise<boolean> {
  const before = kindOf(key) === "category" ? await readStored(stored, key) : undefined;
  return before !== undefined && isWithoutDocument(before);
}

async function emptiedPages({ items }: DocumentIndex, stored: ItemReader): Promise<readonly ItemEntry[]> {
  const emptied: ItemEntry[] = [];
  for (const { key, hasNoDocument: bare } of items.values()) {
    const entry = bare ? stored.entry(key) : undefined;
    if (entry?.state !== "present") continue;
    const before = await readStored(stored, key);
    if (before !== undefined && !isWithoutDocument(before)) emptied.push(entry, ...aboveOf(entry, items, stored));
  }
  return emptied;
}

/** The categories above it, which perhaps only its document named. */
function aboveOf({ category }: ItemEntry, items: DocumentIndex["items"], stored: ItemReader): readonly ItemEntry[] {
  const above = new Map<Key, ItemEntry>();
  for (let title = category; title !== null; ) {
    const entry = stored.entry(wikiKey("CATEGORY", title));
    if (entry?.state !== "present" || items.has(entry.key) || above.has(entry.key)) break;
    above.set(entry.key, entry);
    title = entry.category;
  }
  return [...above.values()];
}

/** Items stored with data that only the sidecar has: visibility, tags, the ids of steps. */
async function itemsWithUnusableSidecar(
  { items }: DocumentIndex,
  stored: ItemReader,
): Promise<ReadonlyMap<Key, string>> {
  const failures = new Map<Key, string>();
  for (const { key, unusableSidecar: spoiled } of items.values()) {
    if (spoiled === null || stored.entry(key)?.state !== "present") continue;
    const before = await readStored(stored, key);
    if (before !== undefined && documentOf(before) === undefined) failures.set(key, spoiled);
  }
  return failures;
}

const KINDS = ["category", "wiki", "guide"] as const;

function unmentioned({ items, failures }: DocumentIndex, stored: ItemReader): ReadonlyMap<Key, ItemEntry> {
  const entries = KINDS.flatMap((kind) =>
    [...stored.entries(kind)].filter(({ key, state }) => state === "present" && !items.has(key) && !failures.has(key)),
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

type Failures = DocumentIndex["failures"];

/** One document and one item match; else each document may be that of any item. */
function withSuspects(
  failures: Failures,
  nameless: readonly (readonly [Key, string])[],
  suspects: readonly Key[],
): Failures {
  const [one] = nameless;
  const [only] = suspects;
  if (one !== undefined && only !== undefined && nameless.length === 1 && suspects.length === 1)
    return new Map([...[...failures].filter(([key]) => key !== one[0]), [only, one[1]]]);
  const more = nameless.length > NAMED ? `\nand ${nameless.length - NAMED} more` : "";
  const documents = nameless.slice(0, NAMED).map(([, message]) => message);
  const reason = `No readable document has this item any more. It may be in one of these:\n${documents.join("\n")}${more}`;
  return new Map([...failures, ...suspects.map((key) => [key, reason] as const)]);
}

interface OpenedDocuments {
  readonly files: Files;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a folder, an archive or a single document. Throws ArchiveError with all findings of the
 * archive guard when it is refused (exit 2), and when it can't be read.
 */
export async function openDocuments(path: string): Promise<OpenedDocuments> {
  try {
    if (DOCUMENT_ENDINGS.some((ending) => path.toLowerCase().endsWith(ending)) && !(await isFolder(path))) {
      return { files: await openSingleFile(path), warnings: [], close: async () => undefined };
    }
    const files = (await isFolder(path)) ? await openFolder(path) : await openArchive(path);
    const warnings = files.findings.map(({ code, entry, detail }) =>
      entry === null ? `${code}: ${detail}` : `${code} "${entry}": ${detail}`,
    );
    return { files, warnings, close: () => files.close() };
  } catch (error) {
    throw asRefusal(error);
  }
}

/** A refused package gets exit 2, since resuming the run can't help. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof ArchiveError) || error.findings.length === 0) return error;
  return new ArchiveError(error.message, { findings: error.findings, exitCode: EXIT.usage, cause: error });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return false;
    throw error;
  }
}

/**
 * A single document as a package, without the files next to it. Throws ArchiveError when it can't
 * be read or is not a regular file; so do its streams.
 */
async function openSingleFile(file: string): Promise<Files> {
  const doing = `reading ${file}`;
  const stats = await onDisk(doing, stat(file));
  if (!stats.isFile()) throw new ArchiveError(`${file} is not a regular file.`, { exitCode: EXIT.usage });
  await (await onDisk(doing, open(file))).close();
  const path = basename(file).normalize("NFC");
  const check = (wanted: string): void => {
    if (wanted !== path) throw new FerryError(`${file} is a single document and has no file "${wanted}".`);
  };
  return {
    name: file,
    paths: [path],
    size: (wanted) => {
      check(wanted);
      return stats.size;
    },
    open: async (wanted) => {
      check(wanted);
      const handle = await onDisk(doing, open(file));
      return Readable.from(pieces(handle.createReadStream(), doing), { objectMode: false });
    },
  };
}

async function* pieces(stream: Readable, doing: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw diskError(error, doing);
  }
}
