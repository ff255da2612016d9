import type { ItemRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import type { RowChange } from "../../storage/repository/read/changed-rows.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import { itemBytes } from "../../storage/repository/read/item-bytes.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { itemSchema } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import { withBytes } from "./standing.js";

const WITH_BYTES: ReadonlySet<ItemKind> = new Set(["image", "video", "document"]);

/**
 * Which images, videos and documents have the bytes of these media; `wanted`: sha256, and a snapshot that names it. Reads the items
 * of the snapshots that are named, of each but the first those alone that are other in it.
 */
export async function nameMedia(
  repository: OpenRepository,
  wanted: ReadonlyMap<string, SnapshotId>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Key[]>> {
  const found = new Map<string, Key[]>();
  const holders = new Map<Key, string>();
  let before: SnapshotId | null = null;
  for (const snapshot of [...new Set(wanted.values())].toSorted()) {
    try {
      for await (const change of repository.changedItems(snapshot, before)) {
        signal.throwIfAborted();
        await follow(repository, change, wanted, holders);
      }
      before = snapshot;
    } catch (error) {
      // It was told already that this snapshot can't be read to its end.
      if (!isDamage(error)) throw error;
      before = null;
    }
    for (const [key, sha256] of holders) if (wanted.get(sha256) === snapshot) add(found, sha256, key);
    if (before === null) holders.clear();
  }
  return found;
}

/** Which items have wanted bytes now. */
async function follow(
  repository: OpenRepository,
  change: RowChange<ItemRow>,
  wanted: ReadonlyMap<string, SnapshotId>,
  holders: Map<Key, string>,
): Promise<void> {
  const [before, after] = [withBytes(change.before), withBytes(change.after)];
  if (before !== undefined && before.sha256 === after?.sha256) return;
  if (before !== undefined) holders.delete(before.key);
  if (after === undefined || !WITH_BYTES.has(after.kind)) return;
  const sha256 = await contentOf(repository, after);
  if (sha256 !== undefined && wanted.has(sha256)) holders.set(after.key, sha256);
}

function add(found: Map<string, Key[]>, sha256: string, key: Key): void {
  found.set(sha256, [...(found.get(sha256) ?? []), key].toSorted());
}

async function contentOf(repository: OpenRepository, row: PresentRow): Promise<string | undefined> {
  try {
    const item = itemSchema.safeParse(JSON.parse((await itemBytes(repository, row)).toString("utf8")));
    return item.success && "content" in item.data.body ? item.data.body.content?.sha256 : undefined;
  } catch (error) {
    if (isDamage(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
