import type { SiteIdentity, Transform, TransformContext } from "../core/contracts.js";
import type { Key } from "../core/model/key.js";
import type { ItemReader } from "../storage/workspace/item-store.js";

/** The user's transforms in their order, told what they may ask about the workspace. */
export function composeTransforms(
  chosen: readonly ((context: TransformContext) => Transform)[],
  source: SiteIdentity,
  items: ItemReader,
  lineLength?: () => number,
): readonly Transform[] {
  const titleOf = (key: Key): string | undefined => {
    const entry = items.entry(key);
    return entry?.state === "present" ? entry.title : undefined;
  };
  return chosen.map((make) => make({ source, titleOf, ...(lineLength === undefined ? {} : { lineLength }) }));
}
