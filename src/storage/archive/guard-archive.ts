import { FerryError } from "../../core/errors.js";
import type { Extent } from "./check-headers.js";
import { openContent } from "./content.js";
import { diskError } from "./disk-error.js";
import type { Finding } from "./finding-list.js";
import { type InspectOptions, inspectFile, type ReadableInspection } from "./inspect.js";
import type { OpenFiles } from "./open-files.js";
import { inOrder } from "./order.js";
import { openFile } from "./with-archive.js";

/** An archive or a folder that the guard has looked at, whatever it found. */
export interface GuardedFiles {
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Findings beyond `limits.findings`. */
  readonly findingsLeft: number;
  /** Could its names be read to the end? false: some are missing in `names`. */
  readonly isWhole: boolean;
  /** Every file that could be read of by name, of a refused archive too: no folders, nothing that file managers leave. Not sorted. */
  readonly names: readonly { readonly path: string; readonly size: number }[];
  /** null: it is refused, and nothing of it may be used. */
  readonly files: OpenFiles | null;
  /** sha256 of the contents by path, in lower-case hexadecimal; empty unless `hashContents` asked for it, or where it is refused. */
  readonly digests: ReadonlyMap<string, string>;
  /** Bytes of the archive's file, or of all files of the folder. */
  readonly bytes: number;
  /** Ends what is open. May be called again. */
  close(): Promise<void>;
}

/** Looks at an archive once, and keeps it open when it passes. Throws ArchiveError only when the file can't be read at all. */
export async function guardArchive(path: string, options: InspectOptions = {}): Promise<GuardedFiles> {
  const { handle, bytes } = await openFile(path);
  try {
    const inspection = await inspectFile(handle, bytes, options);
    const { entries, findings, findingsLeft, isRefused, isWhole, digests } = inspection;
    const close = (): Promise<void> => handle.close();
    if (isRefused) await close();
    return {
      findings,
      findingsLeft,
      isWhole,
      names: entries.filter(({ isFolder, isJunk }) => !isFolder && !isJunk),
      files: isRefused ? null : filesOf(path, inspection, close),
      digests: isRefused ? new Map() : digests,
      bytes,
      close,
    };
  } catch (error) {
    await handle.close();
    throw diskError(error, `reading ${path}`);
  }
}

function filesOf(path: string, inspection: ReadableInspection, close: () => Promise<void>): OpenFiles {
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
    close,
  };
}

function find(byPath: ReadonlyMap<string, Extent>, wanted: string, archive: string): Extent {
  const extent = byPath.get(wanted);
  if (extent === undefined) throw new FerryError(`${archive} has no file "${wanted}"; only its paths can be opened.`);
  return extent;
}
