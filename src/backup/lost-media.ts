import type { Ledger } from "../core/contracts.js";
import type { MediaItem } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import { storedMedia } from "../sync/media-facts.js";

const KINDS = ["image", "video", "document"] as const;

/** Media that were sent to a site with what uses them, and whose bytes are not among those that were extracted there again. */
export async function lostMedia(restored: Workspace, ledger: Ledger, again: Workspace): Promise<readonly Key[]> {
  const used = await usedMedia(restored, ledger);
  const lost: Key[] = [];
  for (const kind of KINDS) {
    for (const { key, state } of restored.items.entries(kind)) {
      if (state === "gone" || !used.has(key)) continue;
      const content = contentOf(await storedMedia(restored, key));
      if (content !== null && !again.media.has(content.sha256)) lost.push(key);
    }
  }
  return lost;
}

/** Only what something shows is found again by an extract. */
async function usedMedia({ items }: Workspace, ledger: Ledger): Promise<ReadonlySet<Key>> {
  const used = new Set<Key>();
  for (const kind of ["category", "wiki", "guide"] as const) {
    for (const { key, state } of items.entries(kind)) {
      const isThere = state === "present" && (await ledger.idOf(key)) !== undefined;
      const item = isThere ? await items.get(key) : undefined;
      for (const use of item?.media ?? []) if ((await ledger.idOf(use.key)) !== undefined) used.add(use.key);
    }
  }
  return used;
}

function contentOf(item: MediaItem | undefined): MediaItem["body"]["content"] {
  return item?.body.content ?? null;
}
