import { buffer } from "node:stream/consumers";
import type { PresentRow, SnapshotId } from "../../../archive/repository/format.js";
import { isDamage } from "../../../archive/repository/read/damage.js";
import type { OpenRepository } from "../../../archive/repository/read/open-repository.js";
import { itemSchema } from "../../../model/item.js";
import type { ItemKind, Key } from "../../../model/key.js";
import { isPresent } from "./hit-list.js";

const WITH_BYTES: ReadonlySet<ItemKind> = new Set(["image", "video", "document"]);

/**
 * Which images, videos and documents have the bytes of these media; `wanted`: sha256, and a snapshot that names it. Reads the items
 * of the snapshots that are named, so it is for the rare case that something is damaged.
 */
export async function nameMedia(
  repository: OpenRepository,
  wanted: ReadonlyMap<string, SnapshotId>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Key[]>> {
  const found = new Map<string, Key[]>();
  for (const snapshot of new Set(wanted.values())) {
    try {
      for await (const row of repository.items(snapshot)) {
        signal.throwIfAborted();
        if (!isPresent(row) || !WITH_BYTES.has(row.kind)) continue;
        const sha256 = await contentOf(repository, row);
        if (sha256 !== undefined && wanted.get(sha256) === snapshot) add(found, sha256, row.key);
      }
    } catch (error) {
      // It was told already that this snapshot can't be read to its end.
      if (!isDamage(error)) throw error;
    }
  }
  return found;
}

function add(found: Map<string, Key[]>, sha256: string, key: Key): void {
  const keys = found.get(sha256) ?? [];
  if (!keys.includes(key)) keys.push(key);
  found.set(sha256, keys);
}

async function contentOf(repository: OpenRepository, row: PresentRow): Promise<string | undefined> {
  try {
    const item = itemSchema.safeParse(JSON.parse((await buffer(await repository.open(row))).toString("utf8")));
    return item.success && "content" in item.data.body ? item.data.body.content?.sha256 : undefined;
  } catch (error) {
    if (isDamage(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
