import type { MediaRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import { itemBytes } from "../../storage/repository/read/item-bytes.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { itemSchema } from "../../core/model/item.js";
import type { Key, Kind } from "../../core/model/key.js";
import type { Media } from "../../core/model/media.js";
import { readCutFormat } from "../../storage/workspace/media-end.js";
import { nameMedia } from "./name-media.js";
import type { ShortMedium } from "./repository-check.js";

/** Of what no format has an end that is looked at. Pictures are many, and almost all have one. */
const TOLD_KINDS: ReadonlySet<Kind> = new Set(["video", "document"]);

/**
 * The media of the youngest snapshot whose bytes are as they came, and stop before the end of their format or are fewer than the site told. Reads
 * the beginnings and ends of contents, all of the few that are suspicious, and the items of videos and documents. Bytes that can't be read are
 * left to the check of contents.
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
  const lacks = new Map<string, Lack>();
  await unlessDamaged(async () => {
    for await (const rows of repository.mediaBatches(snapshot)) {
      for (const row of rows) {
        signal.throwIfAborted();
        const format = isChecked(row.sha256) ? await cutFormatOf(repository, row) : undefined;
        if (format !== undefined) lacks.set(row.sha256, { format, toldSize: null });
      }
    }
  });
  await unlessDamaged(async () => {
    for await (const row of repository.items(snapshot)) {
      signal.throwIfAborted();
      if (row.state === "deleted" || !TOLD_KINDS.has(row.kind)) continue;
      const { content = null, toldSize = null } = (await unlessDamaged(() => mediaOf(repository, row))) ?? {};
      if (content === null || toldSize === null || content.size >= toldSize || !isChecked(content.sha256)) continue;
      if (!lacks.has(content.sha256)) lacks.set(content.sha256, { format: null, toldSize });
    }
  });
  if (lacks.size === 0) return [];
  const names = await nameMedia(repository, new Map([...lacks.keys()].map((sha256) => [sha256, snapshot])), signal);
  const found: ShortMedium[] = [];
  for (const [sha256, lack] of lacks) {
    const items = names.get(sha256) ?? [];
    found.push({ sha256, ...lack, items, confirmed: await isConfirmed(repository, snapshot, items) });
  }
  return found;
}

type Lack = Pick<ShortMedium, "format" | "toldSize">;

function cutFormatOf(repository: OpenRepository, row: MediaRow): Promise<string | undefined> {
  return unlessDamaged(() => readCutFormat(row.size, (start, end) => repository.readPart(row, { start, end })));
}

/** Does one of the items say that the site itself has it so? */
async function isConfirmed(repository: OpenRepository, snapshot: SnapshotId, items: readonly Key[]): Promise<boolean> {
  for (const key of items) {
    const row = await repository.item(snapshot, key);
    if (row === undefined || row.state === "deleted") continue;
    if ((await mediaOf(repository, row))?.content?.endsEarly === "confirmed") return true;
  }
  return false;
}

/** undefined: it is no media item. */
async function mediaOf(repository: OpenRepository, row: PresentRow): Promise<Media | undefined> {
  const item = itemSchema.safeParse(JSON.parse((await itemBytes(repository, row)).toString("utf8")));
  return item.success && "content" in item.data.body ? item.data.body : undefined;
}

async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
