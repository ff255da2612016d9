import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathOfAddress } from "../../transforms/omanual/addresses.js";
import { documentOf } from "../../transforms/omanual/manual.js";
import { isOwnSidecar } from "../../transforms/omanual/write/sidecar.js";
import { ArchiveError, EXIT, FerryError, messageOf, WorkspaceError } from "../core/errors.js";
import type { Files, Format } from "../core/formats.js";
import type { Issue } from "../core/model/issue.js";
import type { Item } from "../core/model/item.js";
import { type Key, restOf } from "../core/model/key.js";
import { digest } from "../core/util/json.js";
import type { ItemEntry } from "../storage/workspace/item-store.js";

export interface IndexedItem {
  readonly key: Key;
  readonly place: SpoolPlace;
  readonly title: string;
  /** Guides: the category's title. Categories: their parent's. */
  readonly category: string | null;
  readonly modified: number | null;
  /** A hash of the document and the bytes of its media. */
  readonly token: string;
  readonly translations: readonly Key[];
  /** A category that other items name and no document describes. */
  readonly hasNoDocument: boolean;
  /** Why its sidecar, which has more data than the document, can't be used; null: no problem. */
  readonly unusableSidecar: string | null;
  /** Guides: whether it is public; null: unknown, since documents don't say. */
  readonly public: boolean | null;
}

export interface DocumentIndex {
  readonly items: ReadonlyMap<Key, IndexedItem>;
  /** Issues that are not in the items themselves, by item. */
  readonly issues: ReadonlyMap<Key, readonly Issue[]>;
  /** Why documents can't be read, by the key that their item has or would have. */
  readonly failures: ReadonlyMap<Key, string>;
  /** Items without a document that stay as an earlier run read them. */
  readonly kept: ReadonlyMap<Key, ItemEntry>;
  /** Losses that belong to no item: files that can't be used. */
  readonly remarks: readonly string[];
}

interface Parts {
  readonly files: Files;
  readonly format: Format;
  readonly spool: ItemSpool;
}

/** Reads all documents of a package, one at a time, into the spool. Throws what `files` throws. */
export async function indexDocuments({ files, format, spool }: Parts, signal: AbortSignal): Promise<DocumentIndex> {
  const items = new Map<Key, IndexedItem>();
  const reported: Issue[] = [];
  const news: Issue[] = [];
  const contents = new ContentDigests(files);
  for await (const item of format.read(files, (issue) => void news.push(issue))) {
    signal.throwIfAborted();
    const unusableSidecar = news.find((issue) => isUnusable(issue) && !isAlone(issue))?.message ?? null;
    reported.push(...news.splice(0).filter(({ level, key }) => level === "error" || key !== item.key));
    items.set(item.key, { ...(await entryOf(item, await spool.add(item), contents)), unusableSidecar });
  }
  reported.push(...news);
  const failures = reported.filter((issue) => (issue.level === "error" || isAlone(issue)) && !items.has(issue.key));
  return {
    items,
    issues: byKey(reported.filter(({ key, level }) => level !== "note" && items.has(key))),
    failures: new Map(
      [...byKey(failures)].map(([key, issues]) => [key, issues.map(({ message }) => message).join("\n")]),
    ),
    kept: new Map(),
    remarks: reported.flatMap((issue) =>
      issue.level === "loss" && !items.has(issue.key) && !isAlone(issue) ? [issue.message] : [],
    ),
  };
}

function isUnusable({ code }: Issue): boolean {
  return code === "sidecar-unusable";
}

/** Is the issue about a sidecar that holds an item without a document? */
function isAlone(issue: Issue): boolean {
  return isUnusable(issue) && isOwnSidecar(restOf(issue.key));
}

/** Is it the page of a category that other items name and no document describes? */
export function isWithoutDocument(item: Item): boolean {
  return item.kind === "category" && item.issues.some(({ code }) => code === "category-without-document");
}

async function entryOf(
  item: Item,
  place: SpoolPlace,
  contents: ContentDigests,
): Promise<Omit<IndexedItem, "unusableSidecar">> {
  const { key, revision, translations } = item;
  const own = {
    key,
    place,
    translations,
    title: key,
    category: null,
    modified: null,
    hasNoDocument: isWithoutDocument(item),
    public: null,
  };
  if (item.kind === "record") return { ...own, token: digest(revision) };
  if (item.kind === "guide")
    return {
      ...own,
      ...factsOf(item.body),
      category: item.body.category || null,
      // An item from a site has the answer of the site as its raw data, others their document.
      public: documentOf(item) === undefined || item.body.public ? item.body.public : null,
      token: await tokenOf(item, contents),
    };
  if (item.kind === "category" || item.kind === "wiki")
    return { ...own, ...factsOf(item.body), category: item.body.parent, token: await tokenOf(item, contents) };
  return { ...own, token: digest([revision, await contents.of(item.body.url)]) };
}

function factsOf({ title, modifiedDate }: { readonly title: string; readonly modifiedDate: number | null }) {
  return { title, modified: modifiedDate };
}

/** Covers the bytes of media, which are read only with the items that use them. */
async function tokenOf({ revision, body, media }: Item, contents: ContentDigests): Promise<string> {
  const used: string[] = [];
  for (const { url } of media) used.push(url === null ? "" : await contents.of(url));
  // With the body: an item with a revision of a site can be edited in the package.
  return digest([revision, body, used]);
}

/** Digests of the files in a package; a medium outside of the package has its address instead. */
class ContentDigests {
  readonly #files: Files;
  readonly #paths: ReadonlySet<string>;
  readonly #known = new Map<string, Promise<string>>();

  constructor(files: Files) {
    this.#files = files;
    this.#paths = new Set(files.paths);
  }

  of(url: string): Promise<string> {
    const path = pathOfAddress(url);
    if (path === undefined || !this.#paths.has(path)) return Promise.resolve(url);
    const known = this.#known.get(path) ?? this.#digest(path);
    this.#known.set(path, known);
    return known;
  }

  async #digest(path: string): Promise<string> {
    const hash = createHash("sha256");
    try {
      for await (const piece of await this.#files.open(path)) hash.update(piece);
    } catch (error) {
      if (error instanceof ArchiveError) return "unreadable";
      throw error;
    }
    return hash.digest("hex");
  }
}

function byKey(issues: readonly Issue[]): ReadonlyMap<Key, readonly Issue[]> {
  const grouped = new Map<Key, Issue[]>();
  for (const issue of issues) {
    const known = grouped.get(issue.key);
    if (known === undefined) grouped.set(issue.key, [issue]);
    else known.push(issue);
  }
  return grouped;
}

interface SpoolPlace {
  readonly start: number;
  readonly length: number;
}

/** A temporary file of items, since a source is read in another order than a format gives them. */
export class ItemSpool {
  readonly #handle: FileHandle;
  readonly #path: string;
  #end = 0;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** @param folder a temporary folder, which is created if it is missing */
  static async open(folder: string): Promise<ItemSpool> {
    const path = join(folder, `documents-${process.pid}-${Date.now()}.ndjson`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return new ItemSpool(await open(path, "wx+", 0o600), path);
    } catch (error) {
      throw diskFailed(path, error);
    }
  }

  async add(item: Item): Promise<SpoolPlace> {
    const bytes = Buffer.from(`${JSON.stringify(item)}\n`);
    const start = this.#end;
    this.#end += bytes.length;
    try {
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, start + written);
        written += bytesWritten;
      }
    } catch (error) {
      throw diskFailed(this.#path, error);
    }
    return { start, length: bytes.length };
  }

  async get({ start, length }: SpoolPlace): Promise<Item> {
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < length; ) {
      const { bytesRead } = await this.#handle
        .read(bytes, read, length - read, start + read)
        .catch((error: unknown) => {
          throw diskFailed(this.#path, error);
        });
      if (bytesRead === 0)
        throw new FerryError(
          `Another program shortened the file ${this.#path} during the run. Run the same command again.`,
        );
      read += bytesRead;
    }
    return JSON.parse(bytes.toString("utf8")) as Item;
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}

function diskFailed(path: string, cause: unknown): WorkspaceError {
  const reason = messageOf(cause);
  return new WorkspaceError(
    `guideferry could not store the items of the documents in ${path}: ${reason}. Free space there or check the disk, then run the same command again.`,
    { cause, exitCode: EXIT.stopped },
  );
}
