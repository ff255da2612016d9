import { pathOfAddress } from "../../transforms/omanual/items/bundle-address.js";
import type { Listed, ListOptions, Opened, Source } from "../core/contracts.js";
import { EXIT, UsageError } from "../core/errors.js";
import type { Files, Format } from "../core/formats.js";
import type { Item } from "../core/model/item.js";
import { type ItemKind, type Key, kindOf } from "../core/model/key.js";
import { digest } from "../core/util/digest.js";
import type { ItemReader } from "../storage/workspace/item-store.js";
import { DocumentError } from "../core/document-error.js";
import { type DocumentIndex, type IndexedItem, indexDocuments } from "./document-index.js";
import { documentsIdentity } from "./documents-identity.js";
import { guardStored } from "./guard-stored.js";
import type { ItemSpool } from "./spool.js";

export interface DocumentSourceParts {
  /** The path that the user gave. */
  readonly path: string;
  readonly files: Files;
  readonly formats: readonly Format[];
  readonly spool: ItemSpool;
  /** Gets the bytes of media on the web; must never ask a private address. */
  readonly openWeb: (url: string, from: number, signal: AbortSignal) => Promise<Opened>;
  /** Guides become public ones where documents don't say whether they are. */
  readonly publish: boolean;
  /** What was read from this package before; absent: nothing. */
  readonly stored?: ItemReader;
}

/** What was found when a package was looked through. */
export interface LookedThrough {
  /** Of everything in the package. */
  readonly keys: ReadonlySet<Key>;
  /** How many guides don't say whether they are public, and how many say that they are private. */
  readonly guides: { readonly unsaid: number; readonly private: number };
  /** Items that no document describes any more, and that stay as they were read before. */
  readonly kept: readonly Key[];
  /** What is lost and belongs to no item. */
  readonly remarks: readonly string[];
}

/** A source over documents, with what is known of them once they were looked through. */
export interface DocumentSource extends Source {
  look(signal: AbortSignal): Promise<LookedThrough>;
}

/**
 * A package of documents, a folder of them or a single one as a source. It is looked through once, at the first list: a document is in
 * memory at a time, then an index and a spool on the disk. A document that can't be read is listed under the key that its item has,
 * and reading it fails with what is wrong. Throws UsageError (exit 10) when there is no document of any format.
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
        // What only a text names and the package has not was not there before either: no failure, but a dangling reference.
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
    `No manual in ${path}: ${count}${named === "" ? "" : ` (${named})`}, none is an XML document with a root of ${names}. Check the path: ` +
      "a package (.omanual, .zip), a folder of documents or a single one (.xml, .oman) is read.",
    { exitCode: EXIT.notFound },
  );
}

/** In the order in which kinds build on each other. Media are named by the items that use them, there is no list of them. */
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

/** A translation is read with its guide, where that is there. */
function comesAlong({ key }: IndexedItem, items: DocumentIndex["items"]): boolean {
  const at = key.indexOf("@");
  return kindOf(key) === "guide" && at > 0 && items.has(key.slice(0, at) as Key);
}

function rowOf(entry: IndexedItem, index: DocumentIndex, publish: boolean): Listed {
  const { key, title, category, modified } = entry;
  return { key, revision: tokenOf(entry, index, publish), title, category, modified };
}

/** Also over what belongs to the item and stands elsewhere. */
function tokenOf(
  { key, token, translations, public: known }: IndexedItem,
  { items, issues }: DocumentIndex,
  publish: boolean,
): string {
  const others = translations.map((other) => items.get(other)?.token ?? "");
  const told = (issues.get(key) ?? []).map(({ code, path }) => [code, path]);
  return digest([token, others, told, kindOf(key) === "guide" && publish && known === null]);
}
