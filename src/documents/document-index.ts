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
  /** Over the document and the bytes of the media that it shows. */
  readonly token: string;
  readonly translations: readonly Key[];
  /** A category that others name and no document describes. */
  readonly hasNoDocument: boolean;
  /**
   * What beside its document can't be used, though it knows more of it than the document; null:
   * nothing.
   */
  readonly unusableSidecar: string | null;
  /** Guides: whether it is public, where that is known; null: documents don't say. */
  readonly public: boolean | null;
}

export interface DocumentIndex {
  readonly items: ReadonlyMap<Key, IndexedItem>;
  /** What no item tells of itself, by the item that it is about. */
  readonly issues: ReadonlyMap<Key, readonly Issue[]>;
  /**
   * Documents that could not be read: what is wrong, by the key that their item has or would have.
   */
  readonly failures: ReadonlyMap<Key, string>;
  /** Items that no document describes any more, and that stay as they were read before. */
  readonly kept: ReadonlyMap<Key, ItemEntry>;
  /** What is lost and belongs to no item: files beside documents that can't be used. */
  readonly remarks: readonly string[];
}

interface Parts {
  readonly files: Files;
  readonly format: Format;
  readonly spool: ItemSpool;
}

/**
 * Reads a package from end to end, a document at a time, and lays its items into the spool. Throws
 * what `files` throws.
 */
export async function indexDocuments({ files, format, spool }: Parts, signal: AbortSignal): Promise<DocumentIndex> {
  const items = new Map<Key, IndexedItem>();
  const told: Issue[] = [];
  const news: Issue[] = [];
  const contents = new ContentDigests(files);
  for await (const item of format.read(files, (issue) => void news.push(issue))) {
    signal.throwIfAborted();
    const unusableSidecar = news.find((issue) => isUnusable(issue) && !isAlone(issue))?.message ?? null;
    // What an item tells of itself comes with it.
    told.push(...news.splice(0).filter(({ level, key }) => level === "error" || key !== item.key));
    items.set(item.key, { ...(await entryOf(item, await spool.add(item), contents)), unusableSidecar });
  }
  told.push(...news);
  const failures = told.filter((issue) => (issue.level === "error" || isAlone(issue)) && !items.has(issue.key));
  return {
    items,
    issues: byKey(told.filter(({ key, level }) => level !== "note" && items.has(key))),
    failures: new Map(
      [...byKey(failures)].map(([key, issues]) => [key, issues.map(({ message }) => message).join("\n")]),
    ),
    kept: new Map(),
    remarks: told.flatMap((issue) =>
      issue.level === "loss" && !items.has(issue.key) && !isAlone(issue) ? [issue.message] : [],
    ),
  };
}

function isUnusable({ code }: Issue): boolean {
  return code === "sidecar-unusable";
}

/** An item that has no document is in its sidecar, and fails with it. */
function isAlone(issue: Issue): boolean {
  return isUnusable(issue) && isOwnSidecar(restOf(issue.key));
}

/** Is it a page that stands for a category which others name and no document describes? */
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
      // An item that went through a site has the site's answer beside it, one that only ever was a
      // document has that.
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

/**
 * A picture that was exchanged under its name is a change of what shows it: media are looked for
 * with their items only.
 */
async function tokenOf({ revision, body, media }: Item, contents: ContentDigests): Promise<string> {
  const used: string[] = [];
  for (const { url } of media) used.push(url === null ? "" : await contents.of(url));
  // The body too: an item that a site once gave its revision may have been changed in the package.
  return digest([revision, body, used]);
}

/** Digests of the files in a package, each made once; what lies elsewhere goes by its address. */
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
      // What is wrong with it is told when it is fetched.
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

/**
 * Items in a file, one behind the other: a format gives them in its own order, a source is asked
 * for them in another, and all of them are too many for the memory. The file goes away with the
 * run.
 */
export class ItemSpool {
  readonly #handle: FileHandle;
  readonly #path: string;
  #end = 0;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** `folder`: one whose content nobody keeps; made when it is not there. */
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
      if (bytesRead === 0) throw new FerryError(`${this.#path} was cut while it was in use.`);
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
    `Items of the documents could not be kept in ${path}: ${reason}. Make room there or check the disk, then run the same command again.`,
    { cause, exitCode: EXIT.stopped },
  );
}
