import { FerryError } from "../errors.js";
import type { Files } from "../formats.js";
import type { Extent } from "./check-headers.js";
import { openContent } from "./content.js";
import { diskError } from "./disk-error.js";
import type { Finding } from "./finding-list.js";
import { type InspectOptions, inspectFile } from "./inspect.js";
import { inOrder } from "./order.js";
import { refusal } from "./refusal.js";
import { openFile } from "./with-archive.js";

/** Files that hold something open. */
export interface OpenFiles extends Files {
  /** Warnings; errors would have refused it. */
  readonly findings: readonly Finding[];
  /** Paths of folders, also of those without a file, in the same form and order as `paths`. */
  readonly folders: readonly string[];
  /** Ends what is open; streams that still run fail. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens a zip archive that passes the guard. Its contents are streamed, one by one or side by side, and never whole in memory.
 * Throws ArchiveError with all findings when it is refused, and when the file can't be read.
 */
export async function openArchive(path: string, options: InspectOptions = {}): Promise<OpenFiles> {
  const { handle, bytes } = await openFile(path);
  try {
    const inspection = await inspectFile(handle, bytes, options);
    if (inspection.isRefused) throw refusal(path, inspection);
    const { entries, extents, findings, file } = inspection;
    const shown = extents.filter(({ entry }) => !entry.isFolder && !entry.isJunk);
    const byPath = new Map(shown.map((extent) => [extent.entry.path, extent]));
    const folders = entries.filter(({ isFolder, isJunk }) => isFolder && !isJunk).map((entry) => entry.path);
    return {
      name: path,
      findings,
      paths: inOrder(byPath.keys()),
      folders: inOrder(folders),
      size: (wanted) => find(byPath, wanted, path).entry.size,
      open: async (wanted) => openContent(file, find(byPath, wanted, path), path),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw diskError(error, `reading ${path}`);
  }
}

function find(byPath: ReadonlyMap<string, Extent>, wanted: string, archive: string): Extent {
  const extent = byPath.get(wanted);
  if (extent === undefined) throw new FerryError(`${archive} has no file "${wanted}"; only its paths can be opened.`);
  return extent;
}
