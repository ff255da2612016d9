import { join } from "node:path";
import type { ArchiveFile, SnapshotIndex } from "../../archive/repository/format.js";
import { dueProofs } from "../../archive/repository/plan-proofs.js";
import { noteProven, readProven } from "../../archive/repository/proven.js";
import type { OpenRepository } from "../../archive/repository/read/open-repository.js";
import { hashFile } from "../../archive/repository/read/rebuild-index.js";

/** What is read before something is removed: everything that stays, or what is due by `proven.json`. */
export type Proving = "everything" | "due";

export interface ProofParts {
  readonly now: Date;
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

/** Reads archives and notes how they were found, also when the run is stopped. Gives the names of those that are not as they were written. */
export async function proveFiles(
  { folder, snapshots, repairs }: OpenRepository,
  files: readonly ArchiveFile[],
  { now, signal, watch }: ProofParts,
): Promise<readonly string[]> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const read = new Map<string, boolean>();
  let bytes = 0;
  try {
    watch(0, files.length, 0, total);
    for (const file of files) {
      read.set(file.name, (await hashFile(join(folder, file.name), signal)).sha256 === file.sha256);
      bytes += file.bytes;
      watch(read.size, files.length, bytes, total);
    }
  } finally {
    await noteProven(folder, read, [...snapshots(), ...repairs()], now);
  }
  return [...read].filter(([, isSound]) => !isSound).map(([name]) => name);
}
