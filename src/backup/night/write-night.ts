import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { AT_ONCE } from "../../storage/archive/blocks.js";
import type {
  Deletions,
  ReadingOptions,
  SnapshotId,
  SnapshotIndex,
  SnapshotKind,
} from "../../storage/repository/format.js";
import type { Repository } from "../../storage/repository/repository.js";
import { sinceFull } from "../../storage/repository/since-full.js";
import { ContentError } from "../../storage/repository/write/checked-content.js";
import type { NewContent } from "../../storage/repository/write/draft.js";
import { openFrom } from "../../storage/repository/write/drafts-from.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import { writeSnapshot } from "../../storage/repository/write/write-snapshot.js";
import type { Key } from "../../core/model/key.js";
import { readAtOnce } from "../../core/util/read-at-once.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../../sync/control.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";
import { failuresOf, type IsWanted } from "./leave-personal.js";
import { notesOf } from "./notes-of.js";
import { snapshotDrafts } from "./snapshot-drafts.js";
import { stageSnapshot } from "./stage-snapshot.js";

/** The snapshot of a night, as far as it is known before it is written. */
export interface Night {
  readonly workspace: Workspace;
  readonly repository: Repository;
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotKind;
  /** See ChosenKind. */
  readonly fullDue: number | undefined;
  readonly extracted: ExtractSummary;
  readonly isWanted: IsWanted;
  /** Guides and pages that no list showed, and that stay as they were. */
  readonly kept: ReadonlySet<Key>;
  /** Whether too much vanished. */
  readonly deletions: Deletions;
  readonly encryption: Encryption | null;
  readonly partBytes: number;
  readonly readAs: ReadingOptions | undefined;
  readonly madeBy: string;
  readonly started: Date;
  readonly now: () => Date;
  readonly control: Control;
}

export interface NightWritten {
  readonly index: SnapshotIndex;
  readonly warnings: readonly string[];
}

/** Contents that turn out damaged while they are packed, one night. Each costs the writing of what came before it. */
const MOST_DAMAGED = 20;

/**
 * Writes the snapshot and notes where everything lies. A content that is damaged in the workspace is taken from there and left out, as a failure;
 * one that is damaged in an older archive makes a full snapshot an incremental one.
 */
export async function writeNight(night: Night): Promise<NightWritten> {
  const warnings: string[] = [];
  let { kind } = night;
  for (let damaged = 0; ; damaged += 1) {
    try {
      return { index: await attempt({ ...night, kind }), warnings };
    } catch (error) {
      if (!(error instanceof ContentError) || damaged >= MOST_DAMAGED) throw error;
      if (error.content.archive === null) await leaveOut(night.workspace, error.content);
      else {
        kind = "incremental";
        warnings.push(
          `No full snapshot could be made: ${error.message} \`guideferry verify\` tells what is damaged, \`guideferry repair\` fetches it again.`,
        );
      }
    }
  }
}

async function attempt(night: Night): Promise<SnapshotIndex> {
  const { workspace, repository, kind, snapshot, extracted, isWanted, started, control } = night;
  const { archived } = workspace;
  await stageSnapshot(workspace, { snapshot, full: kind === "full", isWanted });
  const failed = failuresOf(workspace, isWanted);
  const indexes = repository.snapshots();
  const memory = Buffer.allocUnsafeSlow(AT_ONCE + 1);
  const index = await writeSnapshot({
    folder: repository.folder,
    name: night.name,
    snapshot,
    kind,
    fullDue: night.fullDue,
    sinceFull: sinceFull(indexes) + 1,
    previous: indexes.at(-1)?.snapshot ?? null,
    madeBy: night.madeBy,
    site: extracted.site,
    started,
    now: night.now,
    complete: failed.length === 0,
    failures: failed.map(({ key, stage, reason, remedy }) => ({ key, stage, reason, remedy })),
    privateIncluded: extracted.privateIncluded,
    personalData: extracted.personalData,
    ...notesOf(extracted, night.kept.size),
    ...night.deletions,
    reading: night.readAs,
    drafts: snapshotDrafts(workspace, {
      at: Math.floor(started.getTime() / 1000),
      except: new Set([...night.kept, ...extracted.archived]),
    }),
    open: (content) => openContent(night, content, memory),
    archives: new Map(indexes.flatMap(({ archives }) => archives.map((file) => [file.name, file]))),
    encryption: night.encryption,
    scratch: layoutOf(workspace.directory).temporary,
    partBytes: night.partBytes,
    signal: control.abort,
    progress: (_content, done, total) => control.progress({ stage: "archive", done, total, failed: failed.length }),
    beforeCommit: async (_index, archiveOf) => archived.place(archiveOf),
  });
  archived.settle();
  return index;
}

/** From the workspace what no archive holds, the rest from the repository. `memory` is what small contents are read into, one after the other. */
async function openContent(
  { workspace, repository }: Night,
  content: NewContent,
  memory: Buffer,
): Promise<Readable | Buffer> {
  if (content.archive !== null) return openFrom(repository, content);
  const isMedium = content.path.startsWith("media/");
  const file = isMedium ? workspace.media.path(content.sha256) : join(workspace.directory, content.path);
  return content.size <= AT_ONCE ? readAtOnce(file, content.size, memory) : createReadStream(file);
}

/** Items are looked at again when the snapshot is staged anew: a damaged one is read from the site the next time. */
async function leaveOut({ media }: Workspace, { path, sha256 }: NewContent): Promise<void> {
  if (path.startsWith("media/")) await media.remove(sha256);
}
