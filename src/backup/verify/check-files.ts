import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveFile, SnapshotIndex } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { hashFile } from "../../storage/repository/read/rebuild-index.js";
import type { Problem, Thoroughness } from "./repository-check.js";

/** What is known of a file: `sound` when it is as its index says, as far as was looked. */
export type FileState = "sound" | "suspect" | "missing";

export interface CheckedFiles {
  /** Every archive that an index names. */
  readonly states: ReadonlyMap<string, FileState>;
  readonly problems: readonly Problem[];
  /**
   * Files that were read: true, as they were written. Those of another size were not read, and are
   * otherwise all the same.
   */
  readonly proven: ReadonlyMap<string, boolean>;
  readonly hashed: { readonly files: number; readonly bytes: number };
}

/**
 * Compares the archives' files with their indexes. `watch` is told of each file when it was looked
 * at.
 */
export async function checkFiles(
  repository: OpenRepository,
  thoroughness: Thoroughness,
  isReadable: (index: SnapshotIndex) => boolean,
  signal: AbortSignal,
  watch: (done: number, total: number, bytes: number) => void,
): Promise<CheckedFiles> {
  const states = new Map<string, FileState>();
  const proven = new Map<string, boolean>();
  const problems: Problem[] = [];
  const hashed = { files: 0, bytes: 0 };
  const files = [...repository.snapshots(), ...repository.repairs()].flatMap((index) =>
    index.archives.map((file) => ({ file, index })),
  );
  for (const [at, { file, index }] of files.entries()) {
    signal.throwIfAborted();
    const isProof = !repository.rebuilt.has(index.snapshot) || file !== index.archives.at(-1);
    const wanted = isHashed(thoroughness, file, index.kind === "repair" || !isReadable(index));
    const found = await look(repository, file, wanted, signal);
    if (wanted && found.state !== "missing") hashed.files += 1;
    if (found.state !== "sound" || (wanted && isProof)) proven.set(file.name, found.state === "sound");
    hashed.bytes += found.read;
    // The hash of an index that was made again is the file's own: its contents have to speak for
    // themselves.
    states.set(file.name, found.state === "sound" && !isProof ? "suspect" : found.state);
    if (found.detail !== null) problems.push({ file: file.name, snapshot: index.snapshot, detail: found.detail });
    watch(at + 1, files.length, hashed.bytes);
  }
  return { states, problems, proven, hashed };
}

/**
 * With a sample contents are read one by one, where they can be; else every so many-th file as a
 * whole.
 */
function isHashed(thoroughness: Thoroughness, { name }: ArchiveFile, asWhole: boolean): boolean {
  if (thoroughness.kind === "sample") return asWhole && hasTurn(thoroughness, shaOf(name));
  return thoroughness.kind === "bytes";
}

/** Whether what has this sha256 has its turn. */
export function hasTurn({ of, turn }: Extract<Thoroughness, { kind: "sample" }>, sha256: string): boolean {
  return Number.parseInt(sha256.slice(0, 8), 16) % of === turn % of;
}

function shaOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

interface Look {
  readonly state: FileState;
  readonly detail: string | null;
  readonly read: number;
}

async function look(repository: OpenRepository, file: ArchiveFile, hash: boolean, signal: AbortSignal): Promise<Look> {
  const { folder, locations } = repository;
  const lies = await locations.fileOf(file.name);
  const bytes = await sizeOf(join(folder, lies));
  if (bytes === undefined) return { state: "missing", detail: "it is missing", read: 0 };
  if (bytes !== file.bytes) {
    const what = bytes < file.bytes ? "it is cut off" : "it has grown";
    const detail = `${what}: ${bytes} bytes in place of ${file.bytes}${await whoseOf(repository, file)}`;
    return { state: "suspect", detail, read: 0 };
  }
  if (!hash) return { state: "sound", detail: null, read: 0 };
  const { sha256 } = await hashFile(join(folder, lies), signal);
  // Of exchanged archives of the same size only the hash tells.
  const isSound = sha256 === file.sha256 || (await locations.search(file.name)) !== file.name;
  if (isSound) return { state: "sound", detail: null, read: bytes };
  const detail = `its bytes are damaged: their sha256 is ${sha256}, and ${file.sha256} was written`;
  return { state: "suspect", detail: `${detail}${await whoseOf(repository, file)}`, read: bytes };
}

/**
 * The bytes under a name may be a copy of another archive: the names are not exchanged then, and
 * its own bytes are nowhere.
 */
async function whoseOf({ locations }: OpenRepository, { name }: ArchiveFile): Promise<string> {
  const owner = await locations.ownerOf(name);
  return owner === undefined ? "" : `; they are a copy of ${owner}, and its own bytes are in no file of the folder`;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats.size : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
