import { open } from "node:fs/promises";
import type { Source } from "../core/contracts.js";
import { EXIT, FerryError, UsageError } from "../core/errors.js";
import type { Content } from "../core/model/item.js";
import type { Key } from "../core/model/key.js";
import { isMediaKind, MEDIA_KINDS } from "../core/model/key.js";
import { isDamage } from "../storage/repository/read/damage.js";
import type { OpenRepository } from "../storage/repository/read/open-repository.js";
import type { Failure } from "../storage/workspace/failure-list.js";
import { readCutFormat } from "../storage/workspace/incoming-file.js";
import type { ItemEntry } from "../storage/workspace/item-store.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import { readStored } from "../sync/extract/run.js";
import { contentIn } from "./learn-places.js";

/**
 * Marks media as deleted whose bytes are missing and which no item uses any more: the site no
 * longer gives them, and as failures they would make every later snapshot incomplete. Call it when
 * all items were read. Returns their number; 0 when an item can't be read, since it may use them.
 */
export async function forgetUnused(workspace: Workspace): Promise<number> {
  const { items, failures } = workspace;
  const unused = await unusedMedia(workspace);
  if (unused.size === 0) return 0;
  items.beginListing(MEDIA_KINDS);
  for (const kind of MEDIA_KINDS) {
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
    // Packing reports this item as a failure, and the next backup reads it from the site.
    if (error instanceof FerryError && error.exitCode === EXIT.someFailed) return new Set();
    throw error;
  }
}

async function lostMedia({ items, archived, media }: Workspace): Promise<Set<Key>> {
  const lost = new Set<Key>();
  for (const kind of MEDIA_KINDS) {
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
  // The loop also visits keys that it adds: media that media use, as the poster of a video.
  for (const key of shown) {
    const item = items.entry(key)?.state === "present" ? await items.get(key) : undefined;
    for (const use of item?.media ?? []) shown.add(use.key);
  }
  return shown;
}

/**
 * Checks once the ends of media that were fetched before `extract` checked them. Media that stop
 * before the end of their format lose their token and are fetched again with the items that use
 * them. Returns their number. Encrypted archives without a key: a later backup checks them.
 */
export async function forgetShortMedia(workspace: Workspace, repository: OpenRepository): Promise<number> {
  const { archived, items } = workspace;
  if (archived.endsChecked()) return 0;
  let short = 0;
  try {
    for (const entry of items.entries()) {
      if (entry.state !== "present" || !isMediaKind(entry.kind)) continue;
      const content = await contentOf(workspace, entry);
      if (content === null || content.endsEarly !== undefined || !(await isShort(workspace, repository, content)))
        continue;
      items.compared(entry.key, { revision: "", readAt: entry.readAt });
      short += 1;
    }
  } catch (error) {
    if (error instanceof UsageError) return short;
    throw error;
  }
  archived.noteEndsChecked();
  return short;
}

/** The content of a media item; null: it has none, or its file can't be read. */
export async function contentOf({ items }: Workspace, { key }: ItemEntry): Promise<Content | null> {
  const item = await readStored(items, key);
  return item !== undefined && "content" in item.body ? item.body.content : null;
}

/** false for damaged bytes, which `verify` and `repair` handle. */
async function isShort({ media, archived }: Workspace, repository: OpenRepository, content: Content): Promise<boolean> {
  const { sha256, size } = content;
  const place = archived.medium(sha256);
  try {
    if (media.isHere(sha256))
      return (await readCutFormat(size, (start, end) => partOfFile(media.path(sha256), start, end))) !== undefined;
    if (place === undefined) return false;
    const part = (start: number, end: number) => repository.readPart({ sha256, ...place }, { start, end });
    return (await readCutFormat(size, part)) !== undefined;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

async function partOfFile(path: string, start: number, end: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Is an item part of this snapshot? Personal data is only when this run requests it. */
export type IsWanted = (key: Key) => boolean;

export function wantedBy({ takes }: Pick<Source, "takes">): IsWanted {
  return (key) => takes?.(key) ?? true;
}

/**
 * Forgets the places of personal data that this backup does not take: its snapshot has no rows of
 * them, and no tombstones, since the site still has them. They stay in the workspace, and are
 * written again when a later backup requests them.
 */
export function dropPersonal({ items, archived }: Pick<Workspace, "items" | "archived">, isWanted: IsWanted): void {
  const left: Key[] = [];
  for (const { key } of items.entries("record")) if (!isWanted(key) && archived.item(key) !== undefined) left.push(key);
  for (const { key } of archived.tombstones("known")) if (!isWanted(key)) left.push(key);
  archived.forget(left);
}

/** Items that the snapshot lacks, or has only as an earlier backup read them. */
export function failuresOf({ failures }: Pick<Workspace, "failures">, isWanted: IsWanted): readonly Failure[] {
  return [...failures.list("extract"), ...failures.list("media")].filter(({ key }) => isWanted(key));
}
