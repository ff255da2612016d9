import { createHash } from "node:crypto";
import { pathOfAddress } from "../../transforms/omanual/items/bundle-address.js";
import { readBundle } from "../../transforms/omanual/write/sidecar/read-bundle.js";
import { openArchive } from "../storage/archive/open-archive.js";
import type { Files } from "../core/formats.js";
import type { Item, MediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { digest } from "../core/util/digest.js";
import type { BundleContent } from "./bundle-content.js";

/** How an item of a bundle is not what it should be. */
export interface BundleDifference {
  readonly key: Key;
  /** `missing`: not in the bundle; `unexpected`: only there; `changed`: it says something else; `bytes`: a medium has other ones. */
  readonly what: "missing" | "unexpected" | "changed" | "bytes";
}

/** What a bundle was found to be. */
export interface BundleVerification {
  /** Items compared, media too. */
  readonly items: number;
  readonly differences: readonly BundleDifference[];
}

/**
 * Reads a bundle back and compares each item with what should be there, whole, and the bytes of media too. Some hundred bytes an item
 * are in memory. Throws ArchiveError when the bundle is refused or can't be read.
 */
export async function verifyBundleFile(
  path: string,
  content: BundleContent,
  signal: AbortSignal,
): Promise<BundleVerification> {
  const { digests: expected, named } = await digestsOf(content);
  const files = await openArchive(path);
  const paths = new Set(files.paths);
  const differences: BundleDifference[] = [];
  const found = new Set<Key>();
  try {
    for await (const item of readBundle(files, () => undefined)) {
      signal.throwIfAborted();
      found.add(item.key);
      if (item.kind === "category" && named.has(item.body.title) && !expected.has(item.key)) continue;
      const what = await differenceOf(item, expected.get(item.key), content, { files, paths });
      if (what !== undefined) differences.push({ key: item.key, what });
    }
  } finally {
    await files.close();
  }
  for (const key of expected.keys()) if (!found.has(key)) differences.push({ key, what: "missing" });
  return { items: expected.size, differences };
}

/** A bundle that isn't there: nothing of it is. */
export async function missingBundle(content: BundleContent): Promise<BundleVerification> {
  const { digests } = await digestsOf(content);
  return { items: digests.size, differences: [...digests.keys()].map((key) => ({ key, what: "missing" })) };
}

interface Expected {
  readonly digests: ReadonlyMap<Key, string>;
  /** Titles of categories that items name: readers make an empty page of one that has no document. */
  readonly named: ReadonlySet<string>;
}

async function digestsOf({ items, media }: BundleContent): Promise<Expected> {
  const digests = new Map<Key, string>();
  const named = new Set<string>();
  for await (const item of items) {
    digests.set(item.key, digest(withoutPlaces(item)));
    if (item.kind === "guide") named.add(item.body.category);
    if (item.kind === "category" && item.body.parent !== null) named.add(item.body.parent);
    // The set grows while it is read: the poster of a video goes with it.
    const wanted = new Set(item.media.map(({ key }) => key));
    for (const key of wanted) {
      const medium = digests.has(key) ? undefined : await media(key);
      if (medium === undefined) continue;
      digests.set(key, digest(withoutPlaces(medium)));
      if (medium.body.poster !== undefined) wanted.add(medium.body.poster);
    }
  }
  return { digests, named };
}

interface OpenedBundle {
  readonly files: Files;
  readonly paths: ReadonlySet<string>;
}

async function differenceOf(
  item: Item,
  expected: string | undefined,
  { media }: BundleContent,
  opened: OpenedBundle,
): Promise<BundleDifference["what"] | undefined> {
  if (expected === undefined) return "unexpected";
  if (digest(withoutPlaces(item)) !== expected) return "changed";
  if (!isMedium(item)) return undefined;
  const stored = await media(item.key);
  if (stored?.body.content == null) return undefined;
  return (await contentOf(item, opened)) === stored.body.content.sha256 ? undefined : "bytes";
}

/** Where bytes are fetched from, and that they are stored, is another matter in a package. */
function withoutPlaces(item: Item): Item {
  const media = item.media.map((use) => ({ ...use, url: null }));
  return isMedium(item) ? { ...item, media, body: { ...item.body, url: "", content: null } } : { ...item, media };
}

function isMedium(item: Item): item is MediaItem {
  return item.kind === "image" || item.kind === "video" || item.kind === "document";
}

/** The hash of its bytes in the bundle; undefined: they are not there. */
async function contentOf({ body }: MediaItem, { files, paths }: OpenedBundle): Promise<string | undefined> {
  const path = pathOfAddress(body.url);
  if (path === undefined || !paths.has(path)) return undefined;
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) hash.update(piece);
  return hash.digest("hex");
}
