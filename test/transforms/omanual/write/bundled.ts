import type { Issue } from "../../../../src/core/model/issue.js";
import type { Item, MediaItem } from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import { readBundle } from "../../../../transforms/omanual/write/read-bundle.js";
import { type BundleOptions, writeBundle } from "../../../../transforms/omanual/write/write-bundle.js";
import { memoryFiles } from "../memory-files.js";

/** What goes through a bundle in memory, and what is told of on the way. */
export interface Bundled {
  /** By path; media as their hashes. */
  readonly files: Readonly<Record<string, string>>;
  readonly issues: readonly Issue[];
}

/** Items that can be gone through again and again. */
export function iterable(items: readonly Item[]): AsyncIterable<Item> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* items;
    },
  };
}

export async function bundle(items: readonly Item[], options: BundleOptions = {}): Promise<Bundled> {
  const issues: Issue[] = [];
  const files: Record<string, string> = {};
  const written = writeBundle(iterable(items), lookup(items), (issue) => void issues.push(issue), options);
  for await (const { path, content } of written) {
    if (files[path] !== undefined) throw new Error(`${path} is written twice.`);
    files[path] = typeof content === "string" ? content : content.media;
  }
  return { files, issues };
}

function lookup(items: readonly Item[]): (key: Key) => Promise<MediaItem | undefined> {
  const media = new Map(items.map((item) => [item.key, item]));
  return async (key) => {
    const found = media.get(key);
    return found?.kind === "image" || found?.kind === "video" || found?.kind === "document" ? found : undefined;
  };
}

export interface Unbundled {
  readonly items: readonly Item[];
  readonly issues: readonly Issue[];
}

export async function unbundle(files: Readonly<Record<string, string>>): Promise<Unbundled> {
  const issues: Issue[] = [];
  const items: Item[] = [];
  for await (const item of readBundle(memoryFiles(files), (issue) => void issues.push(issue))) items.push(item);
  return { items, issues };
}

/**
 * An item without what reading a bundle is meant to change: the addresses that bytes come from, and
 * that they are stored.
 */
export function withoutPlaces(item: Item): Item {
  const media = item.media.map((use) => ({ ...use, url: null }));
  if (item.kind !== "image" && item.kind !== "video" && item.kind !== "document") return { ...item, media };
  return { ...item, media, body: { ...item.body, url: "", content: null } };
}

export function byKey(items: readonly Item[]): readonly Item[] {
  return items.map(withoutPlaces).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
