import type { MediaRow, SnapshotId } from "../../../archive/repository/format.js";
import { isDamage } from "../../../archive/repository/read/damage.js";
import { itemBytes } from "../../../archive/repository/read/item-bytes.js";
import type { OpenRepository } from "../../../archive/repository/read/open-repository.js";
import { itemSchema } from "../../../model/item.js";
import type { Key } from "../../../model/key.js";
import { readCutFormat } from "../../../workspace/media-end.js";
import { nameMedia } from "./name-media.js";
import type { ShortMedium } from "./repository-check.js";

/**
 * The media of the youngest snapshot whose bytes are as they came, and stop before the end of their format. Reads the beginnings and ends of
 * contents, and all of the few that are suspicious. Bytes that can't be read are left to the check of contents.
 *
 * @param isChecked of a content: does it have its turn?
 */
export async function findShortMedia(
  repository: OpenRepository,
  isChecked: (sha256: string) => boolean,
  signal: AbortSignal,
): Promise<readonly ShortMedium[]> {
  const snapshot = repository.snapshots().at(-1)?.snapshot;
  if (snapshot === undefined) return [];
  const formats = new Map<string, string>();
  await unlessDamaged(async () => {
    for await (const rows of repository.mediaBatches(snapshot)) {
      for (const row of rows) {
        signal.throwIfAborted();
        const format = isChecked(row.sha256) ? await cutFormatOf(repository, row) : undefined;
        if (format !== undefined) formats.set(row.sha256, format);
      }
    }
  });
  if (formats.size === 0) return [];
  const names = await nameMedia(repository, new Map([...formats.keys()].map((sha256) => [sha256, snapshot])), signal);
  const found: ShortMedium[] = [];
  for (const [sha256, format] of formats) {
    const items = names.get(sha256) ?? [];
    found.push({ sha256, format, items, confirmed: await isConfirmed(repository, snapshot, items) });
  }
  return found;
}

function cutFormatOf(repository: OpenRepository, row: MediaRow): Promise<string | undefined> {
  return unlessDamaged(() => readCutFormat(row.size, (start, end) => repository.readPart(row, { start, end })));
}

/** Does one of the items say that the site itself has it so? */
async function isConfirmed(repository: OpenRepository, snapshot: SnapshotId, items: readonly Key[]): Promise<boolean> {
  for (const key of items) {
    const row = await repository.item(snapshot, key);
    if (row === undefined || row.state === "deleted") continue;
    const item = itemSchema.safeParse(JSON.parse((await itemBytes(repository, row)).toString("utf8")));
    if (item.success && "content" in item.data.body && item.data.body.content?.endsEarly === "confirmed") return true;
  }
  return false;
}

async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
