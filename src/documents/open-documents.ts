import { stat } from "node:fs/promises";
import { openArchive } from "../storage/archive/open-archive.js";
import { openFolder } from "../storage/archive/open-folder.js";
import { ArchiveError, EXIT } from "../core/errors.js";
import type { Files } from "../core/formats.js";
import { DOCUMENT_ENDINGS } from "./package-name.js";
import { openSingleFile } from "./single-file.js";

/** Files of a package that may hold something open. */
export interface OpenedDocuments {
  readonly files: Files;
  /** What the guard saw and let pass, a line each. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a folder, an archive or a single document by what it is. Throws ArchiveError with all findings of the guard when it is
 * refused (exit 2: only another package helps), and when it can't be read.
 */
export async function openDocuments(path: string): Promise<OpenedDocuments> {
  try {
    if (DOCUMENT_ENDINGS.some((ending) => path.toLowerCase().endsWith(ending)) && !(await isFolder(path))) {
      return { files: await openSingleFile(path), warnings: [], close: async () => undefined };
    }
    const files = (await isFolder(path)) ? await openFolder(path) : await openArchive(path);
    const warnings = files.findings.map(({ code, entry, detail }) =>
      entry === null ? `${code}: ${detail}` : `${code} "${entry}": ${detail}`,
    );
    return { files, warnings, close: () => files.close() };
  } catch (error) {
    throw asRefusal(error);
  }
}

/** A refusal that ends a run is nobody's to resume. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof ArchiveError) || error.findings.length === 0) return error;
  return new ArchiveError(error.message, { findings: error.findings, exitCode: EXIT.usage, cause: error });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return false;
    throw error;
  }
}
