import { EXIT, FerryError } from "../../core/errors.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { contentIn, isMediaKind } from "./content-in.js";

const MEDIA: readonly ItemKind[] = ["image", "video", "document"];

/**
 * Of media whose bytes are nowhere, those that no item shows any more count as gone: the site can't be asked for them, and as failures they would
 * make every later night incomplete. To be called when everything was read. Reads every item when any bytes are missing. Returns how many; 0
 * also when an item can't be read, since nobody knows what it shows.
 */
export async function forgetUnused(workspace: Workspace): Promise<number> {
  const { items, failures } = workspace;
  const unused = await unusedMedia(workspace);
  if (unused.size === 0) return 0;
  items.beginListing(MEDIA);
  for (const kind of MEDIA) {
    for (const entry of items.entries(kind))
      if (entry.state === "present" && !unused.has(entry.key)) items.listed(entry);
  }
  items.endListing();
  for (const key of unused) failures.clear("media", key);
  return unused.size;
}

async function unusedMedia(workspace: Workspace): Promise<ReadonlySet<Key>> {
  try {
    const unused = await lostMedia(workspace);
    if (unused.size > 0) for (const key of await shownMedia(workspace)) unused.delete(key);
    return unused;
  } catch (error) {
    // It is told as a failure when it is packed, and read from the site the next time.
    if (error instanceof FerryError && error.exitCode === EXIT.someFailed) return new Set();
    throw error;
  }
}

async function lostMedia({ items, archived, media }: Workspace): Promise<Set<Key>> {
  const lost = new Set<Key>();
  for (const kind of MEDIA) {
    for (const { key, state } of items.entries(kind)) {
      if (state !== "present") continue;
      const sha256 = archived.item(key)?.content ?? contentIn(await items.file(key))?.sha256;
      if (sha256 !== undefined && archived.medium(sha256) === undefined && !media.isHere(sha256)) lost.add(key);
    }
  }
  return lost;
}

async function shownMedia({ items }: Workspace): Promise<ReadonlySet<Key>> {
  const shown = new Set<Key>();
  for (const { key, kind, state } of items.entries()) {
    const item = state === "present" && !isMediaKind(kind) ? await items.get(key) : undefined;
    for (const use of item?.media ?? []) shown.add(use.key);
  }
  // A set that grows while it is read gives what was added too: media that media need, as the poster of a video.
  for (const key of shown) {
    const item = items.entry(key)?.state === "present" ? await items.get(key) : undefined;
    for (const use of item?.media ?? []) shown.add(use.key);
  }
  return shown;
}
