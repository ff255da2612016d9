import { stat } from "node:fs/promises";
import { diskError } from "../../storage/archive/disk-error.js";
import { openFile } from "../../storage/archive/with-archive.js";
import { UsageError } from "../../core/errors.js";

/** What a package comes as. */
export type PackageForm = "archive" | "folder" | "lone-manifest";

/**
 * Looks at what lies at a path: a folder is an unpacked package, and a file that is XML by its ending or its first element a manifest without
 * its files. Everything else is for the archive guard, which says what it is. Throws ArchiveError for what can't be read.
 */
export async function findForm(path: string, source: string): Promise<PackageForm> {
  if (path.includes("\0")) throw new UsageError("A path can't have a NUL character. Check the path.");
  const stats = await stat(path).catch((error: unknown) => {
    throw diskError(error, `looking for ${path}`);
  });
  if (stats.isDirectory()) return "folder";
  const first = await firstBytesOf(path);
  if (first.length === 0 || first.startsWith("PK") || /\.zip$/i.test(source)) return "archive";
  return /\.xml$/i.test(source) || beginsAsManifest(first) ? "lone-manifest" : "archive";
}

const FIRST_BYTES = 1024;

/** By the first element, which each standard names otherwise. In other encodings than UTF-8 the ending tells. */
function beginsAsManifest(first: string): boolean {
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(first)) return false;
  const [, name = ""] = /<(?:[\w.-]{1,64}:)?([A-Za-z]+)[\s/>]/.exec(first) ?? [];
  return ROOTS.has(name);
}

const ROOTS: ReadonlySet<string> = new Set(["manifest", "courseStructure", "tincan"]);

/** One character a byte. */
async function firstBytesOf(path: string): Promise<string> {
  const { handle } = await openFile(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } catch (error) {
    throw diskError(error, `reading ${path}`);
  } finally {
    await handle.close();
  }
}
