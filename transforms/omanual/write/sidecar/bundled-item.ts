import type { Item, MediaItem } from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import { bundleAddress } from "../../items/bundle-address.js";
import type { FoundEntry } from "./bundle-sidecars.js";

/** The addresses of an entry's media in the package. */
export function addressesOf({ entry, folder }: FoundEntry): ReadonlyMap<Key, string> {
  return new Map(
    entry.media.flatMap(({ file, item }) => (file === null ? [] : [[item.key, bundleAddress(folder + file)] as const])),
  );
}

/** The item of an entry, its media being fetched from the package. */
export function bundledItem(found: FoundEntry): Item {
  const addresses = addressesOf(found);
  const { item } = found.entry;
  const media = item.media.map((use) => ({ ...use, url: addresses.get(use.key) ?? use.url }));
  const own = addresses.get(item.key);
  if (item.kind !== "image" && item.kind !== "video" && item.kind !== "document") return { ...item, media };
  return { ...item, body: { ...item.body, url: own ?? item.body.url, content: null } };
}

/** The media of an entry, without their contents: nobody has stored them yet. */
export function bundledMedia(found: FoundEntry): readonly MediaItem[] {
  const addresses = addressesOf(found);
  return found.entry.media.map(({ item }) => ({
    ...item,
    // What the package has not is no need of a medium that it has.
    media: item.media.map((use) => ({ ...use, url: addresses.get(use.key) ?? null })),
    body: { ...item.body, url: addresses.get(item.key) ?? item.body.url, content: null },
  }));
}
