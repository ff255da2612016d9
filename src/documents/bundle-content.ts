import type { MediaLookup } from "../../transforms/omanual/write/bundle/survey.js";
import type { Transform } from "../core/contracts.js";
import type { Issue } from "../core/model/issue.js";
import type { Item } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import type { Control } from "../sync/control.js";
import { halt } from "../sync/halt.js";
import { TRANSFORMED } from "../sync/outlook.js";
import { transformed } from "../sync/transformed.js";

/** What bundles are made of. */
export interface BundleParts {
  readonly workspace: Workspace;
  /** In their order. */
  readonly transforms: readonly Transform[];
  /** The selection; default everything in the workspace. */
  readonly selected?: ReadonlySet<Key>;
  readonly control: Control;
}

/** The items of one bundle. */
export interface BundleContent {
  /** Categories, pages and guides, each time the same ones in the same order. */
  readonly items: AsyncIterable<Item>;
  /** A medium by its key, from wherever in the workspace. */
  readonly media: MediaLookup;
}

/** Which of the items, by the keys in the workspace and by what the transforms made of them. Default: all. */
export interface BundleShare {
  readonly keys: ReadonlySet<Key>;
  takes(item: Item): boolean;
}

/**
 * What of a workspace goes into a bundle: everything chosen that is present at the source, on its way through the transforms.
 * Records stay in the workspace, as in a load; media go with what uses them. One item is in memory at a time.
 */
export function bundleContent(parts: BundleParts, share?: BundleShare): BundleContent {
  async function* items(): AsyncGenerator<Item> {
    for await (const { made } of chosenItems(parts, share?.keys))
      yield* share === undefined ? made : made.filter((item) => share.takes(item));
  }
  return { items: { [Symbol.asyncIterator]: items }, media: mediaOf(parts.workspace) };
}

/** An item of the workspace, and what the transforms made of it. */
export interface ChosenItem {
  readonly key: Key;
  readonly made: readonly Item[];
  /** What they told, and what the item tells of itself. */
  readonly issues: readonly Issue[];
}

/** Throws StoppedError when the run was asked to stop. */
export async function* chosenItems(
  { workspace: { items }, transforms, selected, control }: BundleParts,
  keys?: ReadonlySet<Key>,
): AsyncGenerator<ChosenItem> {
  for (const kind of TRANSFORMED) {
    for (const { key, state } of items.entries(kind)) {
      if (state === "gone" || selected?.has(key) === false || keys?.has(key) === false) continue;
      halt(control);
      const item = await items.get(key);
      if (item === undefined) continue;
      const { items: made, issues } = transformed(item, transforms);
      yield { key, made, issues: [...item.issues, ...issues] };
    }
  }
}

function mediaOf({ items }: Workspace): MediaLookup {
  return async (key) => {
    const item = await items.get(key);
    return item?.kind === "image" || item?.kind === "video" || item?.kind === "document" ? item : undefined;
  };
}
