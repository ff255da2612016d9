import { join } from "node:path";
import type { ArchiveFile, SnapshotIndex } from "../storage/repository/format.js";
import { dueProofs } from "../storage/repository/plan-proofs.js";
import { readProven } from "../storage/repository/proven.js";
import type { OpenRepository } from "../storage/repository/read/open-repository.js";
import { hashFile } from "../storage/repository/read/rebuild-index.js";

/** What is read before something is removed: everything that stays, or what is due by `proven.json`. */
export type Proving = "everything" | "due";

export interface ProofParts {
  readonly signal: AbortSignal;
  /** Files that were read, of how many, and the bytes of these; once before the first. */
  readonly watch: (done: number, total: number, bytes: number, totalBytes: number) => void;
}

/** The archives that are to be read. `written`: by this run, which read them again then. */
export async function filesToProve(
  { folder, snapshots, repairs }: OpenRepository,
  staying: readonly SnapshotIndex[],
  written: ReadonlySet<string>,
  { proving, now }: { readonly proving: Proving; readonly now: Date },
): Promise<readonly ArchiveFile[]> {
  const files = staying.filter(({ snapshot }) => !written.has(snapshot)).flatMap(({ archives }) => archives);
  if (proving === "everything") return files;
  return dueProofs(files, await readProven(folder, [...snapshots(), ...repairs()]), now);
}

/** Reads archives and puts into `read` how each was found, also of those that were read when the run is stopped. Gives the names of those that are not as they were written. */
export async function proveFiles(
  { folder }: OpenRepository,
  files: readonly ArchiveFile[],
  read: Map<string, boolean>,
  { signal, watch }: ProofParts,
): Promise<readonly string[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  watch(0, files.length, 0, total);
  for (const file of files) {
    read.set(file.name, (await hashFile(join(folder, file.name), signal)).sha256 === file.sha256);
    bytes += file.bytes;
    watch(read.size, files.length, bytes, total);
  }
  return [...read].filter(([, isSound]) => !isSound).map(([name]) => name);
}
