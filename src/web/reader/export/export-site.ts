import { diskError } from "../../../storage/archive/disk-error.js";
import type { Lock } from "../../../storage/workspace/lock.js";
import type { Library, Shelf } from "../library.js";
import type { RenderPage } from "../render.js";
import { exportAssets } from "./export-assets.js";
import { ExportFolder, type FolderFacts } from "./export-folder.js";
import type { ExportFailure } from "./export-media.js";
import { type ExportProgress, exportTime } from "./export-time.js";
import { holdFolder } from "./hold-folder.js";
import { libraryOf } from "./library-of.js";
import { removeTimes } from "./times-folder.js";

/** What is exported, and where to. */
export interface SiteExport {
  readonly library: Library;
  readonly shelf: Shelf;
  readonly render: RenderPage;
  /** The folder: new, empty, or an earlier export of the same site. */
  readonly path: string;
  /** Ends the export; the same call goes on. */
  readonly signal: AbortSignal;
  readonly progress: ExportProgress;
}

export interface ExportedSite extends FolderFacts {
  readonly pages: number;
  /** What could not be read; its page says so. */
  readonly failures: readonly ExportFailure[];
}

/**
 * Writes the pages of one time, with their media and the index of the search, as files whose links are relative. Throws UsageError for a folder that holds something else,
 * ArchiveError when the disk fails or another export writes there, what the library throws, and the signal's reason.
 */
export async function exportSite(parts: SiteExport): Promise<ExportedSite> {
  const { shelf, path } = parts;
  let lock: Lock | undefined;
  try {
    lock = await holdFolder(path, shelf.site.origin);
    const folder = await ExportFolder.open(path, { site: shelf.site.origin, time: shelf.facts.id });
    try {
      return await fill(folder, parts);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw diskError(error, `writing ${path}`);
  } finally {
    lock?.release();
  }
}

async function fill(folder: ExportFolder, parts: SiteExport): Promise<ExportedSite> {
  const { library, shelf, path } = parts;
  const alone = libraryOf(library, [shelf.facts], async () => shelf);
  const { pages, failures } = await exportTime({ ...parts, library: alone, folder, mediaFolder: folder });
  await exportAssets(folder);
  const removed = await removeTimes(path, shelf.site.origin, new Set());
  await folder.finish();
  return { ...folder.facts, removed: folder.facts.removed + removed, pages: pages.size, failures };
}
