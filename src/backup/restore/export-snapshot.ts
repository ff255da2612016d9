import { tmpdir } from "node:os";
import { scratchFolder } from "../../core/util/files.js";
import { onDisk } from "../../storage/archive/disk-error.js";
import type { ArchiveFile, Manifest, SnapshotIndex } from "../../storage/repository/format.js";
import type { Repository } from "../../storage/repository/repository.js";
import { draftsFrom, openFrom } from "../../storage/repository/write/drafts.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import { writeArchiveOf } from "../../storage/repository/write/write-snapshot.js";

interface ExportParts {
  readonly repository: Repository;
  readonly snapshot: SnapshotIndex;
  readonly path: string;
  readonly encryption: Encryption | null;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

interface ExportSummary {
  readonly path: string;
  readonly snapshot: SnapshotIndex;
  readonly manifest: Manifest;
  readonly file: ArchiveFile;
}

/**
 * Writes a snapshot into one file that needs no other, as a full snapshot. Throws ArchiveError: a
 * content is damaged or missing (no file is written), a key is needed (exit 2), the disk.
 */
export async function exportSnapshot(parts: ExportParts): Promise<ExportSummary> {
  const { repository, snapshot, path, encryption, signal, progress } = parts;
  const manifest = await repository.manifest(snapshot.snapshot);
  const { name, previous, madeBy, site, complete, failures, privateIncluded, personalData, counts } = manifest;
  const { leftOut, refused, kept, reading } = manifest;
  const doing = `making a folder in ${tmpdir()}`;
  const scratch = await onDisk(doing, scratchFolder("export"));
  try {
    const facts = { name, previous, madeBy, site, complete, failures, privateIncluded, personalData, counts };
    const file = await writeArchiveOf(
      {
        ...facts,
        leftOut,
        refused,
        kept,
        reading,
        snapshot: snapshot.snapshot,
        started: new Date(manifest.started),
        now: () => new Date(manifest.finished),
        drafts: draftsFrom(repository, snapshot.snapshot),
        open: (content) => openFrom(repository, content),
        encryption,
        scratch: scratch.path,
        signal,
        progress: (_content, done, total) => progress(done, total),
      },
      path,
    );
    return { path, snapshot, manifest, file };
  } finally {
    await scratch.remove();
  }
}
