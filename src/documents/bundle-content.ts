import { categoryFolder, Names } from "../../transforms/omanual/write/names.js";
import type { MediaLookup } from "../../transforms/omanual/write/write-bundle.js";
import type { Transform } from "../core/formats.js";
import type { Issue } from "../core/model/issue.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import { type Control, throwIfStopped } from "../sync/control.js";
import { TRANSFORMED, transformed } from "../sync/load/transform-preview.js";
import { storedMedia } from "../sync/stored-media.js";

export interface BundleParts {
  readonly workspace: Workspace;
  readonly transforms: readonly Transform[];
  /** The selection; default everything in the workspace. */
  readonly selected?: ReadonlySet<Key>;
  readonly control: Control;
}

export interface BundleContent {
  /** Categories, pages and guides; each iteration gives the same ones in the same order. */
  readonly items: AsyncIterable<Item>;
  readonly media: MediaLookup;
}

/** The items of one bundle: by their keys in the workspace, and by the result of the transforms. */
interface BundleShare {
  readonly keys: ReadonlySet<Key>;
  takes(item: Item): boolean;
}

/**
 * The content of a bundle: the chosen items that are present at the source, after the transforms.
 * Has no records, as a load; media come with the items that use them. Holds one item in memory.
 *
 * @param share default: all items
 */
export function bundleContent(parts: BundleParts, share?: BundleShare): BundleContent {
  async function* items(): AsyncGenerator<Item> {
    for await (const { made } of chosenItems(parts, share?.keys))
      yield* share === undefined ? made : made.filter((item) => share.takes(item));
  }
  return { items: { [Symbol.asyncIterator]: items }, media: mediaOf(parts.workspace) };
}

interface ChosenItem {
  readonly key: Key;
  readonly made: readonly Item[];
  readonly issues: readonly Issue[];
}

async function* chosenItems(
  { workspace: { items }, transforms, selected, control }: BundleParts,
  keys?: ReadonlySet<Key>,
): AsyncGenerator<ChosenItem> {
  for (const kind of TRANSFORMED) {
    for (const { key, state } of items.entries(kind)) {
      if (state === "gone" || selected?.has(key) === false || keys?.has(key) === false) continue;
      throwIfStopped(control);
      const item = await items.get(key);
      if (item === undefined) continue;
      const { items: made, issues } = transformed(item, transforms);
      yield { key, made, issues: [...item.issues, ...issues] };
    }
  }
}

function mediaOf(workspace: Workspace): MediaLookup {
  return (key) => storedMedia(workspace, key);
}

export interface PlannedBundle {
  /** The file name without its ending; valid on every file system. */
  readonly name: string;
  readonly content: BundleContent;
}

interface SplitContent {
  readonly items: number;
  readonly split: readonly PlannedBundle[];
}

const OTHERS = "other";

/**
 * Runs the transforms once over all items and reports their issues. Each category gets a bundle
 * with its page, the pages above it and its guides; one bundle has the items without a category.
 */
export async function splitContent(parts: BundleParts, report: (issue: Issue) => void): Promise<SplitContent> {
  const shares = new Map<string, Set<Key>>();
  const categories = new Map<string, Above>();
  let items = 0;
  for await (const { key, made, issues } of chosenItems(parts)) {
    for (const issue of issues) report(issue);
    items += made.length;
    for (const item of made) {
      const category = categoryOf(item);
      shares.set(category, (shares.get(category) ?? new Set<Key>()).add(key));
      if (item.kind === "category") categories.set(item.body.title, { key, parent: item.body.parent });
    }
  }
  const names = new Names([OTHERS]);
  const categoryTitles = [...shares].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const split = categoryTitles.map(([category, own]) => {
    const above = aboveOf(category, categories);
    const takes = (item: Item): boolean =>
      categoryOf(item) === category || (item.kind === "category" && above.has(item.body.title));
    const keys = new Set([...own, ...above.values()]);
    const name = category === "" ? OTHERS : categoryFolder(category, names);
    return { name, content: bundleContent(parts, { keys, takes }) };
  });
  return { items, split };
}

interface Above {
  readonly key: Key;
  readonly parent: string | null;
}

/** The categories above one, by title; a site would create empty pages for missing ones. */
function aboveOf(title: string, categories: ReadonlyMap<string, Above>): ReadonlyMap<string, Key> {
  const above = new Map<string, Key>();
  let parent = categories.get(title)?.parent ?? null;
  while (parent !== null && !above.has(parent)) {
    const found = categories.get(parent);
    if (found === undefined) break;
    above.set(parent, found.key);
    parent = found.parent;
  }
  return above;
}

function categoryOf({ kind, body }: Item): string {
  if (kind === "category") return body.title;
  return kind === "guide" ? body.category : "";
}
