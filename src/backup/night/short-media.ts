import { open } from "node:fs/promises";
import { isDamage } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { UsageError } from "../../core/errors.js";
import type { Content } from "../../core/model/media.js";
import type { ItemEntry } from "../../storage/workspace/item-index.js";
import { readCutFormat } from "../../storage/workspace/media-end.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { readStored } from "../../sync/extract-stored.js";
import { isMediaKind } from "./content-in.js";

/**
 * Looks once at the ends of the media that came before ends were looked at on arrival: those that stop before the end of their format lose their token,
 * so that whatever shows them has them fetched again. Returns how many. Where archives are encrypted and no key was given it is done in a later night.
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

async function contentOf({ items }: Workspace, { key }: ItemEntry): Promise<Content | null> {
  const item = await readStored(items, key);
  return item !== undefined && "content" in item.body ? item.body.content : null;
}

/** Damaged bytes are found and fetched again elsewhere. */
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
