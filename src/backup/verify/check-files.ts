import { createHash } from "node:crypto";
import type { ArchiveFile, SnapshotIndex } from "../../storage/repository/format.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { hashFile } from "../../storage/repository/read/rebuild-index.js";
import type { Problem, Thoroughness } from "./repository-check.js";

/** `sound`: the file matches its index, as far as it was checked. */
export type FileState = "sound" | "suspect" | "missing";

export interface CheckedFiles {
  readonly states: ReadonlyMap<string, FileState>;
  readonly problems: readonly Problem[];
  /** Whether files are as they were written: of those that were read, or have a wrong size. */
  readonly proven: ReadonlyMap<string, boolean>;
  readonly hashed: { readonly files: number; readonly bytes: number };
}

/** Compares the archives with their indexes; calls `watch` after each file. */
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
    // A rebuilt index has the hash of the file as it is, which proves nothing: check its contents.
    states.set(file.name, found.state === "sound" && !isProof ? "suspect" : found.state);
    if (found.detail !== null) problems.push({ file: file.name, snapshot: index.snapshot, detail: found.detail });
    watch(at + 1, files.length, hashed.bytes);
  }
  return { states, problems, proven, hashed };
}

/** A sample reads single contents; of files whose contents can't be read it hashes a share. */
function isHashed(thoroughness: Thoroughness, { name }: ArchiveFile, asWhole: boolean): boolean {
  if (thoroughness.kind === "sample") return asWhole && hasTurn(thoroughness, shaOf(name));
  return thoroughness.kind === "bytes";
}

/** Is a content with this sha256 in the share that is checked now? */
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
  const { storage, locations } = repository;
  const lies = await locations.fileOf(file.name);
  const bytes = await locations.sizeOf(file.name);
  if (bytes === undefined) return { state: "missing", detail: "it is missing", read: 0 };
  if (bytes !== file.bytes) {
    const what = bytes < file.bytes ? "it is cut off" : "it has grown";
    const detail = `${what}: ${bytes} bytes instead of ${file.bytes}${await describeCopy(repository, file)}`;
    return { state: "suspect", detail, read: 0 };
  }
  if (!hash) return { state: "sound", detail: null, read: 0 };
  const { sha256 } = await hashFile(storage, lies, signal);
  // Exchanged archives of the same size differ only in their hash.
  const isSound = sha256 === file.sha256 || (await locations.search(file.name)) !== file.name;
  if (isSound) return { state: "sound", detail: null, read: bytes };
  const detail = `its bytes are damaged: their sha256 is ${sha256}, expected ${file.sha256}`;
  return { state: "suspect", detail: `${detail}${await describeCopy(repository, file)}`, read: bytes };
}

/** Tells a copy of another archive, whose own bytes are lost, from exchanged names. */
async function describeCopy({ locations }: OpenRepository, { name }: ArchiveFile): Promise<string> {
  const owner = await locations.ownerOf(name);
  return owner === undefined ? "" : `; they are a copy of ${owner}, and its own bytes are in no file of the folder`;
}
