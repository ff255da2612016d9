import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { ArchiveError, EXIT, FerryError } from "../core/errors.js";
import type { Files } from "../core/formats.js";
import { diskError, onDisk } from "../storage/archive/disk-error.js";
import { openArchive, openFolder } from "../storage/archive/open-archive.js";
import { DOCUMENT_ENDINGS } from "./package-name.js";

/** Files of a package that may hold something open. */
export interface OpenedDocuments {
  readonly files: Files;
  /** What the guard saw and let pass, a line each. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a folder, an archive or a single document by what it is. Throws ArchiveError with all
 * findings of the guard when it is refused (exit 2: only another package helps), and when it can't
 * be read.
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

/**
 * A document that lies alone, as a package of one: what lies beside it is not looked at. Throws
 * ArchiveError when it can't be read, also when it is no ordinary file; so do its streams.
 */
async function openSingleFile(file: string): Promise<Files> {
  const doing = `reading ${file}`;
  const stats = await onDisk(doing, stat(file));
  if (!stats.isFile()) throw new ArchiveError(`${file} is no ordinary file.`, { exitCode: EXIT.usage });
  // Now, and not in the middle of a run: may it be read at all?
  await (await onDisk(doing, open(file))).close();
  const path = basename(file).normalize("NFC");
  const check = (wanted: string): void => {
    if (wanted !== path) throw new FerryError(`${file} is a single document; there is no "${wanted}" with it.`);
  };
  return {
    name: file,
    paths: [path],
    size: (wanted) => {
      check(wanted);
      return stats.size;
    },
    open: async (wanted) => {
      check(wanted);
      const handle = await onDisk(doing, open(file));
      return Readable.from(pieces(handle.createReadStream(), doing), { objectMode: false });
    },
  };
}

async function* pieces(stream: Readable, doing: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    throw diskError(error, doing);
  }
}
