import type { Files } from "../../../../src/core/formats.js";
import type { Issue, Report } from "../../../../src/core/model/issue.js";
import type { Item } from "../../../../src/core/model/item.js";
import { type Key, kindOf } from "../../../../src/core/model/key.js";
import { readOmanual } from "../../format.js";
import type { ItemOptions } from "../../items/converting.js";
import { BundleSidecars, type FoundEntry } from "./bundle-sidecars.js";
import { bundledItem, bundledMedia } from "./bundled-item.js";
import { mergeItem } from "./merge-item.js";
import { documentOf } from "./read-document.js";

/**
 * The items of a package, those that guideferry wrote being whole again: where a document says what it said when it was
 * written, its item comes from the sidecar; where somebody changed it, the document decides, and the sidecar gives only
 * what the document can't say, with an Issue of level `note`. Packages without sidecars are read as `readOmanual` reads them.
 *
 * Items from a sidecar equal those that went in, but for the addresses that bytes are fetched from, which are of the package, and
 * for the contents of media, which are not stored yet. Throws what `files` throws.
 */
export async function* readBundle(files: Files, report: Report, options: ItemOptions = {}): AsyncIterable<Item> {
  const sidecars = new BundleSidecars(files, report);
  if (!sidecars.exist) return yield* readOmanual(files, report, options);
  const waiting: Issue[] = [];
  const given = new Set<Key>();
  const replaced = new Set<Key>();
  for await (const item of readOmanual(files, (issue) => void waiting.push(issue), options)) {
    const found = await entryOf(item, sidecars);
    const issues = waiting.splice(0);
    if (found === undefined || given.has(found.entry.item.key)) {
      for (const issue of issues) report(issue);
      if (replaced.has(item.key) || given.has(item.key)) continue;
      given.add(item.key);
      yield item;
      continue;
    }
    const merged = await mergeItem({ read: item, found, sidecars, options });
    // What is odd about a document that is not used says nothing.
    for (const issue of [...(merged.changed ? issues : issues.filter(({ key }) => key !== item.key)), ...merged.issues])
      report(issue.key === item.key ? { ...issue, key: merged.item.key } : issue);
    for (const key of merged.replaced) replaced.add(key);
    yield* withMedia(merged.item, found, given);
  }
  for (const issue of waiting) report(issue);
  for await (const found of sidecars.others()) {
    if (!given.has(found.entry.item.key)) yield* withMedia(bundledItem(found), found, given);
  }
}

/** Each medium once, and after it was needed first. */
function* withMedia(item: Item, found: FoundEntry, given: Set<Key>): Iterable<Item> {
  given.add(item.key);
  yield item;
  for (const medium of bundledMedia(found)) {
    if (given.has(medium.key)) continue;
    given.add(medium.key);
    yield medium;
  }
}

/** The entry of the document that an item was read from. */
async function entryOf(item: Item, sidecars: BundleSidecars): Promise<FoundEntry | undefined> {
  if (item.kind !== "guide" && item.kind !== "category") return undefined;
  const document = documentOf(item);
  const found = document === undefined ? undefined : await sidecars.entryOf(document.path);
  return found !== undefined && kindOf(found.entry.item.key) === item.kind ? found : undefined;
}
