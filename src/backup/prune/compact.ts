import { UsageError } from "../../core/errors.js";
import { sideBySide } from "../../core/util/iterables.js";
import type { ArchiveFile, ItemRow, MediaRow, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import { beforeRestore, isBeforeRestore, parseArchiveName } from "../../storage/repository/names.js";
import {
  type ChainToCompact,
  type CompactPlan,
  goes,
  planCompact,
  standsAlone,
} from "../../storage/repository/plan-compact.js";
import type { Retention } from "../../storage/repository/plan-prune.js";
import { bytesOf, planPrune } from "../../storage/repository/plan-prune.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import type { Draft } from "../../storage/repository/write/drafts.js";
import { openFrom } from "../../storage/repository/write/drafts.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import { writeSnapshot } from "../../storage/repository/write/write-snapshot.js";

/** A snapshot that was written anew, or would be. */
export interface Compacted {
  readonly snapshot: SnapshotId;
  /** Its new name. */
  readonly as: SnapshotId;
}

/** What a compaction did, or would do. */
export interface Compaction extends CompactPlan {
  readonly compacted: readonly Compacted[];
  /** Bytes of the new archives; with `dryRun` at most so many. */
  readonly written: number;
}

export interface CompactParts {
  readonly retention: Retention;
  readonly dryRun: boolean;
  readonly keys: RepositoryKeys;
  readonly encryption: Encryption | null;
  readonly scratch: string;
  readonly madeBy: string;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Writes kept snapshots of old chains anew, the first of a chain with everything in it, the others
 * with what it has not got, so that the chain's other snapshots are needed no more. Each gets the
 * name of a second later and the times of its original, which `planPrune` knows it by. Killed
 * anywhere, every snapshot is there at least once. Throws UsageError, before anything is written,
 * where a key is missing or what is encrypted would be written as plain text.
 */
export async function compact(repository: OpenRepository, parts: CompactParts): Promise<Compaction> {
  const [snapshots, repairs] = [repository.snapshots(), repository.repairs()];
  const plan = planCompact(snapshots, repairs, planPrune(snapshots, repairs, parts.retention));
  const { chains } = plan;
  const all = chains.flatMap((chain) => chain.rewritten);
  if (parts.dryRun) {
    const compacted = chains.flatMap(({ names }) => [...names].map(([snapshot, as]) => ({ snapshot, as })));
    return { ...plan, compacted, written: chains.reduce((sum, { written }) => sum + written, 0) };
  }
  if (all.some(({ encrypted }) => encrypted) && parts.encryption === null) {
    throw new UsageError(
      "The snapshots to compact are encrypted and would be written as plain text. Give --encrypt-to age1… or GUIDEFERRY_PASSPHRASE.",
    );
  }
  await expectKeys(repository, chains);
  const done: Compacted[] = [];
  let written = 0;
  for (const chain of chains) {
    let before: SnapshotIndex | null = null;
    for (const index of chain.rewritten) {
      parts.signal.throwIfAborted();
      before = await writeAnew(repository, index, chain, before, parts);
      done.push({ snapshot: index.snapshot, as: before.snapshot });
      written += bytesOf(before);
      parts.progress?.(done.length, all.length);
    }
  }
  return { ...plan, compacted: done, written };
}

/**
 * Throws UsageError for the lack of a key before anything is written: each archive may have been
 * encrypted for others.
 */
async function expectKeys(repository: OpenRepository, chains: readonly ChainToCompact[]): Promise<void> {
  const read = new Set(chains.flatMap((chain) => chain.rewritten.flatMap((index) => archivesRead(index, chain))));
  for (const archive of read) {
    if (parseArchiveName(archive)?.encrypted !== true) continue;
    try {
      await repository.pool.use(archive, () => undefined);
    } catch (error) {
      // What is damaged may still be had from a repair archive; who needs it will tell.
      if (!isDamage(error)) throw error;
    }
  }
}

function archivesRead({ archives, needs }: SnapshotIndex, chain: ChainToCompact): readonly string[] {
  return [...archives.map(({ name }) => name), ...needs.map(({ archive }) => archive)].filter((archive) =>
    goes(chain, archive),
  );
}

async function writeAnew(
  repository: OpenRepository,
  index: SnapshotIndex,
  chain: ChainToCompact,
  before: SnapshotIndex | null,
  parts: CompactParts,
): Promise<SnapshotIndex> {
  // Opened anew: it must see the copy that was written before this one.
  const fresh = await openRepository(repository.folder, { keys: parts.keys });
  try {
    const manifest = await fresh.manifest(index.snapshot);
    return await writeSnapshot({
      ...manifest,
      folder: fresh.folder,
      snapshot: chain.names.get(index.snapshot) ?? index.snapshot,
      kind: standsAlone(chain, index) ? "full" : "incremental",
      madeBy: isBeforeRestore(index) ? beforeRestore(parts.madeBy) : parts.madeBy,
      started: new Date(manifest.started),
      now: () => new Date(manifest.finished),
      drafts: draftsOf(fresh, index.snapshot, before?.snapshot ?? null, (archive) => goes(chain, archive)),
      open: (content) => openFrom(fresh, content),
      archives: filesOf(fresh),
      encryption: parts.encryption,
      scratch: parts.scratch,
      signal: parts.signal,
    });
  } finally {
    await fresh.close();
  }
}

function filesOf(repository: OpenRepository): ReadonlyMap<string, ArchiveFile> {
  return new Map(repository.snapshots().flatMap(({ archives }) => archives.map((file) => [file.name, file])));
}

/**
 * Bytes that the copy before has, or that lie where nothing goes, stay there; the others are
 * written.
 */
async function* draftsOf(
  repository: OpenRepository,
  snapshot: SnapshotId,
  before: SnapshotId | null,
  goes: (archive: string) => boolean,
): AsyncGenerator<Draft> {
  const items = before === null ? nothing<ItemRow>() : repository.items(before);
  const media = before === null ? nothing<MediaRow>() : repository.media(before);
  for await (const [row, other] of sideBySide(repository.items(snapshot), items, ({ key }) => key)) {
    if (row.state === "deleted") yield { item: row, change: null };
    else if (!goes(row.archive)) yield { item: row, write: false, change: null };
    else if (other?.state === "present" && other.sha256 === row.sha256)
      yield { item: { ...row, ...placeOf(other) }, write: false, change: null };
    else yield { item: row, write: true, change: null };
  }
  for await (const [row, other] of sideBySide(repository.media(snapshot), media, ({ sha256 }) => sha256)) {
    if (!goes(row.archive)) yield { medium: row, write: false, change: null };
    else if (other !== undefined) yield { medium: { ...row, ...placeOf(other) }, write: false, change: null };
    else yield { medium: row, write: true, change: null };
  }
}

async function* nothing<T>(): AsyncGenerator<T> {
  // There is no copy before.
}

function placeOf({ archive, path }: MediaRow): Pick<MediaRow, "archive" | "path"> {
  return { archive, path };
}
