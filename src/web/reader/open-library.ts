import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EXIT, messageOf, UsageError } from "../../core/errors.js";
import { LocalFolder } from "../../storage/repository/files/local-folder.js";
import { isStorageAddress } from "../../storage/repository/files/open-storage.js";
import { isRepository } from "../../storage/repository/read/repository-folder.js";
import type { LibraryOptions, OpenLibrary } from "./library.js";
import { openArchiveLibrary, openRepositoryLibrary } from "./repository-library.js";
import { openWorkspaceLibrary } from "./workspace-library.js";

/**
 * Opens a repository by its address, an archive by its file, or a workspace by its folder. Throws
 * UsageError (exit 2, or 10 where nothing is there) for anything else, ArchiveError for a refused
 * archive or an empty repository, WorkspaceError for an unreadable workspace.
 */
export async function openLibrary(path: string, options: LibraryOptions = {}): Promise<OpenLibrary> {
  const kind = isStorageAddress(path) ? "repository" : await kindOf(path);
  return OPENERS[kind](path, options);
}

const OPENERS: Readonly<Record<OpenLibrary["kind"], (path: string, options: LibraryOptions) => Promise<OpenLibrary>>> =
  {
    repository: openRepositoryLibrary,
    archive: openArchiveLibrary,
    workspace: openWorkspaceLibrary,
  };

const EXPECTED =
  "Expected the folder of a repository or of a workspace, or one archive of a backup or an export (.zip, .zip.age).";

async function kindOf(path: string): Promise<OpenLibrary["kind"]> {
  const stats = await look(path);
  if (stats.isFile()) {
    if (await isArchive(path)) return "archive";
    throw new UsageError(`${path} is a file, but not an archive. ${EXPECTED}`);
  }
  if (await isRepository(path)) return "repository";
  if (await isThere(join(path, "workspace.json"))) return "workspace";
  throw new UsageError(
    `${path} is ${stats.isDirectory() ? "not a repository or a workspace" : "not a file or a folder"}. ${EXPECTED}`,
  );
}

async function look(path: string): ReturnType<typeof stat> {
  try {
    return await stat(path);
  } catch (cause) {
    const reason = messageOf(cause);
    if (isAbsent(cause))
      throw new UsageError(`${path} does not exist. ${EXPECTED}`, { cause, exitCode: EXIT.notFound });
    throw new UsageError(`${path} cannot be read: ${reason}. Check its owner and permissions.`, { cause });
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Decides by the first bytes: people name the file of an export freely. */
async function isArchive(path: string): Promise<boolean> {
  const file = await new LocalFolder(dirname(path)).open(basename(path));
  if (file === undefined) return false;
  try {
    const head = Buffer.alloc(LONGEST_BEGINNING);
    const { bytesRead } = await file.read(head, 0, Math.min(head.length, file.bytes), 0);
    const text = head.toString("latin1", 0, bytesRead);
    return BEGINNINGS.some((beginning) => text.startsWith(beginning));
  } finally {
    await file.close();
  }
}

const BEGINNINGS: readonly string[] = ["PK\x03\x04", "PK\x05\x06", "age-encryption.org/"];
const LONGEST_BEGINNING = 32;
